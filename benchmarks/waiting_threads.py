"""What a second thread brings, and what it costs where others want the cores too: an encoder layer of several widths.

    python benchmarks/waiting_threads.py             # threads that wait spin, as PyTorch for Linux has it by itself
    python benchmarks/waiting_threads.py --asleep    # threads that wait sleep, as commands of wikiprep have it

Wall and CPU milliseconds of a step forward and back of 16 x 64 tokens, the least of eight, with one thread and with
one a core. Run it on an idle machine and beside other load.
"""

import argparse
import os
import time
from typing import Any


def main() -> None:
    """Measure, and print a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--asleep", action="store_true")
    if parser.parse_args().asleep:
        os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
    import torch

    cores = torch.get_num_threads()
    print(f"| width | 1 thread, wall ms | CPU ms | {cores} threads, wall ms | CPU ms |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    for width in (64, 128, 256, 384, 768):
        layer = torch.nn.TransformerEncoderLayer(width, max(1, width // 64), 4 * width, batch_first=True)
        batch = torch.randn(16, 64, width)
        cells: list[float] = []
        for threads in (1, cores):
            torch.set_num_threads(threads)
            times = [step(layer, batch) for _ in range(8)]
            cells += [1000 * min(wall for wall, _ in times), 1000 * min(cpu for _, cpu in times)]
        print(f"| {width} | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |", flush=True)


def step(layer: Any, batch: Any) -> tuple[float, float]:
    """Wall and CPU seconds of one of three steps."""
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(3):
        layer(batch).sum().backward()
    return (time.perf_counter() - wall) / 3, (time.process_time() - cpu) / 3


if __name__ == "__main__":
    main()
