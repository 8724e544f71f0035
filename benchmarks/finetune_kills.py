"""Does a fine-tuning run that is killed (kill -9) at any time come to its own result? Real kills, by the clock.

    python benchmarks/finetune_kills.py semeval2010 MODEL DATA FOLDER --kills 10 --set stages.epochs=2

runs once to its end, then kills the same run after 1/(N+1), 2/(N+1), … of that time, gives it again, and compares all
predictions and the weights that are kept with the first run's. The runs are forks of one process that has torch loaded,
so that the time is that of the run. It exits 1 if one differs. Named points in the code: tests/tasks/
test_finetune_killed.py.
"""

import argparse
import json
import os
import signal
import sys
import time
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("task", "model", "data", "folder"):
        parser.add_argument(name)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--set", dest="settings", action="append", default=[])
    options = parser.parse_args()

    from wikiprep.tasks import results
    from wikiprep.tasks.finetune.run import FinetuneCommand, finetune

    results.find_spec = lambda name: None  # no pictures: drawing them would be most of a short run

    def command(output: Path) -> FinetuneCommand:
        return FinetuneCommand(
            task=options.task,
            data=options.data,
            model=options.model,
            output=str(output),
            settings=tuple(options.settings),
            quiet=True,
        )

    def fork_run(output: Path) -> int:
        child = os.fork()
        if child:
            return child
        try:
            finetune(command(output))
            os._exit(0)
        finally:
            os._exit(1)

    def wait_for(child: int) -> int:
        return os.waitpid(child, 0)[1]

    folder = Path(options.folder)
    whole_run = folder / "whole"
    start = time.perf_counter()
    if wait_for(fork_run(whole_run)):
        sys.exit("the run itself fails")
    seconds = time.perf_counter() - start
    print(f"a run takes {seconds:.1f} s", flush=True)
    different = 0
    for number in range(1, options.kills + 1):
        output = folder / f"killed-{number:02d}"
        delay = seconds * number / (options.kills + 1)
        child = fork_run(output)
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        status = wait_for(child)
        state = _state(output)
        if wait_for(fork_run(output)):
            sys.exit(f"kill {number}: the run does not go on")
        different_files = _differences(whole_run, output)
        different += bool(different_files)
        outcome = f"differs: {', '.join(different_files)}" if different_files else "the same predictions and weights"
        ending = "killed" if os.WIFSIGNALED(status) else "had ended"
        print(f"{number}: {ending} after {delay:.1f} s ({state}); {outcome}", flush=True)
    print(f"{options.kills - different} of {options.kills} came to the same result")
    sys.exit(1 if different else 0)


def _state(run: Path) -> str:
    """What there is of a run."""
    if not run.is_dir():
        return "no folder yet"
    log = run / "log.jsonl"
    events = [json.loads(line) for line in log.read_text().splitlines() if line.endswith("}")] if log.exists() else []
    last = f"last event {events[-1]['event']} of step {events[-1]['step']}" if events else "no event yet"
    existing = [name for name in ("best/best.json", "predictions.dev.jsonl", "results.json") if (run / name).exists()]
    checkpoints = [path.name for path in (run / "checkpoints").glob("step-*")]
    return ", ".join([last, *checkpoints, *existing])


def _differences(one: Path, other: Path) -> list[str]:
    names = sorted(path.name for path in one.glob("predictions.*")) + sorted(path.name for path in one.glob("errors.*"))
    different_files = [name for name in names if (one / name).read_bytes() != (other / name).read_bytes()]
    best = [json.loads((run / "best/best.json").read_text()) for run in (one, other)]
    return different_files + (["best/best.json"] if best[0] != best[1] else [])


if __name__ == "__main__":
    main()
