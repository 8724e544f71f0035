"""A task with its encoder as a model family of the trainer: the loop, checkpoints, ranks and log are pretraining's.

It holds no tensors and can be pickled; the encoder to start from is read when the model is built, and not again where a
checkpoint fills it.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt
from torch import Tensor, nn

from wikiprep.pretrain.family import Batch, ParameterGroup, Sums
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.flops import encoder_flops
from wikiprep.pretrain.luke.model import LukeEncoder
from wikiprep.tasks.features import Features
from wikiprep.tasks.finetune.collate import PLACES, collate
from wikiprep.tasks.finetune.encoder import Rows, Start, fill
from wikiprep.tasks.finetune.heads import BOUNDARIES, TaskModel, loss_count
from wikiprep.tasks.task import Head

LOSS = "task"


@dataclass(frozen=True, eq=False)
class TaskFamily:
    """`start` gives the encoder to begin with; `write_about` fills RUN/about; `digests`: see `identity`."""

    config: LukeConfig
    head: Head
    classes: int
    rows: Rows
    pad: int
    start: Callable[[], Start]
    write_about: Callable[[Path], None]
    digests: Mapping[str, str]
    name: str = "task"
    head_dropout: float | None = None  # None: the encoder's

    @property
    def attention_dropout(self) -> float:
        """See `Family`."""
        return self.config.attention_dropout

    @property
    def vectors(self) -> int:
        """How many are concatenated for a decision."""
        return self.head.vectors if self.config.entities else self.head.vectors_without

    def build_model(self, seed: int, *, empty: bool = False) -> nn.Module:
        """See `Family`. The classifier is drawn with standard deviation 0.02, its bias is 0."""
        import torch

        encoder = LukeEncoder(self.config)
        head = self.head
        model = TaskModel(encoder, head.kind, self.vectors, self.classes, bias=head.bias, dropout=self.head_dropout)
        model.new = [] if empty else fill(encoder, self.start(), self.rows, seed)
        with torch.no_grad():
            generator = torch.Generator().manual_seed(seed + 1)
            model.classifier.weight.normal_(0.0, self.config.init_std, generator=generator)
            if self.head.bias:
                model.classifier.bias.zero_()
        return model

    def identity(self) -> dict[str, str]:
        """See `Family`."""
        return dict(self.digests)

    def about(self, folder: Path) -> None:
        """See `Family`."""
        folder.mkdir(parents=True, exist_ok=True)
        self.write_about(folder)

    def notes(self, model: nn.Module) -> dict[str, object]:
        """See `Family`."""
        made: dict[str, object] = {"parameters": sum(tensor.numel() for tensor in model.parameters())}
        return made | {"new_tensors": [f"encoder.{name}" for name in cast(TaskModel, model).new] + ["classifier"]}

    def sizes(self, record: Features) -> tuple[int, ...]:
        """See `Family`."""
        return record.sizes if self.config.entities else record.sizes[:1]

    def collate(
        self, records: Sequence[Features], rngs: Sequence[np.random.Generator], rows: Sequence[int] | None = None
    ) -> Batch:
        """See `Family`: nothing is drawn, and sequences are not packed."""
        assert rows is None
        return collate(
            records,
            self.pad,
            self.config.first_position,
            bounds=self.head.kind == BOUNDARIES,
            entities=self.config.entities,
        )

    def masked_entities(self, record: Features, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """See `Family`: there are none."""
        return np.zeros(0, np.int64)

    def counts(self, batch: Batch) -> dict[str, int]:
        """See `Family`."""
        return {LOSS: loss_count(batch, self.head.kind)}

    def loss_sums(self, model: nn.Module, batch: Batch) -> Sums:
        """See `Family`."""
        return {LOSS: cast(tuple[Tensor, Tensor], model(batch))}

    def metrics(self, model: nn.Module, batch: Batch) -> Sums:
        """See `Family`: a task has a judge of its own."""
        return {}

    def parameter_groups(self, model: nn.Module, stage: int) -> list[ParameterGroup]:
        """See `Family`. A whole entity table is frozen; biases and LayerNorm do not decay."""
        named = [
            (name, tensor)
            for name, tensor in model.named_parameters()
            if not (self.rows.whole_table and name == "encoder.entities.entity.weight")
            and (stage != 1 or name.startswith("classifier"))
        ]

        def decays(name: str) -> bool:
            return not name.endswith("bias") and "norm" not in name

        groups = [ParameterGroup([t for name, t in named if decays(name) is decay], decay) for decay in (True, False)]
        return [group for group in groups if group.parameters]

    def blocks(self, model: nn.Module) -> Sequence[nn.Module]:
        """See `Family`."""
        return list(cast(TaskModel, model).encoder.layers)

    def tokens(self, batch: Batch) -> tuple[int, int]:
        """See `Family`."""
        real = batch[names.REAL]
        return int(real.sum()), real.numel()

    def flops(self, batch: Batch) -> float:
        """See `Family`."""
        places = batch.get(PLACES)
        targets = int(batch[names.REAL].sum()) if places is None else places.numel()
        return 3.0 * encoder_flops(self.config, batch, targets)


def digest_of(parts: Sequence[str]) -> str:
    """One digest of several texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
