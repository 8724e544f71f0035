"""One optimiser step: forward and backward of this rank's micro-batches, each loss divided as the options say.

A loss is the sum over the masked positions of the GLOBAL batch divided by their number there. The numbers are known
before the first backward, since masks are drawn when a batch is collated; gradients of all ranks are averaged by DDP
and FSDP alike, so each rank's part is multiplied by their number.

On its way to a GPU each micro-batch is copied while the one before it is computed: the loader has put them into
page-locked memory, copies go over a stream of their own, and the host waits for none.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from wikiprep.errors import WikiprepError
from wikiprep.pretrain.config import TrainingConfig
from wikiprep.pretrain.data.share import Share
from wikiprep.pretrain.family import Batch, Family, Sums, to_device
from wikiprep.pretrain.parallel import Spread, autocast
from wikiprep.pretrain.ranks import Ranks

MICRO_BATCHES = "micro_batches"  # beside the losses' names: how many micro-batches with records all ranks have


@dataclass(frozen=True)
class StepLosses:
    """Sums of losses on this rank, on its device, and the numbers of the micro-batches whose loss is not finite."""

    sums: dict[str, Tensor]
    not_finite: Tensor


def compute(
    family: Family, model: Spread, share: Share, totals: Mapping[str, float], config: TrainingConfig, ranks: Ranks
) -> StepLosses:
    """Leaves the gradients in the parameters. `totals`: masked positions of the global batch by loss.

    Waits for no device. Where a loss is not finite, no gradient is, on any rank.
    """
    sums: dict[str, Tensor] = {}
    finite: list[Tensor] = []
    for number, (weight, batch) in enumerate(zip(share.weights, on_device(share, ranks.device), strict=True)):
        with model.micro_batch(last=number == len(share.weights) - 1):
            with autocast(config, ranks.device):
                losses = family.loss_sums(model.module, batch)
            scale = weight * ranks.world
            torch.autograd.backward(_total_loss(losses, totals, config.loss_mean, scale))
        for name, (loss, _) in losses.items():
            sums[name] = sums.get(name, torch.zeros_like(loss, dtype=torch.float64)) + loss.detach().double() * weight
        finite.append(torch.stack([loss.detach().isfinite() for loss, _ in losses.values()]).all())
    return StepLosses(sums, ~torch.stack(finite))


def _total_loss(losses: Sums, totals: Mapping[str, float], loss_mean: str, scale: float) -> Tensor:
    parts = []
    for name, (loss, count) in losses.items():
        if loss_mean == "global":
            parts.append(loss * (scale / max(1.0, totals[name])))
        else:
            parts.append(loss / count.clamp(min=1) * (scale / totals[MICRO_BATCHES]))
    total = torch.stack([part.float() for part in parts]).sum()
    # A loss of inf may have finite gradients. Times NaN they are none: ranks learn of it where gradients are added up.
    return total * torch.where(total.detach().isfinite(), 1.0, torch.nan)


def out_of_memory(error: RuntimeError) -> WikiprepError | None:
    """What to say of the error if it is that, else None."""
    text = str(error)
    if not (isinstance(error, torch.OutOfMemoryError) or "allocate memory" in text or "out of memory" in text):
        return None
    return WikiprepError(
        f"out of memory ({text.splitlines()[0][:200]})",
        "lower data.micro_batch_tokens (the global batch and the result stay the same), set training.recompute = true,"
        ' or training.parallel = "fsdp" on several GPUs; the same command goes on from the last checkpoint',
    )


def on_device(share: Share, device: torch.device) -> Iterator[Batch]:
    """The micro-batches in order, there. Not more than two of them are there at once."""
    count = len(share.weights)
    if device.type != "cuda":
        yield from (to_device(share.tensors(number), device) for number in range(count))
        return
    compute_stream, copy_stream = torch.cuda.current_stream(device), _copy_stream(device)
    next_copy = _start_copy(share, 0, device, copy_stream)
    for number in range(count):
        batch, copy_event = next_copy
        if number + 1 < count:
            next_copy = _start_copy(share, number + 1, device, copy_stream)
        compute_stream.wait_event(copy_event)
        for tensor in batch.values():
            # Its memory is the copying stream's, which must not take it back too soon.
            tensor.record_stream(compute_stream)
        yield batch


def _start_copy(
    share: Share, number: int, device: torch.device, copy_stream: torch.cuda.Stream
) -> tuple[Batch, torch.cuda.Event]:
    with torch.cuda.stream(copy_stream):
        batch = to_device(share.tensors(number), device)
        copy_event = torch.cuda.Event()  # type: ignore[no-untyped-call]
        copy_event.record(copy_stream)
    return batch, copy_event


_copy_streams: dict[torch.device, torch.cuda.Stream] = {}


def _copy_stream(device: torch.device) -> torch.cuda.Stream:
    if device not in _copy_streams:
        _copy_streams[device] = torch.cuda.Stream(device)  # type: ignore[no-untyped-call]
    return _copy_streams[device]
