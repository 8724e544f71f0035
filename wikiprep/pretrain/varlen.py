"""Attention of sequences that stand one behind the other without padding, by FlashAttention with dropout.

`torch.nn.attention.varlen.varlen_attn` drops no attention weights; the operation behind it (the one that nested tensors
use too) does. It takes float16 and bfloat16 on CUDA. What no kernel takes, as all on a CPU, is computed by SDPA one
sequence after the other: that is for tests.
"""

from functools import cache
from itertools import pairwise
from typing import NamedTuple, cast

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention


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
        return _one_by_one(query, key, value, seen, dropout, scale)
    kind = torch.get_autocast_dtype("cuda") if torch.is_autocast_enabled("cuda") else query.dtype
    query, key, value = (part.to(kind) for part in (query, key, value))
    ends, longest = seen.offsets, seen.longest
    made = torch.ops.aten._flash_attention_forward(
        query, key, value, ends, ends, longest, longest, dropout, False, False, scale=scale
    )
    return cast(Tensor, made[0])


def _one_by_one(query: Tensor, key: Tensor, value: Tensor, seen: Unpadded, dropout: float, scale: float) -> Tensor:
    made = []
    for first, last in pairwise(seen.offsets.tolist()):
        asked, keys, values = (part[first:last].transpose(0, 1)[None] for part in (query, key, value))
        mixed = scaled_dot_product_attention(asked, keys, values, None, dropout, scale=scale)
        made.append(mixed[0].transpose(0, 1))
    return torch.cat(made) if made else torch.zeros_like(value)


@cache
def why_not_flash(device: torch.device, head_size: int) -> str:
    """Why the kernel is not to be used on `device` in bfloat16; "" where it is: it was tried, forward and backward, and
    gave what SDPA gives. Waits for the device, once."""
    if device.type != "cuda":
        return "no GPU"
    try:
        with torch.enable_grad(), torch.random.fork_rng(devices=[device]), torch.autocast("cuda", enabled=False):
            return _tried(device, head_size)
    except (RuntimeError, NotImplementedError, AttributeError, TypeError) as error:
        return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:150]}"


def _tried(device: torch.device, head_size: int) -> str:
    ends = torch.tensor([0, 5, 6, 40], dtype=torch.int32, device=device)
    places = torch.arange(40, device=device)
    seen = Unpadded(ends, 48, places, places[:0])
    near = torch.randn(3, 40, 2, head_size, device=device, dtype=torch.bfloat16).requires_grad_()
    exact = near.detach().float().requires_grad_()
    scale = head_size**-0.5
    found = attend_unpadded(near[0], near[1], near[2], seen, 0.0, scale)
    right = _one_by_one(exact[0], exact[1], exact[2], seen, 0.0, scale)
    slope = torch.randn_like(right)
    (found_slope,) = torch.autograd.grad(found, near, slope.to(found.dtype))
    (right_slope,) = torch.autograd.grad(right, exact, slope)
    for one, other in ((found, right), (found_slope, right_slope)):
        if float((one.float() - other).abs().max()) > 0.05 * max(1.0, float(other.abs().max())):
            return "it gave other numbers than SDPA"
    dropped = attend_unpadded(near[0], near[1], near[2], seen, 0.5, scale)
    torch.autograd.grad(dropped.float().sum(), near)
    return "" if bool(dropped.isfinite().all()) else "with dropout it gave no finite numbers"
