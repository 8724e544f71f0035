"""The layers that `--knowledge` puts between an encoder and a task's head: KG attention first, then self-attention."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from wikiprep.errors import UsageError
from wikiprep.pretrain.attention import Sight
from wikiprep.pretrain.family import Batch
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.batch import at_places
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.layers import Layer, normal_rows
from wikiprep.pretrain.luke.token_places import places_unpadded, restore_padding, who_sees_whom
from wikiprep.tasks.finetune.knowledge.attention import KgLayer
from wikiprep.tasks.finetune.knowledge.phi import NONE, Operators, operators
from wikiprep.tasks.options import KnowledgeOptions

if TYPE_CHECKING:
    from torch.nn.attention.flex_attention import BlockMask

    from wikiprep.pretrain.unpadded_attention import Unpadded

_TABLES = ("entities", "relations.")  # parameters that hold the graph, under these names


@dataclass(frozen=True)
class KnowledgeSizes:
    """What makes the layers, without the vectors. `model`: of the embedding; `entities`: their number; `size`: d;
    `relations`: shapes of the relations' tables by `table_name`."""

    options: KnowledgeOptions
    model: str
    entities: int
    size: int
    relations: Mapping[str, tuple[int, ...]]

    @property
    def vectors(self) -> int:
        """d, or 0 where the layers have no vectors of a graph."""
        return 0 if self.options.vectors == "none" else self.size

    def width(self, hidden: int) -> int:
        """D, of an encoder of that width. Raises UsageError where the heads do not divide it."""
        width = self.options.width or hidden + self.vectors
        heads = self.options.heads
        if width % heads:
            fits = [str(n) for n in range(1, 17) if width % n == 0]
            raise UsageError(
                f"knowledge.heads = {heads} does not divide the width of the layers, {width}",
                f"{', '.join(fits)} do; or set knowledge.width, to which vectors are then projected (768: 12 heads)",
            )
        return width


@dataclass(frozen=True)
class AttentionInputs:
    """Arguments of the first layer; see `KgAttention.forward`."""

    joined: Tensor
    vectors: Tensor
    inward: Tensor
    phi: Operators | None
    open_relations: Tensor


class KnowledgeLayers(nn.Module):
    """See the module. Parameters are as torch draws them: `draw` fills them, the tables aside."""

    def __init__(self, sizes: KnowledgeSizes, config: LukeConfig) -> None:
        super().__init__()
        options = sizes.options
        self.sizes = sizes
        self.width = sizes.width(config.hidden_size)
        self.mode = NONE if options.vectors == "none" else options.mode
        if sizes.vectors:
            self.entities = nn.Parameter(torch.zeros(sizes.entities, sizes.size))
        # Relations that nobody asks would be parameters without a gradient.
        tables = sizes.relations if self.mode != NONE else {}
        self.relations = nn.ParameterDict({name: torch.zeros(*shape) for name, shape in tables.items()})
        self.mix: nn.Parameter | None = None
        if tables and options.compress:
            count = next(iter(tables.values()))[0] * (2 if self.mode == "both" else 1)
            self.mix = nn.Parameter(torch.zeros(options.compress, count))
        self.inward = nn.Linear(config.hidden_size + sizes.vectors, self.width) if options.width else None
        self.first = KgLayer(self.width, options.heads, config.dropout, config.norm_eps)
        self.sight, self.head_size = Sight(config.attention_dropout), self.width // options.heads
        layer_config = _layer_config(config, self.width, options.heads)
        self.rest = nn.ModuleList(Layer(layer_config) for _ in range(options.layers - 1))

    def forward(
        self, hidden: Tensor, rows: Tensor, real: Tensor, places: Tensor | None = None, batch: Batch | None = None
    ) -> Tensor:
        """[B, L, P] of the encoder and `rows` [B, L] of the graph's entities (-1: none) -> [B, L, D].

        Or [n, D] at `places` of the flattened [B · L]. `real` [B, L]: no padding. With the `batch` that they are of,
        layers of self-attention leave padding out where the encoder does (0 is given for it then).
        """
        attention_inputs = self.first_inputs(hidden, rows, real)
        order = None
        if batch is not None and names.ORDER in batch and self.sight.unpadded(real.device, self.head_size):
            order = batch[names.ORDER]
        states: Tensor = self.first(
            attention_inputs.joined,
            attention_inputs.vectors,
            attention_inputs.inward,
            attention_inputs.phi,
            attention_inputs.open_relations,
            real,
            order,
        )
        width = real.shape[1]
        if order is None or batch is None:
            states = self._self_attention(states, width, self.sight(real, None), places)
            return at_places(states, places) if places is not None and not len(self.rest) else states
        token_places = None if places is None else places_unpadded(batch, places)
        states = self._self_attention(states, width, who_sees_whom(batch), token_places)
        if token_places is None:
            return restore_padding(batch, states)
        return states if len(self.rest) else states.index_select(0, token_places)

    def _self_attention(
        self, states: Tensor, width: int, visible: "Tensor | BlockMask | Unpadded", places: Tensor | None
    ) -> Tensor:
        """The layers behind the first, the last at `places` alone."""
        for number, layer in enumerate(self.rest, 1):
            states = layer(states, width, visible, places if number == len(self.rest) else None)
        return states

    def first_inputs(self, hidden: Tensor, rows: Tensor, real: Tensor) -> "AttentionInputs":
        """What the first layer is given; see `forward`."""
        has_entity = rows >= 0
        vectors = hidden.new_zeros(*rows.shape, 0)
        if self.sizes.vectors:
            vectors = self.entities[rows.clamp(min=0)] * has_entity[..., None]
        joined = torch.cat([vectors.to(hidden.dtype), hidden], dim=-1)
        if self.inward is None:
            inward = torch.eye(self.width, vectors.shape[-1], dtype=vectors.dtype, device=vectors.device)
        else:
            joined, inward = self.inward(joined), self.inward.weight[:, : vectors.shape[-1]]
        opened = real if self.sizes.options.keep_empty else has_entity & real
        return AttentionInputs(joined, vectors, inward, self.phi(), opened)

    def phi(self) -> Operators | None:
        """The operators whose estimates are keys; None where each word stands alone."""
        if self.mode == NONE:
            return None
        all_operators = operators(self.sizes.model, dict(self.relations.items()), self.mode)
        return all_operators if self.mix is None else all_operators.mixed(torch.softmax(self.mix, dim=-1))

    def draw(self, seed: int, std: float) -> None:
        """Matrices normal, biases 0, norms 1.

        The mixture of `compress` needs a wider draw: one of nearly equal weights would make all sums of relations
        alike.
        """
        generator = torch.Generator().manual_seed(seed)
        with torch.no_grad():
            for name, tensor in self.named_parameters():
                if is_table(name) or name == "mix":
                    continue
                if name.endswith("bias"):
                    tensor.zero_()
                elif "norm" in name:
                    tensor.fill_(1.0)
                else:
                    normal_rows(tensor, std, generator)
            if self.mix is not None:
                normal_rows(self.mix, 1.0, torch.Generator().manual_seed(seed + 1))

    def load(self, entities: Tensor, relations: Mapping[str, Tensor], seed: int) -> None:
        """Take the vectors of a graph; of `vectors = "random"` normal ones of the same mean and deviation instead.

        RotatE's relations are turned by random angles then, so that they stay of modulus 1.
        """
        generator = torch.Generator().manual_seed(seed)
        random = self.sizes.options.vectors == "random"
        with torch.no_grad():
            if self.sizes.vectors:
                self.entities.copy_(_random_like(entities, generator) if random else entities)
            for name, tensor in self.relations.items():
                rotated = random and self.sizes.model == "rotate"
                table = _random_rotations(relations[name], generator) if rotated else relations[name]
                tensor.copy_(_random_like(relations[name], generator) if random and not rotated else table)


def is_table(name: str) -> bool:
    """Whether a parameter of `KnowledgeLayers` is of the graph."""
    return name.startswith(_TABLES)


def table_name(name: str) -> str:
    """How a table of the folder is called among parameters, whose names have no dots."""
    return name.replace(".", "_")


def _random_like(table: Tensor, generator: torch.Generator) -> Tensor:
    return torch.randn(table.shape, generator=generator) * table.std() + table.mean()


def _random_rotations(table: Tensor, generator: torch.Generator) -> Tensor:
    angles = torch.rand(len(table), table.shape[1] // 2, generator=generator) * 2 * torch.pi
    return torch.cat([angles.cos(), angles.sin()], dim=-1)


def _layer_config(config: LukeConfig, width: int, heads: int) -> LukeConfig:
    return replace(
        config, hidden_size=width, heads=heads, intermediate_size=4 * width, entity_aware_attention=False, layers=1
    )
