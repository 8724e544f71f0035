"""How many cores this process may use."""

import os


def usable_cores() -> int:
    """Those that it is tied to, where the system tells (Linux: `taskset`, Slurm, containers); else the machine's."""
    tied = getattr(os, "sched_getaffinity", None)
    return len(tied(0)) if tied is not None else os.cpu_count() or 1
