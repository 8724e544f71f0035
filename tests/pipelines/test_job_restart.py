"""A job whose engine lost processes begins again, as often as asked; other errors end it."""

import pickle

import pytest

from wikiprep.config import Config, RunOptions
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.units.job import Job

pytest.importorskip("apache_beam", reason="apache-beam is not installed: pip install '.[beam]'")

from wikiprep.pipelines.failures import MARK, WorkersLost, as_workers_lost, unpack_failure
from wikiprep.pipelines.job_restart import Attempt, go_on

LOST = WorkersLost("PrismRunner: worker lost", "look for an out-of-memory killer")


def attempt(retries: int) -> Attempt:
    return Attempt("PrismRunner", (), Job(output="out", config=Config()), RunOptions(retries=retries), "luke")


def play(retries: int, ends: list[WikiprepError | None], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What is said while the other attempts end like this. Raises as `go_on`."""
    left = iter(ends)
    go_on(LOST, attempt(retries), lambda _: next(left))
    return capsys.readouterr().err.splitlines()


def test_it_goes_on_until_it_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    again = WorkersLost("PrismRunner: Socket closed")
    assert play(3, [again, None], capsys) == [
        "wikiprep: PrismRunner: worker lost; begins again on what is missing (1 of 3)",
        "wikiprep: PrismRunner: Socket closed; begins again on what is missing (2 of 3)",
    ]


@pytest.mark.parametrize("retries", [0, 1, 2])
def test_in_the_end_it_is_an_error(retries: int, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(WorkersLost, match="worker lost"):
        play(retries, [LOST] * retries, capsys)


def test_another_error_is_not_tried_again(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match="page 7"):
        play(2, [UsageError("page 7 is damaged")], capsys)


def test_an_attempt_and_its_error_go_to_another_process() -> None:
    made = attempt(2)
    assert pickle.loads(pickle.dumps(made)) == made
    error = pickle.loads(pickle.dumps(LOST))
    assert (type(error), error.what, error.hint) == (WorkersLost, LOST.what, LOST.hint)


def test_what_engines_say_of_lost_processes() -> None:
    for text in ("Channel closed prematurely.", "worker lost: 3", 'details = "Socket closed"'):
        assert isinstance(as_workers_lost(unpack_failure(text, "R"), text), WorkersLost)
    for text in ("No module named 'wikiprep'", f"a unit failed {MARK}, worker lost"):
        assert not isinstance(as_workers_lost(WikiprepError("x"), text), WorkersLost)
