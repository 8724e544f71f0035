"""Seconds a step and peak memory of `wikiprep finetune`, beside transformers' Trainer with the same model and batch.

    python benchmarks/finetune_step.py semeval2010 ENCODER DATA --steps 20 --rounds 3

Each measurement is a process of its own, the sides in turn, since other load slows both; every step trains on the same
sequences, those of the training set's first batch (`--first N` begins elsewhere). Printed: the median second and CPU
second of a step but for the first three, and how far memory (resident set) rose above what it was before training.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import torch
from finetune_sides import arguments, plain_side, prepare_task

from wikiprep.pretrain.parallel import Spread
from wikiprep.pretrain.ranks import join_ranks
from wikiprep.pretrain.stopping import stop_mark
from wikiprep.pretrain.trainer import Trainer
from wikiprep.pretrain.trainer_job import TrainingJob
from wikiprep.pretrain.validation import Verdict
from wikiprep.tasks.finetune.prepare import PreparedTask

WARM = 3


@dataclass
class Clock:
    """When each step ended, in seconds of the clock and of this process's CPU time."""

    at: list[tuple[float, float]] = field(default_factory=list)

    def tick(self) -> None:
        self.at.append((time.perf_counter(), time.process_time()))

    def medians(self) -> tuple[float, float]:
        """Of a step but for the first ones."""
        pairs = list(zip(self.at[WARM:], self.at[WARM + 1 :], strict=False))
        wall, cpu = (statistics.median(after[n] - before[n] for before, after in pairs) for n in (0, 1))
        return wall, cpu


@dataclass
class Ticking:
    """A judge that asks nothing and notes the time."""

    clock: Clock

    def due(self, step: int, *, last: bool) -> bool:
        self.clock.tick()
        return False

    def judge(self, model: Spread, step: int) -> Verdict:
        raise AssertionError

    def ended(self) -> bool:
        return False


def ours(options: argparse.Namespace, clock: Clock) -> int:
    """The trainer of `wikiprep finetune`; returns the resident set before training."""
    settings = (*options.settings, f"stages.steps={options.steps}", "stages.epochs=0", "log.every=50")
    config, prepared = prepare_task(options.task, options.data, options.encoder, settings)
    keep_batch(prepared, options.first, config.data.global_batch)
    with stop_mark() as mark, join_ranks(1) as ranks, tempfile.TemporaryDirectory() as folder:
        job = TrainingJob(
            config=config,
            family=prepared.family,
            sources=(prepared.source,),
            judge=lambda _: Ticking(clock),
            folder=Path(folder),
            quiet=True,
        )
        before = resident()
        Trainer(job, ranks, mark).run()
    return before


def theirs(options: argparse.Namespace, clock: Clock) -> int:
    """transformers' Trainer."""
    import transformers

    side = plain_side(options.task, options.data, options.encoder, options.settings, 1)
    keep_batch(side.prepared, options.first, side.config.data.global_batch)

    class Ticks(transformers.TrainerCallback):
        def on_step_end(self, *_: object, **__: object) -> None:
            clock.tick()

    with tempfile.TemporaryDirectory() as folder:
        trainer = side.trainer(Path(folder), 1, options.steps)
        trainer.add_callback(Ticks())
        before = resident()
        trainer.train()
    return before


def keep_batch(prepared: PreparedTask, first: int, size: int) -> None:
    """Leave one batch of sequences to train on."""
    features = prepared.splits["train"].features
    features[:] = features[first : first + size]


def resident() -> int:
    """Bytes of memory that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Measure the sides in turn, or, as a child, one of them."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--side", choices=("wikiprep", "transformers"), help="Measure this one, in this process.")
    options = parser.parse_args()
    if options.side:
        torch.set_num_threads(options.threads)
        clock = Clock()
        before = (ours if options.side == "wikiprep" else theirs)(options, clock)
        wall, cpu = clock.medians()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        print(json.dumps({"wall": wall, "cpu": cpu, "peak": peak, "rise": peak - before}))
        return
    measurements: dict[str, list[dict[str, float]]] = {"wikiprep": [], "transformers": []}
    for _ in range(options.rounds):
        for side, rows in measurements.items():
            command = [sys.executable, *sys.argv, "--side", side]
            completed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            rows.append(json.loads(completed.stdout.splitlines()[-1]))
    print("| side | seconds a step | CPU seconds a step | memory at the peak, MB | of it by training, MB |")
    print("|---|---|---|---|---|")
    best = {
        side: {name: statistics.median(row[name] for row in rows) for name in rows[0]}
        for side, rows in measurements.items()
    }
    for side, row in best.items():
        print(
            f"| {side} | {row['wall']:.3f} | {row['cpu']:.3f} | {row['peak'] / 1e6:,.0f} | {row['rise'] / 1e6:,.0f} |"
        )
    ours_, theirs_ = best["wikiprep"], best["transformers"]
    print("| ratio | " + " | ".join(f"{ours_[n] / theirs_[n]:.2f}" for n in ("wall", "cpu", "peak", "rise")) + " |")


if __name__ == "__main__":
    main()
