"""What the parts of gpu_check.py share: their plan, their rows, time on the device, memory."""

import gc
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from luke_sides import WORD_VOCABULARY, Shape
from torch import nn

from wikiprep.pretrain.compiling import fuse
from wikiprep.pretrain.luke.config import LukeConfig, config_of_size


@dataclass(frozen=True)
class Plan:
    """What all parts measure: on `device`, in bf16 there (float32 on a CPU), `steps` a round, `rounds` of them."""

    device: torch.device
    config: LukeConfig
    parity: LukeConfig  # the same with fewer entities: theirs makes all scores, in float32 too
    records: int  # of `words` tokens and `entities`
    words: int
    entities: int
    steps: int
    rounds: int
    backend: str  # of torch.compile

    @property
    def on_gpu(self) -> bool:
        return self.device.type == "cuda"

    def shape(self, records: int | None = None) -> Shape:
        return Shape(records or self.records, self.words, self.entities)

    def compiled(self, model: nn.Module) -> nn.Module:
        """As `training.compile` does."""
        for layer in model.layers:
            layer.compile(dynamic=True, backend=self.backend)
        fuse(True, self.backend)
        return model


def plan_for(device: torch.device, tiny: bool) -> Plan:
    """Base size, 500,000 entities, 512 words; `tiny` tries the script itself."""
    if tiny:
        config = config_of_size("tiny", 1000, 5000)
        return Plan(device, config, replace(config, entity_vocab_size=200), 2, 48, 6, 1, 1, "aot_eager")
    config = config_of_size("luke-base", WORD_VOCABULARY, 500_000)
    return Plan(device, config, replace(config, entity_vocab_size=20_000), 32, 512, 36, 10, 3, "inductor")


@dataclass(frozen=True)
class Row:
    """A line of the table. `good` is None where there is no goal."""

    part: str
    what: str
    figure: str
    goal: str = ""
    good: bool | None = None

    def line(self) -> str:
        verdict = {None: "", True: "yes", False: "NO"}[self.good]
        return f"| {self.part} | {self.what} | {self.figure} | {self.goal} | {verdict} |"


HEADER = "| part | what | figure | goal | reached |\n|---|---|---|---|---|"


@dataclass(frozen=True)
class StepTime:
    """Seconds a step: the median of rounds, the least and the most; bytes at most, all told (0 on a CPU)."""

    seconds: float
    least: float
    most: float
    peak: int

    @property
    def memory(self) -> str:
        return f", {self.peak / 1e9:.2f} GB at most" if self.peak else ""


def measure_step(step: Callable[[], object], plan: Plan) -> StepTime:
    """Time `step` after three (on a CPU one) for warming up: kernels, compilation, memory."""
    gc.collect()
    for _ in range(3 if plan.on_gpu else 1):
        step()
    if plan.on_gpu:
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
    rounds = [_time_round(step, plan) for _ in range(plan.rounds)]
    peak = torch.cuda.max_memory_allocated() if plan.on_gpu else 0
    return StepTime(statistics.median(rounds), min(rounds), max(rounds), peak)


def _time_round(step: Callable[[], object], plan: Plan) -> float:
    start = time.perf_counter()
    for _ in range(plan.steps):
        step()
    if plan.on_gpu:
        torch.cuda.synchronize()
    return (time.perf_counter() - start) / plan.steps


def empty_cache(plan: Plan) -> None:
    """Give back what nobody holds any more, so that the next peak is that of the next one."""
    gc.collect()
    if plan.on_gpu:
        torch.cuda.empty_cache()
