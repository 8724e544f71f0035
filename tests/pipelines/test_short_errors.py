import io
import sys

import pytest

from wikiprep.pipelines.failures import pack_failure, quiet


def said(monkeypatch: pytest.MonkeyPatch, *texts: str) -> str:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    quiet()
    quiet()
    for text in texts:
        print(text, file=sys.stderr)
    monkeypatch.undo()
    return stream.getvalue()


def test_what_the_driver_tells_is_not_told_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = f"Traceback (most recent call last):\n  …\n{pack_failure(ValueError('x'), 'links/part-00001')}\n"
    beams = 'Traceback (most recent call last):\n  File "/x/apache_beam/runners/worker/sdk_worker.py"\nKeyError: 1'
    assert said(monkeypatch, ours, "a line", beams, "", "wikiprep: the reason") == "a line\n\nwikiprep: the reason\n"


def test_another_traceback_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'Traceback (most recent call last):\n  File "/x/wikiprep/files.py"\nKeyError: 1'
    assert said(monkeypatch, text) == f"{text}\n"


def test_all_is_said_where_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIKIPREP_TRACEBACK", "1")
    text = str(pack_failure(ValueError("x"), "links/part-00001"))
    assert said(monkeypatch, text) == f"{text}\n"
