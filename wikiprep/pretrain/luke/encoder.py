"""A layer of the encoder: attention and feed-forward, each with a residual and LayerNorm behind it (post-norm)."""

from typing import TYPE_CHECKING

from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.pretrain.luke.attention import Attention
from wikiprep.pretrain.luke.batch import at_places
from wikiprep.pretrain.luke.config import LukeConfig

if TYPE_CHECKING:
    from torch.nn.attention.flex_attention import BlockMask

    from wikiprep.pretrain.varlen import Unpadded


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
