"""How many tokens a second does LUKE train at on a CPU, beside the plain way: transformers' LukeForMaskedLM in a loop?

    python benchmarks/luke_step.py                  # base size, 500,000 entities; 12 GB of memory
    python benchmarks/luke_step.py --batch 4 --rounds 5

Both sides as luke_sides.py makes them, in float32. Steps alternate between the sides, since other load on the machine
slows both, and CPU time is compared. On a GPU: gpu_check.py. Needs `pip install ".[dev]"`.
"""

import argparse
import gc
import os
import statistics
import time
from dataclasses import replace

import torch
from luke_sides import (
    WORD_VOCABULARY,
    Batch,
    Shape,
    Step,
    device_name,
    our_loss,
    our_model,
    random_batch,
    their_loss,
    their_model,
    training_step,
)

from wikiprep.pretrain.luke.config import SIZES, LukeConfig, config_of_size
from wikiprep.pretrain.luke.flops import training_flops


def main() -> None:
    """Measure, and print a table."""
    options = arguments()
    if options.threads:
        torch.set_num_threads(options.threads)
    config = config_of_size(options.size, WORD_VOCABULARY, options.entity_vocabulary)
    config = replace(config, entity_aware_attention=options.entity_aware)
    batch = random_batch(config, Shape(options.batch, options.words, options.entities))
    print(
        f"{options.size}, {config.entity_vocab_size:,} entities, torch {torch.__version__}, "
        f"{device_name(torch.device('cpu'))}, load {os.getloadavg()[0]:.1f}: "
        f"{options.batch} records, {int(batch['real'].sum()):,} tokens ({batch['real'].numel():,} padded), "
        f"{len(batch['word_labels'])} masked words, {len(batch['entity_labels'])} masked entities",
        flush=True,
    )
    plain = their_model(config)
    model = our_model(config, plain)
    losses = {"transformers": their_loss(plain, batch), "wikiprep": our_loss(model, batch)}
    plain.eval(), model.eval()
    with torch.no_grad():
        loss_values = {name: float(loss()) for name, loss in losses.items()}
    plain.train(), model.train()
    print(
        "losses without dropout: " + ", ".join(f"{name} {loss:.6f}" for name, loss in loss_values.items()), flush=True
    )
    sides = {
        "transformers": training_step(plain, losses["transformers"], bf16=False),
        "wikiprep": training_step(model, losses["wikiprep"], bf16=False),
    }
    report(measure_steps(sides, options.rounds), config, batch)
    if options.profile:
        for name, step in sides.items():
            print(f"\n{name}:")
            profile(step)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", choices=sorted(SIZES), default="luke-base")
    parser.add_argument("--batch", type=int, default=2, help="Records.")
    parser.add_argument("--words", type=int, default=512, help="Tokens of a record, specials included.")
    parser.add_argument("--entities", type=int, default=36, help="Entities of a record.")
    parser.add_argument("--entity-vocabulary", type=int, default=500_000)
    parser.add_argument("--entity-aware", action="store_true", help="Entity-aware attention on both sides.")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, help="On a busy machine 1: threads that wait for others use CPU time.")
    parser.add_argument("--profile", action="store_true", help="Show where the time of one step of each side goes.")
    return parser.parse_args()


def measure_steps(sides: dict[str, Step], rounds: int) -> dict[str, list[float]]:
    """CPU seconds of a step, one of each side a round."""
    for step in sides.values():
        step()  # first use: memory, kernels
    seconds_by_side: dict[str, list[float]] = {name: [] for name in sides}
    for number in range(1, rounds + 1):
        for name, step in sides.items():
            gc.collect()
            start = time.process_time()
            step()
            seconds_by_side[name].append(time.process_time() - start)
        seconds = ", ".join(f"{name} {figures[-1]:.2f}" for name, figures in seconds_by_side.items())
        print(f"round {number}: {seconds} CPU s; load {os.getloadavg()[0]:.1f}", flush=True)
    return seconds_by_side


def report(seconds_by_side: dict[str, list[float]], config: LukeConfig, batch: Batch) -> None:
    tokens, base = int(batch["real"].sum()), seconds_by_side["transformers"]
    print("\n| side | CPU s a step | tokens/CPU s | times transformers |")
    print("|---|---|---|---|")
    for name, figures in seconds_by_side.items():
        seconds = statistics.median(figures)
        ratios = sorted(b / s for b, s in zip(base, figures, strict=True))
        ratio = f"{statistics.median(ratios):.2f} [{ratios[0]:.2f} to {ratios[-1]:.2f}]"
        print(f"| {name} | {seconds:.2f} | {tokens / seconds:,.0f} | {ratio} |")
    needed = training_flops(config, batch) / 1e12
    print(f"\n{needed:.2f} TFLOP a step are needed (recomputed scores not counted). Load {os.getloadavg()[0]:.1f}.")


def profile(step: Step) -> None:
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
        step()
    print(profiler.key_averages().table(sort_by="self_cpu_time_total", row_limit=18, max_name_column_width=60))


if __name__ == "__main__":
    main()
