"""The norm of gradients, and what clipping makes of them, where ranks hold shares of some and others as a whole."""

from pathlib import Path

import pytest
import running
import torch
from torch import Tensor, nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Shard, distribute_tensor

from wikiprep.pretrain.optimizer import gradient_norm, whole_tensor

WORLD = 2
CLIPS = (0.0, 1.0, 1e6)  # never, to less, to more than there is


def parameters() -> list[nn.Parameter]:
    """One of them has rows that do not divide by the ranks, the last no gradient."""
    made = [nn.Parameter(torch.zeros(shape)) for shape in ((5, 3), (4,), (3, 2), (2,))]
    for number, parameter in enumerate(made[:-1]):
        parameter.grad = torch.randn(parameter.shape, generator=torch.Generator().manual_seed(number))
    return made


def spread(parameter: nn.Parameter) -> nn.Parameter:
    mesh = init_device_mesh("cpu", (WORLD,))
    made = nn.Parameter(distribute_tensor(parameter.data, mesh, [Shard(0)]))
    assert parameter.grad is not None
    made.grad = distribute_tensor(parameter.grad, mesh, [Shard(0)])
    return made


def clipped(given: list[nn.Parameter], clip: float) -> list[Tensor]:
    """The norm, and the gradients behind it."""
    norm = gradient_norm(given, clip)
    assert not isinstance(norm, DTensor) and not norm.ndim and given[-1].grad is None
    return [norm, *(whole_tensor(parameter.grad) for parameter in given[:-1] if parameter.grad is not None)]


def _rank(rank: int, said: str) -> None:
    found = {}
    for clip in CLIPS:
        first, second, third, none = parameters()
        found[clip, "mixed"] = clipped([spread(first), second, spread(third), none], clip)
        first, second, third, none = parameters()
        found[clip, "shares alone"] = clipped([spread(first), spread(second), spread(third), none], clip)
    torch.save(found, f"{said}-{rank}")


def test_shares_and_whole_gradients_are_clipped_as_one_process_clips_them(tmp_path: Path) -> None:
    running.on_ranks(_rank, WORLD, str(tmp_path / "found"))
    before = torch.cat([p.grad.flatten() for p in parameters() if p.grad is not None])
    assert before.norm() > 2
    for clip in CLIPS:
        norm, *gradients = clipped(parameters(), clip)
        assert float(norm) == pytest.approx(float(before.norm()))
        after = torch.cat([gradient.flatten() for gradient in gradients])
        torch.testing.assert_close(after, before / before.norm() if clip == 1 else before)
        for rank in range(WORLD):
            found = torch.load(tmp_path / f"found-{rank}")
            for kind in ("mixed", "shares alone"):
                torch.testing.assert_close(found[clip, kind], [norm, *gradients])
