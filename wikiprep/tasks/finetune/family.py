"""A task with its encoder as a model family of the trainer: the loop, checkpoints, ranks and log are pretraining's.

It holds no tensors and can be pickled; the encoder to start from is read when the model is built, and not again where a
checkpoint fills it.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt
from torch import nn

from wikiprep.knowledge.folder import Knowledge
from wikiprep.pretrain.family import Batch, ParameterGroup, Sums
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.attention import kernel_head_size
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.flops import encoder_flops
from wikiprep.pretrain.luke.model import LukeEncoder
from wikiprep.tasks.features import Features
from wikiprep.tasks.finetune.collate import inputs
from wikiprep.tasks.finetune.encoder import Rows, fill
from wikiprep.tasks.finetune.knowledge.layers import KnowledgeLayers, KnowledgeSizes, is_table, table_name
from wikiprep.tasks.finetune.task_head import GiveStart, TaskHead

ENCODER = "encoder"  # as every head's module calls it
LAYERS = "knowledge"  # as a head's module calls the layers of a graph
NEW = "new_of_encoder"  # of a module: parameters that the encoder to start from did not give


@dataclass(frozen=True, eq=False)
class TaskFamily:
    """`start` gives the encoder to begin with; `write_about` fills RUN/about; `digests`: see `identity`.
    `knowledge`: of the layers behind the encoder, whose vectors `graph` gives."""

    config: LukeConfig
    head: TaskHead
    rows: Rows
    pad: int
    start: GiveStart
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
    def attention_head_size(self) -> int:
        """See `Family`."""
        return kernel_head_size(self.config)

    def build_model(self, seed: int, *, empty: bool = False) -> nn.Module:
        """See `Family`."""
        encoder = LukeEncoder(self.config)
        new = [] if empty else fill(encoder, self.start(), self.rows, seed)
        model = self.head.build(encoder, seed, None if empty else self.start)
        layers = self._layers(model)
        if layers is not None and not empty:
            self._fill_layers(layers, seed)
        object.__setattr__(model, NEW, new)  # a plain attribute, no part of the module
        return model

    def _layers(self, model: nn.Module) -> KnowledgeLayers | None:
        return cast(KnowledgeLayers, model.get_submodule(LAYERS)) if self.knowledge else None

    def _fill_layers(self, layers: KnowledgeLayers, seed: int) -> None:
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
        notes: dict[str, object] = {"parameters": sum(tensor.numel() for tensor in model.parameters())}
        module_sizes = {name: sum(t.numel() for t in part.parameters()) for name, part in model.named_children()}
        heads = {name: count for name, count in module_sizes.items() if count and name != ENCODER}
        if len(heads) > 1:
            notes["parameters_by_module"] = {ENCODER: module_sizes[ENCODER], **heads}
        new = cast(list[str], getattr(model, NEW))
        return notes | {"new_tensors": [f"{ENCODER}.{name}" for name in new] + list(heads)}

    def sizes(self, record: Features) -> tuple[int, ...]:
        """See `Family`."""
        return record.sizes if self.config.entities else record.sizes[:1]

    def collate(
        self, records: Sequence[Features], rngs: Sequence[np.random.Generator], rows: Sequence[int] | None = None
    ) -> Batch:
        """See `Family`: sequences are not packed."""
        assert rows is None
        batch = inputs(records, self.pad, self.config.first_position, entities=self.config.entities)
        return batch | self.head.decisions(records, rngs, batch)

    def masked_entities(self, record: Features, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """See `Family`: there are none."""
        return np.zeros(0, np.int64)

    def counts(self, batch: Batch) -> dict[str, int]:
        """See `Family`."""
        return self.head.counts(batch)

    def loss_sums(self, model: nn.Module, batch: Batch) -> Sums:
        """See `Family`."""
        return self.head.loss_sums(model, batch)

    def scores(self, model: nn.Module, batch: Batch, items: Sequence[Any]) -> list[Any]:
        """See `TaskHead`."""
        return self.head.scores(model, batch, items)

    def metrics(self, model: nn.Module, batch: Batch) -> Sums:
        """See `Family`: a task has a judge of its own."""
        return {}

    def parameter_groups(self, model: nn.Module, stage: int) -> list[ParameterGroup]:
        """See `Family`. A whole entity table is frozen, and so are vectors of a graph unless they are to be trained;
        biases and LayerNorm do not decay."""
        frozen = self.knowledge is not None and not self.knowledge.options.train_vectors
        named_tensors = [
            (name, tensor)
            for name, tensor in model.named_parameters()
            if not (self.rows.whole_table and name == "encoder.entities.entity.weight")
            and not (frozen and name.startswith(f"{LAYERS}.") and is_table(name.removeprefix(f"{LAYERS}.")))
            and (stage != 1 or not name.startswith(f"{ENCODER}."))
        ]

        def decays(name: str) -> bool:
            return not name.endswith("bias") and "norm" not in name

        groups = [
            ParameterGroup([t for name, t in named_tensors if decays(name) is decay], decay) for decay in (True, False)
        ]
        return [group for group in groups if group.parameters]

    def blocks(self, model: nn.Module) -> Sequence[nn.Module]:
        """See `Family`."""
        layers = self._layers(model)
        encoder = cast(LukeEncoder, model.get_submodule(ENCODER))
        return [*encoder.layers, *((layers.first, *layers.rest) if layers is not None else ())]

    def tokens(self, batch: Batch) -> tuple[int, int]:
        """See `Family`."""
        real = batch[names.REAL]
        return int(real.sum()), real.numel()

    def flops(self, batch: Batch, stage: int) -> float:
        """See `Family`: of the encoder, which stage 1 freezes."""
        whole = self.rows.whole_table

        def trains(name: str) -> bool:
            return stage != 1 and not (whole and name == "entities.entity.weight")

        return encoder_flops(self.config, batch, self.head.states(batch), trains).flops


def digest_of(parts: Sequence[str]) -> str:
    """One digest of several texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
