"""How the threads of a numeric library wait for each other: asleep, so that a busy machine computes instead.

Threads of one operation meet at its end. GNU's OpenMP, which PyTorch for Linux uses, lets those that are early spin: on
an idle machine that is the quicker. Where other processes want the cores too, the one that all wait for is not running,
and its core is spent on spinning: an encoder layer of width 64 then took 2.9 times the CPU time and 2.2 times the wall
time of one thread; asleep, 1.07 times both (benchmarks/waiting_threads.py, two cores with other load).
"""

import os

# Whoever has set one of these has decided.
DECIDED = ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")


def wait_asleep() -> None:
    """To be called before torch is imported: its OpenMP reads the environment once. A user's own choice stays."""
    if not any(name in os.environ for name in DECIDED):
        os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
