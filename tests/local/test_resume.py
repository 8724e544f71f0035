"""kill -9 of any process at any moment, then the same command: the same bytes as without."""

import contextlib
import os
import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from building import built, command, hashes

SMALL_UNITS = ("--sample", "--range-mb", "0.03")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    output = tmp_path_factory.mktemp("undisturbed") / "corpus"
    # In other surroundings than those that are compared with it below.
    built(output, *SMALL_UNITS, "--workers", 1, PYTHONHASHSEED="0", LC_ALL="C", PYTHONUTF8="0")
    return hashes(output)


def descendants(pid: int) -> list[int]:
    """The process and all below it."""
    found, todo = [], [pid]
    while todo:
        parent = todo.pop()
        found.append(parent)
        for task in Path(f"/proc/{parent}/task").glob("*/children"):
            try:
                todo += map(int, task.read_text().split())
            except (FileNotFoundError, ProcessLookupError):
                continue
    return found


def disturb(output: Path, chance: random.Random) -> None:
    """Start a build, kill one of its processes at some moment, and let the rest go on until it ends."""
    words = command("build-corpus", *SMALL_UNITS, "--output", output, "--workers", chance.choice([1, 2, 3]), "--quiet")
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as process:
        time.sleep(chance.uniform(0.0, 5.0))
        with contextlib.suppress(ProcessLookupError):  # that one had just ended by itself
            os.kill(chance.choice(descendants(process.pid)), signal.SIGKILL)
        process.wait(120)


def run_kills(output: Path, rounds: int, seed: int, undisturbed: dict[str, str]) -> None:
    print(f"seed {seed}")
    chance = random.Random(seed)
    for _ in range(rounds):
        disturb(output, chance)
    built(output, *SMALL_UNITS, "--workers", 1)
    assert hashes(output) == undisturbed
    assert not (output / "_state" / "tmp").exists()


def test_killed_builds_go_on_to_the_same_bytes(tmp_path: Path, undisturbed: dict[str, str]) -> None:
    run_kills(tmp_path / "corpus", 4, 20260901, undisturbed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_killed_builds_at_many_moments(tmp_path: Path, undisturbed: dict[str, str], seed: int) -> None:
    run_kills(tmp_path / "corpus", 6, seed, undisturbed)


def test_another_number_of_workers_hash_seed_locale_and_zone_give_the_same_bytes(
    tmp_path: Path, undisturbed: dict[str, str]
) -> None:
    surroundings = {"PYTHONHASHSEED": "7", "LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Asia/Tokyo"}
    built(tmp_path / "a", *SMALL_UNITS, "--workers", 3, **surroundings)
    assert hashes(tmp_path / "a") == undisturbed


def test_a_build_in_steps_gives_the_same_bytes(tmp_path: Path, undisturbed: dict[str, str]) -> None:
    from building import wikiprep

    for name in ("extract", "tables"):
        done = wikiprep(name, *SMALL_UNITS, "--output", tmp_path)
        assert done.returncode == 0, done.stderr
        assert wikiprep("verify", tmp_path).returncode == 0
    built(tmp_path, *SMALL_UNITS)
    assert hashes(tmp_path) == undisturbed
