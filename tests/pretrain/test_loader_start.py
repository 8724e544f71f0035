"""The processes that read records end without a word where their rank ends, at whatever step of their start."""

import os
import signal
from pathlib import Path

import pytest
from processes import script, until

SCRIPT = Path(__file__).with_name("loader_killed.py")


def run(corpus: Path, how: str, at: int) -> tuple[int, bytes]:
    """The rank's return code, and all that stands in stderr when no process of its group is left."""
    rank = script(SCRIPT, corpus, how, at)
    _, told = rank.communicate(timeout=300)  # until whoever holds stderr has ended
    assert until(lambda: not _group_lives(rank.pid), 300)
    return rank.returncode, told


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def go_through(corpus: Path, how: str, part: slice) -> None:
    code, told = run(corpus, how, -1)
    assert code == 0
    steps = range(int(told))
    assert len(steps) > 50 and steps[part]
    for at in steps[part]:
        assert (at, *run(corpus, how, at)) == (at, -signal.Signals[f"SIG{how}"], b"")


@pytest.mark.parametrize(("how", "first"), [("KILL", 40), ("INT", 250)])
def test_some_steps(sample_corpus: Path, how: str, first: int) -> None:
    """Each run starts torch: a few of the steps by one signal, others by the other; all are slow."""
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    go_through(sample_corpus, how, slice(first, None, 1300))


@pytest.mark.slow
@pytest.mark.parametrize("how", ["KILL", "INT", "TERM", "HUP"])
def test_each_step(sample_corpus: Path, how: str) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    go_through(sample_corpus, how, slice(None))
