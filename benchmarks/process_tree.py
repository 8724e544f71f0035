"""What a command costs with all that it starts: JVMs, servers and workers too, also those that outlive it. For Linux.

The process that measures takes over orphans (PR_SET_CHILD_SUBREAPER), so the kernel adds up every descendant's CPU for
it once all are waited for. A parent that ignores the end of its children (Spark's Python daemon does) takes their CPU
out of that sum: theirs is added as it was last sampled. Memory is the sum of proportional set sizes (PSS), in which a
page that several processes share counts once, sampled; short peaks between two samples are not seen.
"""

import contextlib
import ctypes
import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
SAMPLE_SECONDS = 0.3


@dataclass
class Cost:
    """Wall and CPU time in seconds; peak memory in MB, of all processes together."""

    wall: float = 0.0
    cpu: float = 0.0
    peak: float = 0.0


@dataclass
class Tree:
    """All descendants of this process, while `measure_tree` runs."""

    peak_kb: int = 0
    lost: dict[int, float] = field(default_factory=dict)  # CPU of those that nobody waits for
    look: Callable[["set[int]"], None] = lambda _: None  # is shown the descendants at each sample
    over: threading.Event = field(default_factory=threading.Event)

    def sample(self) -> None:
        """Until it is over."""
        while not self.over.wait(SAMPLE_SECONDS):
            pids = descendants(os.getpid())
            self.peak_kb = max(self.peak_kb, sum(map(pss_kb, pids)))
            for pid in pids:
                if (cpu := _unclaimed_cpu(pid)) is not None:
                    self.lost[pid] = cpu
            self.look(pids)


@contextlib.contextmanager
def measure_tree(look: Callable[[set[int]], None] = lambda _: None) -> Iterator[Cost]:
    """The cost of all that is started inside, filled in at the end, when all of it is ended and waited for.

    This process must have no other children.
    """
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    cost, tree, start, before = Cost(), Tree(look=look), time.monotonic(), _children_cpu()
    thread = threading.Thread(target=tree.sample, daemon=True)
    thread.start()
    try:
        yield cost
    finally:
        tree.over.set()
        thread.join()
        _end_all()
        cost.wall = cost.wall or time.monotonic() - start
        cost.cpu, cost.peak = _children_cpu() - before + sum(tree.lost.values()), tree.peak_kb / 1000


def run(command: Sequence[str], cost: Cost, log: Path) -> None:
    """Run a command to its end; its own wall time is the cost's. Raises SystemExit where it fails."""
    start = time.monotonic()
    with log.open("wb") as file:
        status = subprocess.run(command, stdout=file, stderr=file, check=False).returncode
    cost.wall = time.monotonic() - start
    if status:
        raise SystemExit(f"{' '.join(command)} ended with {status}:\n{log.read_text()[-2000:]}")


def descendants(root: int) -> set[int]:
    """Process ids of all below `root`."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(path.name))
    pids: set[int] = set()
    pending = [root]
    while pending:
        child_pids = children.get(pending.pop(), [])
        pids.update(child_pids)
        pending += child_pids
    return pids


def pss_kb(pid: int) -> int:
    """Proportional set size; 0 where it cannot be read."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1])
    return 0


def _unclaimed_cpu(pid: int) -> float | None:
    """CPU seconds of a process and of the children that it waited for, where its own parent ignores its end."""
    with contextlib.suppress(OSError, ValueError):
        words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        for line in Path(f"/proc/{words[1]}/status").read_text().splitlines():
            if line.startswith("SigIgn:") and int(line.split()[1], 16) >> (signal.SIGCHLD - 1) & 1:
                return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")
    return None


def _children_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _end_all() -> None:
    """Kill what is left below this process, and wait for all of it, so that its CPU is counted."""
    while remaining := descendants(os.getpid()):
        for pid in remaining:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.02)
