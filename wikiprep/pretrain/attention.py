"""Who sees whom in a batch of sequences, and which of PyTorch's kernels computes it: a dense mask, blocks of one, none.

SDPA takes a dense mask [B, 1, 1 or L, L]: right everywhere, but every pair of positions is computed, also those of
records that only share a sequence. FlashAttention takes records without padding, one behind the other, packed or not,
and drops attention weights: it is taken on a GPU in bf16 (`unpadded_attention.py`). On a CPU records stand so too, and
SDPA has them padded for itself alone. FlexAttention takes a mask of blocks of 128 x 128 positions and leaves out those
in which nobody sees anybody. It has no dropout of attention weights (it never holds them), and in PyTorch no backward
on a CPU; so it is taken for packed sequences on a GPU where FlashAttention cannot be, and the model drops no attention
weights.
"""

from functools import cache
from typing import TYPE_CHECKING, Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.errors import UsageError
from wikiprep.pretrain.unpadded_attention import why_not_flash

if TYPE_CHECKING:  # three seconds to import, and only needed where it is used
    from torch.nn.attention.flex_attention import BlockMask

    from wikiprep.pretrain.config import TrainingConfig
    from wikiprep.pretrain.family import Family


class Sight(nn.Module):
    """Makes the mask of a batch, once for all layers; it has no parameters. `dropout` is that of attention weights.

    A model owns one, and hands what it makes to `attend`.
    """

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.kind = "auto"

    def unpadded(self, device: torch.device, head_size: int) -> bool:
        """Whether the model is to compute tokens alone, without padding (`attend_unpadded`)."""
        if self.kind != "auto":
            return self.kind == "varlen"
        if device.type == "cpu":
            return True
        is_bfloat16 = torch.is_autocast_enabled(device.type) and torch.get_autocast_dtype(device.type) == torch.bfloat16
        return device.type == "cuda" and is_bfloat16 and not why_not_flash(device, head_size)

    def forward(self, real: Tensor, segments: Tensor | None) -> "Tensor | BlockMask":
        """`real` [B, L]: no padding; `segments` [B, L]: the record in its sequence that a position is of, 0: padding.

        Packed records see themselves alone; padding sees padding, so that no row is without a column (softmax of
        nothing). Without `segments` all see what is real.
        """
        packed = segments is not None
        if self.kind == "flex" or (self.kind == "auto" and packed and real.is_cuda and not self.dropout):
            return _build_block_mask(real, segments)
        if segments is None:
            return real[:, None, None, :]
        return segments[:, None, :, None] == segments[:, None, None, :]


def attend(
    query: Tensor, key: Tensor, value: Tensor, seen: "Tensor | BlockMask", dropout: float, scale: float
) -> Tensor:
    """Softmax attention of [B, heads, L, size] over what each position sees, as `Sight` made it."""
    if isinstance(seen, Tensor):
        return F.scaled_dot_product_attention(query, key, value, seen, dropout, scale=scale)
    if dropout:
        raise UsageError("FlexAttention has no dropout of attention weights", 'set training.attention = "sdpa"')
    # Autocast does not know FlexAttention: the three come from different operations, and must be of one type.
    device_type = query.device.type
    if torch.is_autocast_enabled(device_type):
        query, key, value = (part.to(torch.get_autocast_dtype(device_type)) for part in (query, key, value))
    return cast(Tensor, _flex_kernel(query.is_cuda)(query, key, value, block_mask=seen, scale=scale))


def check_attention(kind: str, dropout: float, head_size: int, device: torch.device, precision: str = "bf16") -> str:
    """What `training.attention` comes to in training on `device`, in words for the log.

    `dropout` is that of attention weights, `head_size` that of a head as the kernel sees it. Raises UsageError where
    "flex" or "varlen" cannot be.
    """
    if kind == "flex" and dropout:
        raise UsageError(
            f'training.attention = "flex", but attention weights are dropped ({dropout:g})',
            'FlexAttention cannot: set model.attention_dropout = 0, or training.attention = "auto"',
        )
    if kind == "flex" and device.type == "cpu":
        raise UsageError(
            'training.attention = "flex" on a CPU', 'PyTorch has no backward of it there: take "auto" or "sdpa"'
        )
    if kind == "varlen" and device.type == "cuda":
        why = _why_no_flash(head_size, device, precision)
        if why:
            raise UsageError(
                f'training.attention = "varlen", but FlashAttention cannot ({why})',
                'it takes training.precision = "bf16" on a GPU from Ampere on: take "auto" or "sdpa"',
            )
    if kind != "auto" or device.type != "cuda":
        return "sdpa, all else without padding" if kind == "auto" else kind
    why = _why_no_flash(head_size, device, precision)
    if not why:
        return "flash without padding"
    fallback = "sdpa for its dropout" if dropout else "flex for packed sequences, else sdpa"
    return f"{fallback} (flash cannot: {why})"


def attention_of(family: "Family", training: "TrainingConfig", device: torch.device) -> str:
    """`check_attention` of a run."""
    dropout, size = family.attention_dropout, family.attention_head_size
    return check_attention(training.attention, dropout, size, device, training.precision)


def _why_no_flash(head_size: int, device: torch.device, precision: str) -> str:
    if not head_size:
        return "a model without attention"
    return "float32" if precision != "bf16" else why_not_flash(device, head_size)


def choose_attention(model: nn.Module, kind: str) -> None:
    """Set every `Sight` of the model to `kind`, one of those of `training.attention`."""
    for module in model.modules():
        if isinstance(module, Sight):
            module.kind = kind


def _build_block_mask(real: Tensor, segments: Tensor | None) -> "BlockMask":
    from torch.nn.attention.flex_attention import create_block_mask

    def sees_real(batch: Tensor, head: Tensor, row: Tensor, column: Tensor) -> Tensor:
        return real[batch, column]

    def sees_its_own(batch: Tensor, head: Tensor, row: Tensor, column: Tensor) -> Tensor:
        assert segments is not None
        return segments[batch, row] == segments[batch, column]

    mask_function = sees_real if segments is None else sees_its_own
    return create_block_mask(mask_function, real.shape[0], None, real.shape[1], real.shape[1], device=real.device)


def _flex_kernel(on_gpu: bool) -> Any:
    """FlexAttention is a fused kernel only where it is compiled; inside a compiled layer it is anyway."""
    if on_gpu and not torch.compiler.is_compiling():
        return _compiled_flex()
    from torch.nn.attention.flex_attention import flex_attention

    return flex_attention


@cache
def _compiled_flex() -> Any:
    from torch.nn.attention.flex_attention import flex_attention

    return torch.compile(flex_attention, dynamic=True)
