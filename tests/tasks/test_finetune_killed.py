"""A run that is killed at any moment (SIGKILL, at named points) and given again comes to its own result, byte by byte.

The killed run is a fork of this process, so that none of them starts Python and torch anew.
"""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")

from wikiprep.tasks.finetune.run import FinetuneCommand, finetune

pytestmark = pytest.mark.usefixtures("no_pictures")
SETTINGS = (
    "stages.epochs=2",
    "stages.learning_rate=3e-3",
    "data.global_batch=64",  # three steps an epoch
    "checkpoints.every=3",
    "log.every=1",
)
RUN, TRAINER, RESULTS = "wikiprep.tasks.finetune.run", "wikiprep.pretrain.trainer", "wikiprep.tasks.results"
# What is called as the process is killed, and at which of its calls.
POINTS: dict[str, tuple[str, str, int]] = {
    "before the data are read": (RUN, "prepare", 1),
    "before the folder is a run's": (RUN, "claim", 1),
    "as about is written": ("wikiprep.tasks.finetune.prepare", "write_about", 1),
    "within epoch 1": (TRAINER, "Trainer._train", 2),
    "while it is evaluated": ("wikiprep.tasks.finetune.validation", "scores_of", 1),
    "between weights and best.json": ("wikiprep.tasks.finetune.best", "sha256_of", 1),
    "between best and the first checkpoint": (TRAINER, "begin_saving", 1),
    "within a checkpoint": ("wikiprep.pretrain.checkpoint.save", "write_header", 1),
    "within epoch 2": (TRAINER, "Trainer._train", 5),
    "between the second best and its checkpoint": (TRAINER, "begin_saving", 2),
    "after the last epoch": (RUN, "_Runs._scored", 1),
    "between predictions and results": (RESULTS, "write_summary", 1),
}
SAME = ("predictions.dev.jsonl", "predictions.test.jsonl", "errors.test.jsonl", "predictions.test.official.txt")


def command(luke: Path, semeval: Path, output: Path, keep: str = "best") -> FinetuneCommand:
    settings = (*SETTINGS, f"task.keep={keep}")
    return FinetuneCommand(
        task="semeval2010", data=str(semeval), model=str(luke), output=str(output), settings=settings, quiet=True
    )


def killed_at(point: tuple[str, str, int], asked: FinetuneCommand) -> int:
    """The signal that ended the run."""
    sys.stdout.flush()
    child = os.fork()
    if child:
        return os.WTERMSIG(os.waitpid(child, 0)[1])
    try:
        _kill_at(*point)
        finetune(asked)
    finally:
        os._exit(1)  # it was to be killed


def _kill_at(module: str, name: str, call: int) -> None:
    owner: Any = sys.modules[module]
    *path, last = name.split(".")
    for part in path:
        owner = getattr(owner, part)
    before: Callable[..., Any] = getattr(owner, last)
    calls = 0

    def counted(*words: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == call:
            os.kill(os.getpid(), signal.SIGKILL)
        return before(*words, **more)

    setattr(owner, last, counted)


@pytest.fixture(scope="module")
def whole(luke: Path, semeval: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A run that nobody killed."""
    made: dict[str, Path] = {}

    def run_of(keep: str) -> Path:
        if keep not in made:
            made[keep] = tmp_path_factory.mktemp("whole") / keep
            finetune(command(luke, semeval, made[keep], keep))
        return made[keep]

    return run_of


@pytest.mark.parametrize(
    "point", [pytest.param(one, marks=[pytest.mark.slow] if one.startswith(("before", "as")) else []) for one in POINTS]
)
def test_it_comes_to_its_own_result(
    point: str, luke: Path, semeval: Path, whole: Callable[[str], Path], tmp_path: Path
) -> None:
    keep = "last" if "second best" in point else "best"
    asked = command(luke, semeval, tmp_path / "run", keep)
    expected = whole(keep)
    assert killed_at(POINTS[point], asked) == signal.SIGKILL
    assert not (tmp_path / "run/results.json").exists()
    (outcome,) = finetune(asked)
    for name in SAME:
        assert (tmp_path / "run" / name).read_bytes() == (expected / name).read_bytes(), name
    for name in ("best.json",):
        assert (tmp_path / "run/best" / name).read_bytes() == (expected / "best" / name).read_bytes()
    assert outcome.scores["test"].figures
    assert not list((tmp_path / "run").rglob(".model-*")) and not list((tmp_path / "run/best").glob("*.part"))
