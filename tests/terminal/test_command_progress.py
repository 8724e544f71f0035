"""What a person sees of a command that is no build: nothing if it is short, else how far it is, in its own measure."""

import io
import re

import pytest

from wikiprep.config import RunOptions
from wikiprep.errors import UsageError
from wikiprep.progress import NO_PROGRESS, advance_over
from wikiprep.terminal import command_progress, screen
from wikiprep.terminal.build_display import BuildDisplay, observer_for
from wikiprep.terminal.command_progress import DisplayedProgress, show_progress
from wikiprep.terminal.screen import REWRITE_SECONDS, Lines, Mode, OneLine, RewrittenLine, mode_of
from wikiprep.terminal.streams import SafeStream
from wikiprep.units.unit import Unit
from wikiprep.verbosity import Verbosity, set_verbosity


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Kernel(io.StringIO):
    """As ipykernel's output stream."""

    __module__ = "ipykernel.iostream"


class Clock:
    """Each look takes half a second."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 0.5
        return self.now


def test_what_is_short_shows_nothing(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIKIPREP_PROGRESS", "notebook")
    with show_progress() as progress, progress.part("rows", 3, "row") as advance:
        assert list(advance_over("abc", advance)) == ["a", "b", "c"]
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("total", "measure", "state"),
    [(4000, "row", "of 4,000 rows"), (4_000_000, "bytes", "of 4.0 MB")],
)
def test_a_log_has_lines(total: int, measure: str, state: str) -> None:
    out, clock = io.StringIO(), Clock()
    progress = DisplayedProgress(BuildDisplay(Lines(SafeStream(out), clock), clock), ("first", "second"), clock)
    with progress.part("second", total, measure) as advance:
        for _ in range(20):
            advance(total // 20)
    lines = out.getvalue().splitlines()
    assert lines
    assert len(lines) < 10  # one in ten seconds
    for line in lines:
        assert line.startswith("second (2 of 2): ")
        assert " %, 0:00:" in line
        assert " left: " in line
        assert state in line
        assert "unit" not in line
        assert "/s" in line


def test_what_the_work_last_came_to_is_shown_beside_its_counts() -> None:
    out, clock = io.StringIO(), Clock()
    progress = DisplayedProgress(BuildDisplay(Lines(SafeStream(out), clock), clock), ("training", "export"), clock)
    with progress.part("training", 20, "epoch") as advance:
        for epoch in range(20):
            progress.latest(f"loss {1 / (epoch + 1):.4f}\r")
            advance(1)
    lines = out.getvalue().splitlines()
    assert lines
    for line in lines:
        done = int(line.split(" of 20 epochs")[0].split()[-1])
        assert line.endswith(f"/s, loss {1 / done:.4f}?")  # and no control character
    with progress.part("export", 4000) as advance:
        for _ in range(20):
            advance(200)
    assert "loss" not in "".join(out.getvalue().splitlines()[len(lines) :])  # of another part


def test_work_without_a_known_end_has_counts_alone() -> None:
    out, clock = io.StringIO(), Clock()
    progress = DisplayedProgress(BuildDisplay(Lines(SafeStream(out), clock), clock), (), clock)
    with progress.part("annotation", None, "line") as advance:
        for batch in range(40):
            progress.latest(f"{3 * batch} spans")
            advance(50)
    lines = out.getvalue().splitlines()
    assert lines
    for line in lines:
        assert re.fullmatch(r"annotation: [\d,]+ lines, \d+/s, \d+ spans", line), line


def test_a_notebook_has_one_line_that_is_taken_away() -> None:
    out, clock = io.StringIO(), Clock()
    with DisplayedProgress(BuildDisplay(OneLine(SafeStream(out), clock), clock), (), clock).part(
        "links", 100, "page"
    ) as advance:
        for _ in range(50):
            advance(2)
    text = out.getvalue()
    assert "\n" not in text
    assert "\x1b" not in text
    states = [state.strip() for state in text.split("\r") if state.strip()]
    assert len(states) > 2
    assert all(state.startswith("links: ") and "of 100 pages" in state for state in states)
    assert text.endswith(" \r")


def test_quiet_and_output_on_the_terminal_show_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wikiprep.verbosity._level", Verbosity.NORMAL)  # a command of a test before may have said -q
    monkeypatch.setattr(command_progress, "_FIRST", 0.0)
    monkeypatch.setattr(command_progress, "_SECONDS", 0.0)
    monkeypatch.setattr(screen, "REWRITE_SECONDS", 0.0)
    monkeypatch.setenv("WIKIPREP_PROGRESS", "notebook")
    with show_progress() as progress, progress.part("links", 9, "page") as advance:
        advance(1)
    assert "1 of 9 pages" in capsys.readouterr().err
    try:
        set_verbosity(Verbosity.QUIET)
        with show_progress() as progress, progress.part("links", 9, "page") as advance:
            for _ in range(9):
                advance(1)
    finally:
        set_verbosity(Verbosity.NORMAL)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stdout", Terminal())
    with show_progress(target="-") as progress:
        assert progress is NO_PROGRESS
    with show_progress(target="file") as progress:
        assert progress is not NO_PROGRESS


@pytest.mark.parametrize(
    ("stream", "environment", "mode"),
    [
        (Terminal, {"TERM": "xterm"}, Mode.BAR),
        (Terminal, {"TERM": "dumb"}, Mode.LINES),
        (Terminal, {"TERM": "xterm-color", "JPY_PARENT_PID": "5"}, Mode.NOTEBOOK),  # !wikiprep in a cell
        (io.StringIO, {"TERM": "xterm-color", "JPY_PARENT_PID": "5"}, Mode.LINES),  # %%bash, or 2>log
        (Kernel, {}, Mode.NOTEBOOK),  # wikiprep.build in a cell
        (io.StringIO, {}, Mode.LINES),
        (io.StringIO, {"WIKIPREP_PROGRESS": "auto"}, Mode.LINES),
        (io.StringIO, {"WIKIPREP_PROGRESS": "bar"}, Mode.BAR),
        (Kernel, {"WIKIPREP_PROGRESS": "none"}, Mode.NONE),
    ],
)
def test_modes(stream: type[io.StringIO], environment: dict[str, str], mode: Mode) -> None:
    assert mode_of(SafeStream(stream()), environment) is mode


def test_a_mode_that_is_none_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"did you mean 'lines'\? ways are auto, bar, notebook, lines, none"):
        mode_of(SafeStream(io.StringIO()), {"WIKIPREP_PROGRESS": "line"})


def test_none_still_tells_what_must_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIKIPREP_PROGRESS", "none")
    out = io.StringIO()
    with observer_for(RunOptions(), out) as observer:
        observer.stage_started("extract", 1, 10)
        observer.tick()
        observer.note("a worker died")
        observer.stage_finished("extract")
    assert out.getvalue() == "a worker died\n"


def test_a_build_in_a_notebook_writes_over_its_line() -> None:
    out, now = io.StringIO(), [0.0]
    unit = Unit("extract", "part-0", "", "", None, 10_000_000)
    with BuildDisplay(OneLine(SafeStream(out), lambda: now[0]), lambda: now[0]) as observer:
        observer.stage_started("listed", 1, 10_000_000, ("listed", "wikidata"))
        observer.unit_started(unit)
        for pages in (1, 2):
            now[0] += REWRITE_SECONDS
            observer.unit_progress(unit, pages, pages * 1_000_000, 0, "Io")
            observer.tick()
            observer.tick()  # too early
        observer.note("a worker died")
        now[0] += REWRITE_SECONDS
        observer.tick()
    first = "\rlisted (1 of 2): 10 %, 0:00:18 left: 1 page, 1.0 of 10.0 MB, 0.50 MB/s, 0 of 1 unit"
    second = "\rlisted (1 of 2): 20 %, 0:00:16 left: 2 pages, 2.0 of 10.0 MB, 0.50 MB/s, 0 of 1 unit"
    third = "\rlisted (1 of 2): 20 %, 0:00:24 left: 2 pages, 2.0 of 10.0 MB, 0.33 MB/s, 0 of 1 unit"
    gone = f"\r{' ' * (len(second) - 1)}\r"
    assert out.getvalue().split("\n") == [f"{first}{second}{gone}a worker died", third + gone]


def test_a_shorter_state_covers_a_longer_one() -> None:
    out = io.StringIO()
    line = RewrittenLine(SafeStream(out))
    line.write("twelve\nletters")
    line.write("six")
    assert out.getvalue() == "\rtwelve letters\rsix           "
