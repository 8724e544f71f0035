"""One optimiser step: forward and backward of this rank's micro-batches, each loss divided as the options say.

A loss is the sum over the masked positions of the GLOBAL batch divided by their number there. The numbers are known
before the first backward, since masks are drawn when a batch is collated; gradients of all ranks are averaged by DDP
and FSDP alike, so each rank's part is multiplied by their number.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from wikiprep.errors import WikiprepError
from wikiprep.pretrain.config import TrainingConfig
from wikiprep.pretrain.data.share import Share
from wikiprep.pretrain.family import Family, Sums, to_device
from wikiprep.pretrain.parallel import Spread, autocast
from wikiprep.pretrain.ranks import Ranks

MICRO_BATCHES = "micro_batches"  # beside the losses' names: how many micro-batches with records all ranks have


@dataclass(frozen=True)
class Computed:
    """Sums of losses on this rank, on its device, and the numbers of the micro-batches whose loss is not finite."""

    sums: dict[str, Tensor]
    not_finite: Tensor


def compute(
    family: Family, model: Spread, share: Share, totals: Mapping[str, float], config: TrainingConfig, ranks: Ranks
) -> Computed:
    """Leaves the gradients in the parameters. `totals`: masked positions of the global batch by loss."""
    sums: dict[str, Tensor] = {}
    finite: list[Tensor] = []
    for number, weight in enumerate(share.weights):
        batch = to_device(share.tensors(number), ranks.device)
        with model.micro_batch(last=number == len(share.weights) - 1):
            with autocast(config, ranks.device):
                losses = family.loss_sums(model.module, batch)
            scale = weight * ranks.world
            torch.autograd.backward(_total(losses, totals, config.loss_mean, scale))
        for name, (loss, _) in losses.items():
            sums[name] = sums.get(name, torch.zeros_like(loss, dtype=torch.float64)) + loss.detach().double() * weight
        finite.append(torch.stack([loss.detach().isfinite() for loss, _ in losses.values()]).all())
    return Computed(sums, ~torch.stack(finite))


def _total(losses: Sums, totals: Mapping[str, float], loss_mean: str, scale: float) -> Tensor:
    parts = []
    for name, (loss, count) in losses.items():
        if loss_mean == "global":
            parts.append(loss * (scale / max(1.0, totals[name])))
        else:
            parts.append(loss / count.clamp(min=1) * (scale / totals[MICRO_BATCHES]))
    return torch.stack([part.float() for part in parts]).sum()


def gradient_norm(parameters: list[torch.nn.Parameter], clip: float) -> float:
    """The norm of all gradients, scaled down to `clip` if that is not 0 and smaller. The number is of before."""
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = torch.nn.utils.get_total_norm(gradients)
    if clip:
        torch.nn.utils.clip_grads_with_norm_(parameters, clip, norm)
    return float(_whole(norm))


def _whole(tensor: Tensor) -> Tensor:
    from torch.distributed.tensor import DTensor

    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


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
