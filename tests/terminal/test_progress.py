"""Displays: on terminals of every width, in logs, in old locales, and when nobody listens any more."""

import io
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from wikiprep.terminal.bar import Bar
from wikiprep.terminal.build_display import BuildDisplay
from wikiprep.terminal.screen import Lines, OneLine, Screen, screen_for
from wikiprep.terminal.streams import SafeStream
from wikiprep.units.observer import Observer
from wikiprep.units.unit import Result, Unit

TITLE = "Überlänge [bold]\u4e2d\u6587"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def unit(name: str) -> Unit:
    return Unit("extract", name, "f", "out", None, 10_000_000)


def play(observer: Observer, clock: Clock) -> None:
    """A stage in which one unit was done before, one stands still and one goes on."""
    with observer:
        observer.stage_started("extract", 3, 30_000_000)
        observer.unit_finished(unit("part-0"), Result("part-0"), skipped=True)
        observer.unit_started(unit("part-1"))
        observer.unit_started(unit("part-2"))
        observer.unit_progress(unit("part-1"), 5, 1_000_000, 1, TITLE)
        for i in range(1, 46):
            clock.now += 1
            observer.unit_progress(unit("part-2"), i, i * 100_000, 0, f"P{i}")
            observer.tick()
        observer.note("worker process 5 killed by SIGKILL; unit extract/part-1 is repeated")
        for name in ("part-1", "part-2"):
            observer.unit_finished(unit(name), Result(name), skipped=False)
        observer.stage_finished("extract")


def test_plain_lines() -> None:
    out, clock = io.StringIO(), Clock()
    play(BuildDisplay(Lines(SafeStream(out), clock), clock), clock)
    assert out.getvalue().splitlines() == [
        "extract: 40 %, 0:01:30 left: 15 pages, 12.0 of 30.0 MB, 0.20 MB/s, 1 reject, 1 of 3 units",
        "extract: 43 %, 0:01:53 left: 25 pages, 13.0 of 30.0 MB, 0.15 MB/s, 1 reject, 1 of 3 units",
        "extract: 47 %, 0:02:00 left: 35 pages, 14.0 of 30.0 MB, 0.13 MB/s, 1 reject, 1 of 3 units",
        f"extract: part-1 stands still: no news for 0:00:30, at '{TITLE}'",
        "extract: 50 %, 0:02:00 left: 45 pages, 15.0 of 30.0 MB, 0.12 MB/s, 1 reject, 1 of 3 units",
        f"extract: part-1 stands still: no news for 0:00:40, at '{TITLE}'",
        "worker process 5 killed by SIGKILL; unit extract/part-1 is repeated",
        "extract: 3 units (1 from an earlier run), 50 pages, 20.0 MB, 0.44 MB/s, 1 reject, in 0:00:45",
    ]


@pytest.mark.parametrize("columns", ["0", "1", "5", "20", "49", "50", "80", "300", "wide", ""])
@pytest.mark.parametrize("colour", [True, False])
def test_terminals_of_every_width(monkeypatch: pytest.MonkeyPatch, columns: str, colour: bool) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not colour:
        monkeypatch.setenv("NO_COLOR", "1")
    out, clock = Terminal(), Clock()
    play(BuildDisplay(Bar(SafeStream(out), clock), clock), clock)
    text = out.getvalue()
    assert text.endswith("\n")
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h") > 0  # the cursor is back
    assert bool(re.search(r"\x1b\[[0-9;]*3[0-9]m", text)) == colour
    if columns in ("80", "300"):
        plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
        assert "part-1 stands still: no news for 0:00:45" in plain
        assert "[bold]" in plain
        assert "extract: 3 units (1 from an earlier run), 50 pages, 20.0 MB, 0.44 MB/s, 1 reject, in 0:00:45" in plain


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8", "utf-16-le"])
@pytest.mark.parametrize("kind", [Lines, Bar])
def test_old_encodings(encoding: str, kind: type[Lines] | type[Bar], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=encoding, errors="strict", write_through=True)
    monkeypatch.setattr(out, "isatty", lambda: True, raising=False)
    clock = Clock()
    play(BuildDisplay(kind(SafeStream(out), clock), clock), clock)
    assert "stands still" in raw.getvalue().decode(encoding)


@pytest.mark.parametrize("kind", [Lines, Bar])
def test_reader_that_went_away(kind: type[Lines] | type[Bar]) -> None:
    class Broken(Terminal):
        def write(self, text: str) -> int:
            raise BrokenPipeError(32, "Broken pipe")

    clock = Clock()
    play(BuildDisplay(kind(SafeStream(Broken()), clock), clock), clock)
    closed = Terminal()
    closed.close()
    play(BuildDisplay(kind(SafeStream(closed), clock), clock), clock)


def test_which_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    assert type(screen_for(True, Terminal())) is Screen
    assert type(screen_for(False, io.StringIO())) is Lines
    assert type(screen_for(False, Terminal())) is Bar
    monkeypatch.setenv("TERM", "dumb")
    assert type(screen_for(False, Terminal())) is Lines
    monkeypatch.setenv("WIKIPREP_PROGRESS", "notebook")
    assert type(screen_for(False, Terminal())) is OneLine
    monkeypatch.setattr(sys, "stderr", None)
    assert type(screen_for(False)) is Screen


def test_silence() -> None:
    clock = Clock()
    play(BuildDisplay(Screen(clock), clock), clock)


BUILD = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from pool_work import run, units
from wikiprep.local.pool import Pool
from wikiprep.terminal.build_display import observer_for
from wikiprep.config import RunOptions
options = RunOptions(workers=2)
with observer_for(options) as observer, Pool(options) as pool:
    observer.stage_started("test", 3, 30)
    pool.run_units(units(Path(sys.argv[2]), "a", "sleep 0.6", "b"), run, observer)
    observer.stage_finished("test")
"""


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8"])
def test_a_build_in_a_log(tmp_path: Path, locale: str) -> None:
    found = subprocess.run(
        [sys.executable, "-c", BUILD, str(Path(__file__).parents[1] / "local"), str(tmp_path)],
        env={**os.environ, "LC_ALL": locale, "LANG": locale, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        check=True,
    )
    assert re.fullmatch(rb"test: 3 units, 9 pages, .*3 rejects, in 0:00:0\d\n", found.stderr)
    assert found.stdout == b""


def test_a_build_on_a_terminal(tmp_path: Path) -> None:
    mine, its = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", BUILD, str(Path(__file__).parents[1] / "local"), str(tmp_path)],
        env={**os.environ, "TERM": "xterm", "COLUMNS": "60", "PYTHONPATH": str(Path(__file__).parents[2])},
        stderr=its,
    )
    os.close(its)
    told = b""
    try:
        while piece := os.read(mine, 65536):
            told += piece
    except OSError:  # Linux says so when the other end is closed
        pass
    os.close(mine)
    assert process.wait() == 0
    assert b"3 units" in told
    assert told.count(b"\x1b[?25h") == told.count(b"\x1b[?25l") > 0
