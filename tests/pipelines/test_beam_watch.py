import threading
import time
from pathlib import Path

import pytest

from wikiprep.files import Store
from wikiprep.pipelines import watch
from wikiprep.pipelines.watch import OutputWatch
from wikiprep.terminal.build_display import BuildDisplay
from wikiprep.terminal.screen import Screen


@pytest.mark.parametrize(
    ("code", "hint"), [("127", "import apache_beam"), ("1", "import apache_beam"), ("-9", "out-of-memory")]
)
def test_a_worker_process_that_ends_by_itself_ends_the_wait(
    code: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(watch, "GRACE_SECONDS", 0.1)

    def worker() -> None:
        raise RuntimeError(f"Worker subprocess exited with return code {code}")

    with OutputWatch(Store(str(tmp_path)), "witness", BuildDisplay(Screen()), "FnApiRunner", 60) as made:
        thread = threading.Thread(target=worker)
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            time.sleep(30)
        thread.join()
    assert made.error is not None
    assert f"return code {code}" in made.error.what
    assert hint in made.error.hint


def test_after_an_interrupt_the_runners_threads_say_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def worker() -> None:
        raise RuntimeError("Stream removed (Socket closed)")

    monkeypatch.setattr(threading, "excepthook", threading.__excepthook__)
    with (
        pytest.raises(KeyboardInterrupt),
        OutputWatch(Store(str(tmp_path)), "witness", BuildDisplay(Screen()), "PrismRunner", 60),
    ):
        raise KeyboardInterrupt
    thread = threading.Thread(target=worker)
    thread.start()
    thread.join()
    assert capsys.readouterr().err == ""


def test_a_worker_that_was_told_to_end_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "POLL_SECONDS", 0.05)
    monkeypatch.setattr(watch, "GRACE_SECONDS", 0.1)

    def worker() -> None:
        raise RuntimeError("Worker subprocess exited with return code -15")

    with OutputWatch(Store(str(tmp_path)), "witness", BuildDisplay(Screen()), "FnApiRunner", 60) as made:
        thread = threading.Thread(target=worker)
        thread.start()
        thread.join()
        time.sleep(0.5)
    assert made.error is None
