"""What comes between a hidden state and its scores; the scores are products with the tied table, plus a bias each."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.pretrain.luke.config import LukeConfig


class Head(nn.Module):
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


def word_head(config: LukeConfig) -> Head:
    """RoBERTa's head, tied to the word table."""
    return Head(config, config.hidden_size, config.hidden_size, config.vocab_size)


def entity_head(config: LukeConfig) -> Head:
    """As released: D -> H. As the paper writes it (section 3.3): D -> D, then T: D -> H."""
    size = config.entity_size if config.entity_head == "released" else config.hidden_size
    return Head(config, size, config.entity_size, config.entity_vocab_size, bias=config.entity_bias)
