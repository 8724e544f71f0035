"""Input vectors of words and of entities: each kind has tables of its own for tokens, positions and type."""

from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.pretrain.compiling import Fused
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.row_shards import RowShards, look_up


class LookUpResult(NamedTuple):
    """Vectors, and the table that they are of, for who makes scores with it (see `look_up_tied`)."""

    vectors: Tensor
    table: Tensor


class WordEmbeddings(nn.Module):
    """Token + position + type, then LayerNorm and dropout, as in RoBERTa."""

    def __init__(self, config: LukeConfig) -> None:
        super().__init__()
        self.token = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position = nn.Embedding(config.max_positions, config.hidden_size)
        self.kind = nn.Embedding(config.type_rows, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.norm_eps)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, ids: Tensor, positions: Tensor, second: Tensor | None = None) -> LookUpResult:
        """[…] token ids and rows of the position table -> […, D].

        `second` […]: 1 for words of a second text, which a model with two types (BERT) tells from the first.
        """
        kind = self.kind.weight[0] if second is None or len(self.kind.weight) < 2 else self.kind(second)
        tokens, table = look_up_tied(self.token.weight, ids)
        return LookUpResult(_sum_and_norm(self, tokens, self.position(positions), kind), table)


class EntityEmbeddings(nn.Module):
    """U · entity + mean position of the mention + type, then LayerNorm and dropout (section 3.1 of the paper)."""

    def __init__(self, config: LukeConfig) -> None:
        super().__init__()
        size, hidden = config.entity_size, config.hidden_size
        self.entity = nn.Embedding(config.entity_vocab_size, size)
        self.shards: RowShards | None = None  # how the rows of `entity` lie, where ranks share them
        self.up = nn.Identity() if size == hidden else nn.Linear(size, hidden, bias=False)
        self.position = nn.Embedding(config.max_positions, hidden)
        self.kind = nn.Embedding(config.type_rows, hidden)
        self.norm = nn.LayerNorm(hidden, eps=config.norm_eps)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, ids: Tensor, starts: Tensor, ends: Tensor) -> LookUpResult:
        """[…] entity ids and mentions [start, end) in rows of the position table -> […, D].

        An empty mention (padding) has no position vector.
        """
        position = mean_rows(self.position.weight, starts, ends)
        table: Tensor = self.entity.weight
        if self.shards is None:
            rows, table = look_up_tied(table, ids)
        else:
            rows = look_up(table, ids, self.shards)
        return LookUpResult(_sum_and_norm(self, self.up(rows), position, self.kind.weight[0]), table)


def _sum_and_norm(
    embeddings: WordEmbeddings | EntityEmbeddings, tokens: Tensor, position: Tensor, kind: Tensor
) -> Tensor:
    norm, dropout = embeddings.norm, embeddings.dropout
    return normed_sum(tokens, position, kind, norm.weight, norm.bias, norm.eps, dropout.p, dropout.training)


@Fused
def normed_sum(
    tokens: Tensor,
    position: Tensor,
    kind: Tensor,
    weight: Tensor,
    bias: Tensor,
    eps: float,
    dropout: float,
    training: bool,
) -> Tensor:
    """The three added up, LayerNorm and dropout: […, D]."""
    normed = F.layer_norm(tokens + position + kind, weight.shape, weight, bias, eps)
    return F.dropout(normed, dropout, training)


def mean_rows(table: Tensor, starts: Tensor, ends: Tensor) -> Tensor:
    """The mean of rows [start, end) of `table` [P, D] for each of […] spans -> […, D]; 0 for an empty span.

    As a product with a matrix of weights […, P]: no gather of all rows of all mentions (30 times the memory), and a
    backward without atomic additions, so that it is the same in every run. In the precision of `table` even under
    autocast, where 1/3 would be rounded.
    """
    rows = torch.arange(table.shape[0], device=table.device)
    inside = (rows >= starts[..., None]) & (rows < ends[..., None])
    with torch.autocast(table.device.type, enabled=False):
        weights = inside.to(table.dtype) / (ends - starts).clamp(min=1)[..., None]
        return weights.to(table.dtype) @ table


def look_up_tied(table: Tensor, ids: Tensor) -> tuple[Tensor, Tensor]:
    """The rows `ids` (any shape […]) of `table` [V, H] -> […, H], and the table for whoever makes scores with it.

    Its two gradients in one tensor.

    Autograd would make the gradient of the look-up as large as the table, nearly all zeros, and add the two. Here the
    softmax's comes first, and the rows that were looked up are added to it where it is.

    Only one consumer of the second may have a gradient: it is added to in place.
    """
    outputs: tuple[Tensor, Tensor] = _Tied.apply(table, ids)
    return outputs


class _Tied(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, table: Tensor, ids: Tensor) -> tuple[Tensor, Tensor]:
        ctx.save_for_backward(ids)
        ctx.shape = table.shape
        ctx.set_materialize_grads(False)
        return torch.nn.functional.embedding(ids, table), table.view_as(table)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor | None) -> tuple[Tensor | None, None]:
        (ids,) = ctx.saved_tensors
        row_gradients, table_gradient = gradients
        if row_gradients is None or not ctx.needs_input_grad[0]:
            return table_gradient, None
        row_gradients, ids = row_gradients.reshape(-1, ctx.shape[1]), ids.flatten()
        if table_gradient is None:
            return torch.ops.aten.embedding_dense_backward(row_gradients, ids, ctx.shape[0], -1, False), None
        # Both are the same in every run: the first sorts on a GPU, the second goes from row to row on a CPU.
        if table_gradient.is_cuda:
            return table_gradient.index_put_((ids,), row_gradients.to(table_gradient.dtype), accumulate=True), None
        return table_gradient.index_add_(0, ids, row_gradients.to(table_gradient.dtype)), None
