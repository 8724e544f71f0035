"""Attention of sequences that stand one behind the other without padding, by FlashAttention with dropout.

`torch.nn.attention.varlen.varlen_attn` drops no attention weights; the operation behind it (the one that nested tensors
use too) does. It takes float16 and bfloat16 on CUDA. On a CPU there is no such kernel: there the attention alone is
computed of padded sequences, by SDPA, and all that stands between two attentions is spared the padding.
"""

from functools import cache
from itertools import pairwise
from typing import NamedTuple, cast

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

_MOST_PADDING = 4  # padded positions a token, above which records are taken one by one on a CPU


class Unpadded(NamedTuple):
    """Who sees whom: sequence i is positions offsets[i] to offsets[i + 1] of T, and sees itself.

    `longest`: of a sequence at most (a kernel's grid, no more). `words`, `entities`: the positions of each kind.
    """

    offsets: Tensor  # [R + 1] int32
    longest: int
    words: Tensor
    entities: Tensor


def attend_unpadded(query: Tensor, key: Tensor, value: Tensor, seen: Unpadded, dropout: float, scale: float) -> Tensor:
    """Softmax attention of [T, heads, size], each sequence within itself."""
    if not query.is_cuda:
        return _attend_padded(query, key, value, seen, dropout, scale)
    dtype = torch.get_autocast_dtype("cuda") if torch.is_autocast_enabled("cuda") else query.dtype
    query, key, value = (part.to(dtype) for part in (query, key, value))
    offsets, longest = seen.offsets, seen.longest
    outputs = torch.ops.aten._flash_attention_forward(
        query, key, value, offsets, offsets, longest, longest, dropout, False, False, scale=scale
    )
    return cast(Tensor, outputs[0])


def _attend_padded(query: Tensor, key: Tensor, value: Tensor, seen: Unpadded, dropout: float, scale: float) -> Tensor:
    lengths = seen.offsets.diff().long()
    rows, tokens, width = len(lengths), len(query), seen.longest  # nothing is read back of a tensor
    if rows * width > _MOST_PADDING * tokens:  # one long record among many short ones
        return _attend_one_by_one(query, key, value, seen, dropout, scale)
    if rows * width == tokens:
        queries, keys, values = (
            part.view(rows, width, *part.shape[1:]).transpose(1, 2) for part in (query, key, value)
        )
        output = scaled_dot_product_attention(queries, keys, values, None, dropout, scale=scale)
        return output.transpose(1, 2).flatten(0, 1)
    row = torch.arange(rows, device=query.device).repeat_interleave(lengths, output_size=tokens)
    places = torch.arange(tokens, device=query.device) + (row * width - seen.offsets.index_select(0, row))

    def pad(part: Tensor) -> Tensor:
        padded = part.new_zeros(rows * width, *part.shape[1:]).index_copy(0, places, part)
        return padded.view(rows, width, *part.shape[1:]).transpose(1, 2)

    real = torch.arange(width, device=query.device) < lengths[:, None]
    output = scaled_dot_product_attention(
        pad(query), pad(key), pad(value), real[:, None, None, :], dropout, scale=scale
    )
    return output.transpose(1, 2).flatten(0, 1).index_select(0, places)


def _attend_one_by_one(
    query: Tensor, key: Tensor, value: Tensor, seen: Unpadded, dropout: float, scale: float
) -> Tensor:
    outputs = []
    for first, last in pairwise(seen.offsets.tolist()):
        queries, keys, values = (part[first:last].transpose(0, 1)[None] for part in (query, key, value))
        output = scaled_dot_product_attention(queries, keys, values, None, dropout, scale=scale)
        outputs.append(output[0].transpose(0, 1))
    return torch.cat(outputs) if outputs else torch.zeros_like(value)


@cache
def why_not_flash(device: torch.device, head_size: int) -> str:
    """Why the kernel is not to be used on `device` in bfloat16.

    "" where it is: it was tried, forward and backward, and gave what SDPA gives. Waits for the device, once.
    """
    if device.type != "cuda":
        return "no GPU"
    try:
        with torch.enable_grad(), torch.random.fork_rng(devices=[device]), torch.autocast("cuda", enabled=False):
            return _try_flash(device, head_size)
    except (RuntimeError, NotImplementedError, AttributeError, TypeError) as error:
        return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:150]}"


def _try_flash(device: torch.device, head_size: int) -> str:
    offsets = torch.tensor([0, 5, 6, 40], dtype=torch.int32, device=device)
    positions = torch.arange(40, device=device)
    unpadded = Unpadded(offsets, 48, positions, positions[:0])
    inputs = torch.randn(3, 40, 2, head_size, device=device, dtype=torch.bfloat16).requires_grad_()
    float32_inputs = inputs.detach().float().requires_grad_()
    scale = head_size**-0.5
    output = attend_unpadded(inputs[0], inputs[1], inputs[2], unpadded, 0.0, scale)
    reference = _attend_one_by_one(float32_inputs[0], float32_inputs[1], float32_inputs[2], unpadded, 0.0, scale)
    gradient = torch.randn_like(reference)
    (input_gradient,) = torch.autograd.grad(output, inputs, gradient.to(output.dtype))
    (reference_gradient,) = torch.autograd.grad(reference, float32_inputs, gradient)
    for one, other in ((output, reference), (input_gradient, reference_gradient)):
        if float((one.float() - other).abs().max()) > 0.05 * max(1.0, float(other.abs().max())):
            return "it gave other numbers than SDPA"
    with_dropout = attend_unpadded(inputs[0], inputs[1], inputs[2], unpadded, 0.5, scale)
    torch.autograd.grad(with_dropout.float().sum(), inputs)
    return "" if bool(with_dropout.isfinite().all()) else "with dropout it gave no finite numbers"
