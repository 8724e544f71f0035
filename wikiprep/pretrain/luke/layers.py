"""The encoder's layer, the heads, and first values.

A layer is attention and feed-forward, each with a residual and LayerNorm behind it (post-norm). A head comes between a
hidden state and its scores; the scores are products with the tied table, plus a bias each. First values of all
parameters are from a seed: matrices normal, biases 0, norms 1, padding rows 0, as in BERT.
"""

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.pretrain.luke.attention import Attention
from wikiprep.pretrain.luke.batch import at_places
from wikiprep.pretrain.luke.config import LukeConfig

if TYPE_CHECKING:
    from torch.nn.attention.flex_attention import BlockMask

    from wikiprep.pretrain.unpadded_attention import Unpadded

ENTITY_PAD = 0


class Layer(nn.Module):
    """One of the blocks that are sharded, compiled and recomputed one by one."""

    def __init__(self, config: LukeConfig) -> None:
        super().__init__()
        self.attention = Attention(config)
        self.attention_norm = nn.LayerNorm(config.hidden_size, eps=config.norm_eps)
        self.up = nn.Linear(config.hidden_size, config.intermediate_size)
        self.down = nn.Linear(config.intermediate_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.norm_eps)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self, hidden: Tensor, words: int, seen: "Tensor | BlockMask | Unpadded", places: Tensor | None = None
    ) -> Tensor:
        """[B, L, D] -> [B, L, D], or [n, D] at `places` of the flattened [B · L]; without padding [T, D] for [B, L, D].

        Of the last layer only masked positions are wanted: three quarters of its products are spared for the others.
        """
        attention_output = self.attention(hidden, words, seen, places)
        hidden = hidden if places is None else at_places(hidden, places)
        hidden = self.attention_norm(hidden + self.dropout(attention_output))
        output: Tensor = self.norm(hidden + self.dropout(self.down(F.gelu(self.up(hidden)))))
        return output


class TransformHead(nn.Module):
    """Dense, gelu, LayerNorm to `size`; then the bias-free `project` where the table's rows have another size."""

    def __init__(self, config: LukeConfig, size: int, table_size: int, rows: int, *, bias: bool = True) -> None:
        super().__init__()
        self.dense = nn.Linear(config.hidden_size, size)
        self.norm = nn.LayerNorm(size, eps=config.norm_eps)
        self.project = nn.Identity() if size == table_size else nn.Linear(size, table_size, bias=False)
        self.bias: Tensor
        if bias:
            self.bias = nn.Parameter(torch.zeros(rows))
        else:  # stays 0, and is there for whoever reads the weights
            self.register_buffer("bias", torch.zeros(rows))

    def forward(self, hidden: Tensor) -> Tensor:
        """[N, D] -> [N, table_size]."""
        vectors: Tensor = self.project(self.norm(F.gelu(self.dense(hidden))))
        return vectors


def word_head(config: LukeConfig) -> TransformHead:
    """RoBERTa's head, tied to the word table."""
    return TransformHead(config, config.hidden_size, config.hidden_size, config.vocab_size)


def entity_head(config: LukeConfig) -> TransformHead:
    """As released: D -> H. As the paper writes it (section 3.3): D -> D, then T: D -> H."""
    size = config.entity_size if config.entity_head == "released" else config.hidden_size
    return TransformHead(config, size, config.entity_size, config.entity_vocab_size, bias=config.entity_bias)


def initialise(model: nn.Module, seed: int, std: float, pad_id: int) -> None:
    """Fill `model` in the order of its names, which is the order of its definition."""
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
            if name.endswith("bias"):
                tensor.zero_()
            elif "norm" in name:
                tensor.fill_(1.0)
            else:
                normal_rows(tensor, std, generator)
            if name in ("words.token.weight", "words.position.weight"):
                tensor[pad_id].zero_()
            if name == "entities.entity.weight":
                tensor[ENTITY_PAD].zero_()


def normal_rows(tensor: Tensor, std: float, generator: torch.Generator) -> None:
    """Normal values of mean 0; also what a row has that a checkpoint does not know."""
    tensor.normal_(0.0, std, generator=generator)
