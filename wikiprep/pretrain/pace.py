"""How fast a run goes: tokens a second with and without padding, the share of time spent waiting for data, and MFU.

MFU (model FLOPs utilisation; Chowdhery et al. 2022, appendix B): operations that the real tokens need in forward and
backward, over what the devices could do in that time. The family counts the operations; recomputation is not counted.
"""

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import torch

from wikiprep.pretrain.family import COUNTED

# Dense peak of a device in bf16, operations a second, as its maker gives it. A part of the device's name -> peak; the
# first that is in it counts, so a name stands before one that begins it.
PEAKS = {
    "H100 PCIe": 756e12,
    "H100 NVL": 835e12,
    "H100": 989e12,
    "H200 NVL": 835e12,
    "H200": 989e12,
    "A100": 312e12,
    "L40S": 362e12,
    "L40": 181e12,
    "L4": 121e12,
    "A10G": 70e12,
    "RTX 4090": 165e12,
    "RTX 3090": 71e12,
}


def peak_of(device: torch.device, precision: str) -> float | None:
    """Operations a second that `device` can do, or None where that is not known."""
    if device.type != "cuda" or precision != "bf16":
        return None
    name = torch.cuda.get_device_name(device)
    return next((peak for part, peak in PEAKS.items() if part in name), None)


@dataclass
class Pace:
    """What went through all ranks since `reset`, against the clock of this one."""

    world: int
    peak: float | None
    tokens: float = 0.0
    padded: float = 0.0
    flops: float = 0.0
    waited: float = 0.0  # seconds
    began: float = 0.0
    counted: Counter[str] = field(default_factory=Counter)  # see `Family.counts`

    def reset(self) -> None:
        """Begin anew."""
        self.tokens = self.padded = self.flops = self.waited = 0.0
        self.counted.clear()
        self.began = time.perf_counter()

    def add(self, totals: Mapping[str, float]) -> None:
        """What all ranks have in a step: tokens, padded, flops, and seconds waited (the sum over ranks)."""
        self.tokens += totals["tokens"]
        self.padded += totals["padded"]
        self.flops += totals["flops"]
        self.waited += totals["waited"] / self.world
        self.counted.update({name: int(value) for name, value in totals.items() if name.startswith(COUNTED)})

    def figures(self) -> dict[str, float]:
        """By name; `mfu` only where the device's peak is known."""
        seconds = max(time.perf_counter() - self.began, 1e-9)
        figures = {
            "tokens_per_second": self.tokens / seconds,
            "padded_tokens_per_second": self.padded / seconds,
            "data_wait": self.waited / seconds,
            "seconds": seconds,
            **self.counted,
        }
        if self.peak:
            figures["mfu"] = self.flops / seconds / (self.peak * self.world)
        return figures
