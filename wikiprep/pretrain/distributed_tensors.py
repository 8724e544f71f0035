"""Tensors of which a rank may hold a share (DTensor): how they are spread, and norms over all of them."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.distributed.tensor import DTensor


def spread_of(tensor: Tensor) -> object:
    """Equal for tensors that are spread alike; None for a whole one."""
    return (tensor.device_mesh, tensor.placements) if isinstance(tensor, DTensor) else None


def whole_tensor(tensor: Tensor) -> Tensor:
    """The tensor put together; every rank must ask."""
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def gradient_norm(parameters: Sequence[nn.Parameter], clip: float) -> Tensor:
    """The norm of all gradients over all ranks, 0-dim, scaled down to `clip` if that is not 0 and smaller.

    The number is of before, on the device, and the same on every rank.
    """
    groups: dict[object, list[nn.Parameter]] = {}
    for parameter in parameters:
        if parameter.grad is not None:
            groups.setdefault(spread_of(parameter.grad), []).append(parameter)
    norms = [whole_tensor(nn.utils.get_total_norm([_gradient(p) for p in group])) for group in groups.values()]
    norm = norms[0] if len(norms) == 1 else torch.linalg.vector_norm(torch.stack(norms))
    if clip:
        for group in groups.values():
            nn.utils.clip_grads_with_norm_(group, clip, norm)
    return norm


def _gradient(parameter: nn.Parameter) -> Tensor:
    assert parameter.grad is not None
    return parameter.grad
