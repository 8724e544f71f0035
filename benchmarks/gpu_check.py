"""Is LUKE right and fast on this GPU? Every check that needs one, in under eight minutes, as one table.

    python benchmarks/gpu_check.py                        # on a GPU; elsewhere it says what it would do
    python benchmarks/gpu_check.py --only speed,profile
    python benchmarks/gpu_check.py --device cpu --tiny    # tries the script itself

Baseline: transformers' LukeForMaskedLM in a plain loop (luke_sides.py), the same batch, in bf16, base size, 500,000
entities. Parts run one after the other, each in a process of its own with a time limit: one that is slow or fails costs
no other. Rows are printed as they come, and all of them once more at the end. Exit code 1 if a part failed, ran out of
time or found that numbers differ; a goal of speed that is missed is only told. Needs `pip install ".[dev]"`.
"""

import argparse
import inspect
import multiprocessing
import sys
import time
import traceback
from multiprocessing.connection import Connection

import gpu_parts
import torch
from gpu_measure import HEADER, Plan, Row, plan_for
from luke_sides import device_name

# Seconds that a part may take. Together with the start they stay under eight minutes.
LIMITS = {
    "parity": 50,
    "packed": 75,
    "speed": 170,
    "packing": 90,
    "optimizer": 20,
    "softmax": 25,
    "profile": 45,
}
_processes = multiprocessing.get_context("forkserver")  # the imports are made once, before there is a GPU in use


def main() -> int:
    """Run the parts. Returns the exit code."""
    options = arguments()
    if options.device == "cuda" and not torch.cuda.is_available():
        print("no GPU that PyTorch can use: on one, this would run, in some eight minutes at most:\n")
        for name, limit in LIMITS.items():
            print(f"- {name} (up to {limit} s): {inspect.getdoc(getattr(gpu_parts, name))}")
        print("\n`--device cpu --tiny` runs all of it at a size that says nothing.")
        return 0
    plan = plan_for(torch.device(options.device), options.tiny)
    print(f"torch {torch.__version__}, {device_name(plan.device)}\n\n{HEADER}", flush=True)
    _processes.set_forkserver_preload(["gpu_parts", "torch._dynamo", "torch.nn.attention.flex_attention"])
    rows = []
    for name in options.only or LIMITS:
        rows += run_part(name, plan, LIMITS[name])
    print(f"\nAll of it:\n\n{HEADER}", *(row.line() for row in rows), sep="\n", flush=True)
    return int(any(row.good is False and row.part in ("parity", "packed", "softmax", "failed") for row in rows))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--tiny", action="store_true", help="A model, vocabulary and batch that any machine can do.")
    parser.add_argument("--only", type=lambda text: text.split(","), help=f"Some of {','.join(LIMITS)}.")
    options = parser.parse_args()
    for name in options.only or ():
        if name not in LIMITS:
            parser.error(f"no part {name!r}: there are {', '.join(LIMITS)}")
    return options


def run_part(name: str, plan: Plan, limit: float) -> list[Row]:
    """The rows of a part, printed as they come; the last says so if it failed or was cut off."""
    start = time.monotonic()
    receiver, sender = _processes.Pipe(duplex=False)
    process = _processes.Process(target=_part, args=(name, plan, sender))
    process.start()
    sender.close()
    rows = []
    while True:
        try:
            late = not receiver.poll(max(0.0, start + limit - time.monotonic()))
            row = Row("failed", name, f"cut off after {limit:.0f} s", good=False) if late else receiver.recv()
        except EOFError:  # killed by another, such as the system when memory was short
            process.join()
            row = Row("failed", name, f"its process ended with {process.exitcode}", good=False)
        if row is None:
            break
        rows.append(row)
        print(row.line(), flush=True)
        if row.part == "failed":
            process.kill()
            break
    process.join()
    print(f"| {name} | took | {time.monotonic() - start:.0f} s | {limit} s |  |", flush=True)
    return rows


def _part(name: str, plan: Plan, rows: Connection) -> None:
    try:
        for row in getattr(gpu_parts, name)(plan):
            rows.send(row)
        rows.send(None)
    except Exception as error:  # whatever it was: the other parts go on
        traceback.print_exc()
        text = (str(error).splitlines() or [""])[0].replace("|", "/")
        rows.send(Row("failed", name, f"{type(error).__name__}: {text[:200]}", good=False))


if __name__ == "__main__":
    sys.exit(main())
