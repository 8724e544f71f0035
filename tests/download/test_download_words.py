"""Names, dates, pauses, listings, bytes: what needs no server."""

import io
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.download.cache import cache_folder
from wikiprep.download.dates import as_day, compact, days, nearest
from wikiprep.download.host_pauses import LONGEST, pause, retry_after_seconds
from wikiprep.download.meter import Meter, MeterState
from wikiprep.download.server import names_in
from wikiprep.download.wiki_names import is_wiki_name, near_names, require_wiki
from wikiprep.errors import UsageError
from wikiprep.terminal.screen import Lines, screen_for
from wikiprep.terminal.streams import SafeStream
from wikiprep.terminal.wording import amount, share


@pytest.mark.parametrize("name", ["simplewiki", "enwiki", "zh_yuewiki", "frwiktionary", "commonswiki", "be_x_oldwiki"])
def test_names_of_wikis(name: str) -> None:
    assert require_wiki(name) == name


@pytest.mark.parametrize("name", ["en", "EnWiki", "dump.xml", "a/enwiki", "enwiki-20261101", "wiki.", "", "enwiki/"])
def test_names_of_none(name: str) -> None:
    assert not is_wiki_name(name)
    with pytest.raises(UsageError, match="is no name of a wiki"):
        require_wiki(name)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("en", "enwiki?"), ("simple", "simplewiki?"), ("zh-yue", "zh_yuewiki"), ("simpelwiki", "simplewiki")],
)
def test_what_was_meant(typed: str, meant: str) -> None:
    assert meant in near_names(typed)


def test_days_of_the_calendar() -> None:
    assert days(["20261101", "latest", "2026-10-01", "20261301", "..", "20260231"]) == ["2026-11-01", "2026-10-01"]
    assert as_day("2026-1101") is None and compact("2026-11-01") == "20261101"
    there = ["2026-10-27", "2026-11-03", "2026-10-30"]
    assert nearest("2026-11-01", there) == ["2026-11-03", "2026-10-30", "2026-10-27"]


def test_pauses_grow_to_a_limit() -> None:
    assert [pause(i, 2.0) for i in (1, 2, 3)] == [2, 4, 8]
    assert pause(10_000, 2.0) == LONGEST


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120),
        (" 5 ", 5),
        ("Sun, 29 Nov 2026 12:00:30 GMT", 30),
        ("Sun, 29 Nov 2026 11:00:00 GMT", 0),
        ("soon", 0),
        ("-3", 0),
        ("1" * 400, 0),
        (None, 0),
    ],
)
def test_retry_after(header: str | None, seconds: float) -> None:
    assert retry_after_seconds(header, datetime(2026, 11, 29, 12, tzinfo=UTC)) == seconds


@given(st.text())
def test_any_header_gives_a_number(text: str) -> None:
    assert retry_after_seconds(text) >= 0


def test_listings_of_nginx_and_apache() -> None:
    nginx = b'<h1>Index of /x/</h1><pre><a href="../">../</a>\n<a href="20261101/">20261101/</a>  01-Nov-2026 -\n'
    apache = b'<a href="?C=N;O=D">Name</a> <A HREF="/dumps/x/20261020/">20261020/</A><a href="a%2Bb.txt">a+b.txt</a>'
    assert names_in(nginx) == ["..", "20261101"]
    assert names_in(apache) == ["20261020", "a+b.txt"]


@given(st.binary(max_size=300))
def test_any_page_is_a_listing(page: bytes) -> None:
    assert all("/" not in name.rstrip("/") or name for name in names_in(page))


def test_bytes_for_people() -> None:
    assert [amount(n) for n in (0, 999, 1000, 46_400_000_000)] == ["0 bytes", "999 bytes", "1.0 kB", "46.4 GB"]
    assert share(12_300_000_000, 46_400_000_000) == "12.3 of 46.4 GB"


class Clock:
    """Time as told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_speed_is_of_new_bytes_and_of_late() -> None:
    clock = Clock()
    meter = Meter({"a": 1000_000_000, "b": None}, {"a": 400_000_000}, clock)
    assert (meter.done, meter.total, meter.rate) == (400_000_000, 1000_000_000, 0)
    for second in range(1, 101):
        clock.now = float(second)
        meter.at("a", 400_000_000 + second * (1_000_000 if second <= 50 else 2_000_000))
    assert meter.rate == pytest.approx(2_000_000, rel=0.05)
    assert meter.line() == "60 %, 0.6 of 1.0 GB, 2.0 MB/s, 0:03:20 left, 0 of 2 files, 1 of them of unknown size"
    meter.whole("b", 5)
    meter.at("a", 0)  # begun anew: never fewer bytes than nothing were fetched
    assert meter.fetched == 200_000_000
    assert meter.last_line() == "downloaded 200.0 MB in 0:01:40, 2.0 MB/s; 1 file"


class Terminal(io.StringIO):
    """One that is drawn on."""

    def isatty(self) -> bool:
        return True


def test_displays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    drawn = Terminal()
    bar = screen_for(False, drawn)
    state = MeterState(Meter({"a": 1000}, {"a": 400}))
    bar.begin(state)
    bar.note("a line with [markup] and \x1b[31m")
    bar.show(state)
    bar.clear()
    assert "40 %, 0.4 of 1.0 kB" in drawn.getvalue()
    assert "a line with [markup] and ?[31m" in drawn.getvalue()
    log = io.StringIO()
    lines = Lines(SafeStream(log))
    lines.begin(state)
    lines.note("one")
    lines.tick(state)  # too early for a line
    lines.show(state)
    assert log.getvalue() == "one\ndownload: 40 %, 0.4 of 1.0 kB, 0 of 1 file\n"


def test_displays_elsewhere_than_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    state = MeterState(Meter({"a": 1000}, {"a": 400}))
    shown = {}
    for mode in ("notebook", "none"):
        monkeypatch.setenv("WIKIPREP_PROGRESS", mode)
        log = io.StringIO()
        display = screen_for(False, log)
        display.begin(state)
        display.tick(state)
        display.note("a mirror does not answer")
        display.clear()
        shown[mode] = log.getvalue()
    line = "\rdownload: 40 %, 0.4 of 1.0 kB, 0 of 1 file"
    assert shown["notebook"] == f"{line}\r{' ' * (len(line) - 1)}\ra mirror does not answer\n"
    assert shown["none"] == "a mirror does not answer\n"


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert cache_folder("here") == Path("here")
    assert cache_folder() == tmp_path / "cache"  # WIKIPREP_CACHE
    monkeypatch.delenv("WIKIPREP_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    assert cache_folder() == Path("/x/wikiprep/dumps")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache_folder() == Path.home() / ".cache/wikiprep/dumps"
