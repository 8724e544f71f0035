"""What is trained in a stage: the model on its ranks, with the stage's parameters thawed, and their optimiser.

Every stage begins from a checkpoint, as a resume does: DDP and FSDP fix what is trained when they wrap a model.
"""

from dataclasses import dataclass
from pathlib import Path

from torch import Tensor
from torch.distributed.tensor import DTensor

from wikiprep.pretrain.attention import choose_attention
from wikiprep.pretrain.checkpoint.folder import Header
from wikiprep.pretrain.checkpoint.load import load
from wikiprep.pretrain.checkpoint.state import model_state, optimizer_state
from wikiprep.pretrain.config import PretrainConfig
from wikiprep.pretrain.family import Family
from wikiprep.pretrain.optimizer import AdamW
from wikiprep.pretrain.parallel import Spread, spread
from wikiprep.pretrain.ranks import Ranks
from wikiprep.pretrain.threads import fit_threads

Found = tuple[Path, Header]
_FAMILY_STAGE = {"new": 1, "all": 2}


@dataclass(frozen=True)
class Training:
    """A model and its optimiser.

    `notes`: what the family says of the module as it was made; `threads`: how many compute.
    """

    model: Spread
    optimizer: AdamW
    notes: dict[str, object]
    threads: int

    def state(self) -> dict[str, Tensor]:
        """All that a checkpoint holds."""
        return model_state(self.model.bare) | optimizer_state(self.model.bare, self.optimizer)

    def is_finite(self) -> bool:
        """Whether all numbers of it that this rank has are."""
        return all(bool(_local_part(tensor).isfinite().all()) for tensor in self.state().values())


def _local_part(tensor: Tensor) -> Tensor:
    return tensor.to_local() if isinstance(tensor, DTensor) else tensor


def family_stage(config: PretrainConfig, number: int) -> int:
    """What stage `number` of a run (from 0) is to its family: see `Family.parameter_groups`."""
    return _FAMILY_STAGE[config.stages[number].parameters]


def begin(
    config: PretrainConfig, family: Family, number: int, steps_done: int, checkpoint: Found | None, ranks: Ranks
) -> Training:
    """Stage `number`, of which `steps_done` steps are done, from `checkpoint` or from the family's beginning."""
    stage_of_family = family_stage(config, number)
    bare = family.build_model(config.data.seed, empty=checkpoint is not None)
    choose_attention(bare, config.training.attention)
    notes, threads = family.notes(bare), fit_threads(bare, ranks.device)
    trained_ids = {id(p) for group in family.parameter_groups(bare, stage_of_family) for p in group.parameters}
    for parameter in bare.parameters():
        parameter.requires_grad_(id(parameter) in trained_ids)
    model = spread(bare, family, config.training, ranks)
    training = Training(
        model, AdamW(family.parameter_groups(model.bare, stage_of_family), config.optimizer), notes, threads
    )
    if checkpoint is None:
        return training
    path, header = checkpoint
    if header.stage == number and steps_done:
        training.optimizer.begin_at(steps_done)
        load(path, training.state())
    else:
        load(path, model_state(model.bare))
    return training
