"""A table that is looked up and, behind that, is what scores are made with: its two gradients in one tensor.

Autograd would make the gradient of the look-up as large as the table, nearly all zeros, and add the two. Here the
softmax's comes first, and the rows that were looked up are added to it where it is.
"""

from typing import Any

import torch
from torch import Tensor


def look_up_tied(table: Tensor, ids: Tensor) -> tuple[Tensor, Tensor]:
    """The rows `ids` (any shape […]) of `table` [V, H] -> […, H], and the table for whoever makes scores with it.

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
