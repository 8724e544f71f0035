"""Which code makes the loss of a head: our softmax in pieces, or torch's `linear_cross_entropy` where it is faster.

Both are the same loss. Ours takes the table in pieces, torch's the rows; which one is the faster depends on the sizes,
the device and torch's kernels there, so it is tried once, before the first step of a stage, for some numbers of rows
(`buckets`) and on rank 0, whose choice all ranks have. Nothing is measured later, and nobody waits. On a CPU, where one
product costs more than all passes over memory, ours is taken.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.pretrain.luke.softmax import SCORES, cross_entropy_sum, wide
from wikiprep.pretrain.ranks import Ranks

AUTO, OWN, TORCH = "auto", "own", "torch"
# Scores of a head that a GPU keeps from forward to backward: 1 GB in bfloat16, of the 80 that it has.
KEEP = 1 << 29
_BUCKETS = 3  # the largest number of rows that there can be, rounded up to a power of two, and halves of it
# In bfloat16 torch's may add up the loss in it. A choice must not show in the figures that a run logs.
_NEAR_LOSS, _NEAR_SLOPE = 5e-3, 2e-2

Way = Callable[[Tensor, Tensor, Tensor, Tensor], Tensor]
Timer = Callable[[Callable[[], object], torch.device], float]


@dataclass(frozen=True)
class HeadShape:
    """Of a head: masked positions of the largest micro-batch, its table [table_rows, size], whether it is trained."""

    rows: int
    table_rows: int
    size: int
    trained: bool


@dataclass
class LossChoice:
    """`kind`: of `training.cross_entropy`.

    `chosen_by_rows`: of each head, by the power of two that its rows round up to.
    """

    kind: str = AUTO
    chosen_by_rows: dict[str, dict[int, str]] = field(default_factory=dict)

    def way(self, head: str, rows: int) -> str:
        """OWN or TORCH for so many rows; a number that was not tried is as the nearest that was."""
        if self.kind != AUTO:
            return self.kind
        tried_ways = self.chosen_by_rows.get(head)
        if not tried_ways:
            return OWN
        return tried_ways[min(tried_ways, key=lambda bucket: abs(bucket.bit_length() - bucket_of(rows).bit_length()))]

    def loss(self, head: str, hidden: Tensor, table: Tensor, bias: Tensor, targets: Tensor) -> Tensor:
        """As `cross_entropy_sum`."""
        return WAYS[self.way(head, len(hidden))](hidden, table, bias, targets)


def bucket_of(rows: int) -> int:
    """The power of two that is not under it."""
    return 1 << max(0, rows - 1).bit_length()


def buckets(rows: int) -> list[int]:
    """What is tried of a head that has so many rows at most."""
    largest = bucket_of(max(1, rows))
    return sorted({max(1, largest >> number) for number in range(_BUCKETS)})


def own_loss(hidden: Tensor, table: Tensor, bias: Tensor, targets: Tensor) -> Tensor:
    """`cross_entropy_sum`, which on a GPU keeps what its memory is there for."""
    return cross_entropy_sum(hidden, table, bias, targets, keep=KEEP if hidden.is_cuda else SCORES)


def torch_loss(hidden: Tensor, table: Tensor, bias: Tensor, targets: Tensor) -> Tensor:
    """The same by `torch.nn.functional.linear_cross_entropy`, in float32 (float64 for float64).

    Its products, sums over pieces and gradients are of autocast's type, where ours are float32 but for the products.
    """
    if not len(hidden):
        return cross_entropy_sum(hidden, table, bias, targets)
    device_type = hidden.device.type
    compute = torch.get_autocast_dtype(device_type) if torch.is_autocast_enabled(device_type) else hidden.dtype
    with torch.autocast(device_type, enabled=False):
        loss = F.linear_cross_entropy(
            hidden.to(compute),
            table.to(compute),
            targets,
            linear_bias=bias,
            reduction="sum",
            options=nn.LinearCrossEntropyOptions(),
        )
    return loss.to(wide(hidden.dtype))


WAYS: dict[str, Way] = {OWN: own_loss, TORCH: torch_loss}


def has_torch_loss() -> bool:
    """Whether this torch has it (2.15 does)."""
    return hasattr(F, "linear_cross_entropy") and hasattr(nn, "LinearCrossEntropyOptions")


def choose(
    choice: LossChoice,
    heads: Mapping[str, HeadShape],
    compute: torch.dtype,
    ranks: Ranks,
    timer: Timer | None = None,
) -> dict[str, Any]:
    """Fill `choice.chosen_by_rows`, alike on all ranks; returns what is logged of it. Every rank must ask.

    Only on a GPU (a `timer` is for tests) and where nothing is forced: else nothing is tried.
    """
    if choice.kind != AUTO or not has_torch_loss() or (ranks.device.type != "cuda" and timer is None):
        return {}
    trials = None
    if ranks.first:
        trials = {name: _try_head(shape, compute, ranks.device, timer or seconds_of) for name, shape in heads.items()}
    trials = ranks.from_first(trials)
    choice.chosen_by_rows = {
        name: {rows: str(trial["taken"]) for rows, trial in trials_by_rows.items()}
        for name, trials_by_rows in trials.items()
    }
    return {
        name: {str(rows): trial for rows, trial in trials_by_rows.items()} for name, trials_by_rows in trials.items()
    }


def _try_head(
    shape: HeadShape, compute: torch.dtype, device: torch.device, timer: Timer
) -> dict[int, dict[str, float | str]]:
    return {rows: _try_rows(shape, rows, compute, device, timer) for rows in buckets(shape.rows)}


def _try_rows(
    shape: HeadShape, rows: int, compute: torch.dtype, device: torch.device, timer: Timer
) -> dict[str, float | str]:
    """Milliseconds of forward and backward of each way on made numbers, and which is taken."""
    generator = torch.Generator(device=device).manual_seed(0)
    hidden = torch.randn(rows, shape.size, generator=generator, device=device).requires_grad_()
    table = torch.randn(shape.table_rows, shape.size, generator=generator, device=device).mul_(0.02)
    bias = torch.zeros(shape.table_rows, device=device)
    leaves = [hidden, *(leaf.requires_grad_() for leaf in (table, bias) if shape.trained)]
    targets = torch.randint(shape.table_rows, (rows,), generator=generator, device=device)

    def step(way: Way) -> list[Tensor]:
        with torch.enable_grad(), torch.autocast(device.type, compute, enabled=compute != torch.float32):
            loss = way(hidden, table, bias, targets)
        return [loss.detach(), *torch.autograd.grad(loss, leaves)]

    trial: dict[str, float | str] = {}
    try:
        own_results, torch_results = step(own_loss), step(torch_loss)
        difference = _describe_difference(own_results, torch_results)
        del own_results, torch_results
        trial |= {f"{name}_ms": round(1000 * timer(lambda way=way: step(way), device), 3) for name, way in WAYS.items()}  # type: ignore[misc]
    except RuntimeError as error:  # memory, or a kernel that is not there: ours needs the least of both
        return trial | {"taken": OWN, "why": (str(error).splitlines() or [""])[0][:150]}
    if difference:
        return trial | {"taken": OWN, "why": difference}
    return trial | {"taken": min(WAYS, key=lambda name: float(trial[f"{name}_ms"]))}


def _describe_difference(own_results: Sequence[Tensor], torch_results: Sequence[Tensor]) -> str:
    """Why torch's numbers are not near enough ours; "" where they are."""
    for number, (one, other) in enumerate(zip(own_results, torch_results, strict=True)):
        tolerance = _NEAR_SLOPE if number else _NEAR_LOSS
        relative_difference = float(
            (one.double() - other.double()).abs().max() / one.double().abs().max().clamp(min=1e-30)
        )
        if not relative_difference <= tolerance:
            return f"torch's {'gradients are' if number else 'loss is'} apart by {relative_difference:.1e}"
    return ""


def seconds_of(step: Callable[[], object], device: torch.device) -> float:
    """The least of three after two for warming up."""
    times = []
    for number in range(5):
        torch.cuda.synchronize(device)
        start = time.perf_counter()
        step()
        torch.cuda.synchronize(device)
        if number > 1:
            times.append(time.perf_counter() - start)
    return min(times)
