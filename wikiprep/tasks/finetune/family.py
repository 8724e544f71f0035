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

from wikiprep.knowledge.folder import Knowledge
from wikiprep.pretrain.family import Batch, ParameterGroup, Sums
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.flops import encoder_flops
from wikiprep.pretrain.luke.model import LukeEncoder
from wikiprep.tasks.features import Features
from wikiprep.tasks.finetune.collate import PLACES, collate
from wikiprep.tasks.finetune.encoder import Rows, Start, fill
from wikiprep.tasks.finetune.heads import BOUNDARIES, TaskModel, loss_count
from wikiprep.tasks.finetune.knowledge.layers import KnowledgeLayers, KnowledgeSizes, is_table, table_name
from wikiprep.tasks.task import Head

LOSS = "task"


@dataclass(frozen=True, eq=False)
class TaskFamily:
    """`start` gives the encoder to begin with; `write_about` fills RUN/about; `digests`: see `identity`.
    `knowledge`: of the layers behind the encoder, whose vectors `graph` gives."""

    config: LukeConfig
    head: Head
    classes: int
    rows: Rows
    pad: int
    start: Callable[[], Start]
    write_about: Callable[[Path], None]
    digests: Mapping[str, str]
    knowledge: KnowledgeSizes | None = None
    graph: Callable[[], Knowledge] | None = None
    name: str = "task"

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
        layers = KnowledgeLayers(self.knowledge, self.config) if self.knowledge else None
        model = TaskModel(encoder, self.head.kind, self.vectors, self.classes, bias=self.head.bias, knowledge=layers)
        model.new = [] if empty else fill(encoder, self.start(), self.rows, seed)
        if layers is not None and not empty:
            self._fill(layers, seed)
        with torch.no_grad():
            generator = torch.Generator().manual_seed(seed + 1)
            model.classifier.weight.normal_(0.0, self.config.init_std, generator=generator)
            if self.head.bias:
                model.classifier.bias.zero_()
        return model

    def _fill(self, layers: KnowledgeLayers, seed: int) -> None:
        import torch

        assert self.graph is not None
        graph = self.graph()
        layers.draw(seed + 2, self.config.init_std)
        tables = {table_name(name): torch.from_numpy(table) for name, table in graph.relations.items()}
        layers.load(torch.from_numpy(graph.entities), tables, seed + 3)

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
        new = [f"encoder.{name}" for name in cast(TaskModel, model).new] + ["classifier"]
        return made | {"new_tensors": new + (["knowledge"] if self.knowledge else [])}

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
        """See `Family`. A whole entity table is frozen, and so are vectors of a graph unless they are to be trained;
        biases and LayerNorm do not decay."""
        frozen = self.knowledge is not None and not self.knowledge.options.train_vectors
        named = [
            (name, tensor)
            for name, tensor in model.named_parameters()
            if not (self.rows.whole_table and name == "encoder.entities.entity.weight")
            and not (frozen and name.startswith("knowledge.") and is_table(name.removeprefix("knowledge.")))
            and (stage != 1 or name.startswith("classifier"))
        ]

        def decays(name: str) -> bool:
            return not name.endswith("bias") and "norm" not in name

        groups = [ParameterGroup([t for name, t in named if decays(name) is decay], decay) for decay in (True, False)]
        return [group for group in groups if group.parameters]

    def blocks(self, model: nn.Module) -> Sequence[nn.Module]:
        """See `Family`."""
        found = cast(TaskModel, model)
        return [*found.encoder.layers, *((found.knowledge.first, *found.knowledge.rest) if found.knowledge else ())]

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
