"""What is trained in a stage: the model on its ranks, with the stage's parameters thawed, and their optimiser.

Every stage begins from a checkpoint, as a resume does: DDP and FSDP fix what is trained when they wrap a model. On a
CPU a rank computes with as many threads as its cores and the model's size are good for.
"""

import os
import statistics
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.distributed.tensor import DTensor

from wikiprep.pretrain.attention import choose_attention
from wikiprep.pretrain.checkpoint.folder import Header
from wikiprep.pretrain.checkpoint.load import load
from wikiprep.pretrain.checkpoint.save import model_state, optimizer_state
from wikiprep.pretrain.config import PretrainConfig
from wikiprep.pretrain.family import Family
from wikiprep.pretrain.optimizer import AdamW
from wikiprep.pretrain.parallel import Spread, spread
from wikiprep.pretrain.ranks import Ranks
from wikiprep.process import usable_cores

Found = tuple[Path, Header]
_FAMILY_STAGE = {"new": 1, "all": 2}
# Up to this width an operation is over before a second thread has begun: benchmarks/waiting_threads.py.
_NARROW = 128
# Whoever has set one of these has decided; torchrun sets the first for several ranks.
_DECIDED = ("OMP_NUM_THREADS", "MKL_NUM_THREADS")


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


def fit_threads(model: nn.Module, device: torch.device) -> int:
    """Set the threads of this process by the model, and return their number.

    The cores that the process may use, shared among the ranks of the machine; one where the model is narrow. The load
    of the moment does not decide: sums of several threads differ in their last bits, and a run that goes on is to be
    the run that was not stopped. On a GPU, and where the user has set a number, nothing is changed.
    """
    if device.type == "cpu" and not any(name in os.environ for name in _DECIDED):
        ranks = int(os.environ.get("LOCAL_WORLD_SIZE", 1))
        torch.set_num_threads(1 if width(model) <= _NARROW else max(1, usable_cores() // ranks))
    return torch.get_num_threads()


def width(model: nn.Module) -> int:
    """The size of most of its layers' outputs; 0 of a model without a linear layer."""
    outputs = [module.out_features for module in model.modules() if isinstance(module, nn.Linear)]
    return statistics.mode(outputs) if outputs else 0
