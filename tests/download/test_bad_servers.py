"""Servers that lie, cut, stall, change and redirect: nothing wrong gets a name, and a line says what happened."""

import hashlib
import os
from pathlib import Path
from typing import Any

import pytest
from conftest_download import Run, names_in
from dump_server import (
    DumpServer,
    Trick,
    add_classic,
    add_export,
    cut,
    hang_up,
    instead,
    page,
    stall,
    status,
    then,
    without_length,
)

from wikiprep.errors import WikiprepError

DATA = os.urandom(300_000)
NAME = "tinywiki-20261101-pages-articles.xml.bz2"
PATH = f"tinywiki/20261101/{NAME}"
SUMS = "tinywiki-20261101-sha1sums.txt"


@pytest.fixture
def classic(server: DumpServer) -> DumpServer:
    """A classic dump of one file: its status says size, md5 and sha1."""
    add_classic(server, "tinywiki", "20261101", {"articlesdump": {"pages-articles.xml.bz2": DATA}})
    return server


def download(folder: Path, *servers: DumpServer, **manners: Any) -> Run:
    """Into `folder`."""
    run = Run(folder, [server.address for server in servers], **manners)
    run()
    return run


def fails(folder: Path, *servers: DumpServer, **manners: Any) -> tuple[str, Run]:
    """The message of a download that must leave no file of that name."""
    run = Run(folder, [server.address for server in servers], **manners)
    with pytest.raises(WikiprepError) as error:
        run()
    assert not (folder / NAME).exists()
    assert "the same command goes on" in error.value.hint
    return error.value.what, run


def test_whole(classic: DumpServer, tmp_path: Path) -> None:
    download(tmp_path, classic)
    assert (tmp_path / NAME).read_bytes() == DATA
    assert names_in(tmp_path) == [NAME, SUMS]
    assert (tmp_path / SUMS).read_text() == f"{hashlib.sha1(DATA).hexdigest()}  {NAME}\n"
    assert list((tmp_path / ".download").glob("*.part")) == []
    # What is there is not fetched again, nor hashed.
    before = len(classic.requests)
    download(tmp_path, classic)
    assert [path for _, path, _ in classic.requests[before:] if path == PATH] == []


def test_a_cut_is_gone_on_with(classic: DumpServer, tmp_path: Path) -> None:
    classic.once(PATH, cut(100_000))
    run = download(tmp_path, classic)
    assert (tmp_path / NAME).read_bytes() == DATA
    first, second = classic.asked(NAME)
    assert "Range" not in first
    assert second["Range"] == "bytes=100000-"
    assert second["If-Range"] == f'"{hashlib.md5(DATA).hexdigest()[:8]}"'
    assert any("cut" in line for line in run.lines), run.lines
    assert len(run.pauses) == 1


def test_a_cut_file_without_a_length_is_no_whole_one(classic: DumpServer, tmp_path: Path) -> None:
    classic.once(PATH, without_length(100_000))
    run = download(tmp_path, classic)
    assert (tmp_path / NAME).read_bytes() == DATA
    assert f"{NAME}: was cut after 100,000 of 300,000 bytes; asked again in 0:00:00" in run.lines


def test_a_stall_is_ended_and_gone_on_with(classic: DumpServer, tmp_path: Path) -> None:
    classic.once(PATH, stall(70_000))
    run = download(tmp_path, classic, timeout=0.3)
    assert (tmp_path / NAME).read_bytes() == DATA
    assert classic.asked(NAME)[1]["Range"] == "bytes=70000-"
    assert f"{NAME}: stalled: no byte in 0.3 s; asked again in 0:00:00" in run.lines


def test_a_server_that_always_cuts_is_given_up_and_keeps_what_came(classic: DumpServer, tmp_path: Path) -> None:
    classic.once(PATH, cut(100_000), *[hang_up] * 9)
    what, run = fails(tmp_path, classic)
    assert "in a row" in what
    assert run.pauses == sorted(run.pauses)
    assert len(run.pauses) == 3 and run.pauses[-1] > run.pauses[0]  # growing


@pytest.mark.parametrize("length", [b"more than that" + DATA, DATA[:-1]], ids=["longer", "shorter"])
def test_another_length_than_the_status_says(classic: DumpServer, tmp_path: Path, length: bytes) -> None:
    classic.files[PATH] = length
    what, _ = fails(tmp_path, classic)
    assert f"says that it has {len(length):,} bytes, dumpstatus.json says 300,000" in what


def test_more_bytes_than_there_are(classic: DumpServer, tmp_path: Path) -> None:
    classic.files[PATH] = DATA + b"more"
    classic.once(PATH, *[without_length()] * 9)
    what, _ = fails(tmp_path, classic)
    assert "sends more than the 300,000 bytes" in what


def test_two_lengths_at_once(classic: DumpServer, tmp_path: Path) -> None:
    classic.once(PATH, instead(b"", Content_Length="5"))
    assert "cannot be asked (Content-Length contained" in fails(tmp_path, classic)[0]


def test_wrong_bytes_of_the_right_length(classic: DumpServer, tmp_path: Path) -> None:
    classic.files[PATH] = wrong = DATA[:-1] + b"x"
    what, _ = fails(tmp_path, classic)
    assert hashlib.sha1(wrong).hexdigest() in what and hashlib.sha1(DATA).hexdigest() in what
    assert len(classic.asked(NAME)) == 1  # in one piece: again would be the same
    assert (tmp_path / ".download" / f"{NAME}.part").stat().st_size == 0


def test_md5_is_compared_too(server: DumpServer, tmp_path: Path) -> None:
    add_classic(server, "tinywiki", "20261101", {"articlesdump": {"pages-articles.xml.bz2": DATA}})
    text = server.files["tinywiki/20261101/dumpstatus.json"].decode()
    server.files["tinywiki/20261101/dumpstatus.json"] = text.replace(hashlib.md5(DATA).hexdigest(), "0" * 32).encode()
    what, _ = fails(tmp_path, server)
    assert "its md5 is" in what


def test_a_file_that_changes_in_mid_way_is_begun_anew(classic: DumpServer, tmp_path: Path) -> None:
    """The status is of the new file; the first bytes came of the old one."""
    old = os.urandom(300_000)

    def old_one(handler: Any, path: str, data: bytes) -> bool:
        return cut(100_000)(handler, path, old)

    classic.once(PATH, old_one)
    run = download(tmp_path, classic)
    assert (tmp_path / NAME).read_bytes() == DATA
    assert f"{NAME}: was changed on the server; it is fetched from its beginning" in run.lines


def test_a_server_that_ignores_if_range(classic: DumpServer, tmp_path: Path) -> None:
    """It sends the rest of the new file, with another ETag."""
    old = os.urandom(300_000)

    def old_one(handler: Any, path: str, data: bytes) -> bool:
        return cut(100_000)(handler, path, old)

    def rest(handler: Any, path: str, data: bytes) -> bool:
        del handler.headers["If-Range"]
        handler.send(path, data)
        return True

    classic.once(PATH, old_one, rest)
    run = download(tmp_path, classic)
    assert (tmp_path / NAME).read_bytes() == DATA
    assert any("was changed on the server" in line for line in run.lines)


def test_a_mixture_that_nobody_tells_of_is_fetched_once_more(classic: DumpServer, tmp_path: Path) -> None:
    """Two versions under one ETag: the sum tells, and a whole answer mends it."""
    classic.etags[PATH] = '"same"'
    old = os.urandom(300_000)

    def old_one(handler: Any, path: str, data: bytes) -> bool:
        handler.head(200, {"Content-Length": "300000", "ETag": '"same"'})
        handler.wfile.write(old[:100_000])
        handler.close_connection = True
        return True

    classic.once(PATH, old_one)
    run = download(tmp_path, classic)
    assert (tmp_path / NAME).read_bytes() == DATA
    assert any("it is fetched anew" in line for line in run.lines)


def test_a_server_without_ranges(classic: DumpServer, tmp_path: Path) -> None:
    classic.ranges = False
    classic.once(PATH, cut(100_000))
    download(tmp_path, classic)
    assert (tmp_path / NAME).read_bytes() == DATA


def test_another_range_than_was_asked_for(classic: DumpServer, tmp_path: Path) -> None:
    def other(handler: Any, path: str, data: bytes) -> bool:
        handler.head(206, {"Content-Range": f"bytes 50000-{len(data) - 1}/{len(data)}", "Content-Length": "250000"})
        handler.wfile.write(data[50_000:])
        return True

    classic.once(PATH, cut(100_000), other)
    run = download(tmp_path, classic)
    assert (tmp_path / NAME).read_bytes() == DATA
    assert any("another range" in line for line in run.lines)


@pytest.mark.parametrize("name", [PATH, "tinywiki/20261101/dumpstatus.json"])
def test_a_web_page_in_its_place(classic: DumpServer, tmp_path: Path, name: str) -> None:
    classic.once(name, *[page()] * 9)
    run = Run(tmp_path, [classic.address])
    with pytest.raises(WikiprepError, match=r"sends a web page \(\"Log in to the hotel\"\) in "):
        run()
    assert not (tmp_path / NAME).exists()


def test_a_web_page_costs_nothing_of_what_is_there(classic: DumpServer, tmp_path: Path) -> None:
    classic.once(PATH, cut(100_000), page())
    fails(tmp_path, classic)
    download(tmp_path, classic)
    assert classic.asked(NAME)[-1]["Range"] == "bytes=100000-"


@pytest.mark.parametrize("code", [429, 503])
def test_a_busy_server_is_left_alone_as_long_as_it_asks(classic: DumpServer, tmp_path: Path, code: int) -> None:
    classic.once(PATH, status(code, Retry_After="7"), status(code, Retry_After="nonsense"), status(code))
    run = download(tmp_path, classic)
    assert (tmp_path / NAME).read_bytes() == DATA
    assert max(run.pauses) == pytest.approx(7, abs=0.5)
    assert any(f"says {code}" in line and "(busy); asked again in 0:00:07" in line for line in run.lines)


def test_a_status_file_is_waited_for_too(classic: DumpServer, tmp_path: Path) -> None:
    classic.once("tinywiki/20261101/dumpstatus.json", status(429, Retry_After="3"))
    run = download(tmp_path, classic)
    assert max(run.pauses) == pytest.approx(3, abs=0.5)


def test_a_server_that_asks_for_hours_is_not_waited_for(classic: DumpServer, tmp_path: Path) -> None:
    classic.once(PATH, status(503, Retry_After="86400"))
    what, _ = fails(tmp_path, classic)
    assert "asks to wait 24:00:00" in what


@pytest.mark.parametrize(("code", "word"), [(403, "--contact"), (404, "says 404"), (401, "says 401")])
def test_a_refusal_is_not_repeated(classic: DumpServer, tmp_path: Path, code: int, word: str) -> None:
    classic.once(PATH, *[status(code)] * 9)
    what, run = fails(tmp_path, classic)
    assert word in what and len(classic.asked(NAME)) == 1 and run.pauses == []


def to(address: str) -> Trick:
    """A redirect."""

    def trick(handler: Any, path: str, data: bytes) -> bool:
        handler.page("<html>moved</html>", 302, Location=address)
        return True

    return trick


def test_a_redirect_to_another_host_is_told_and_checked(classic: DumpServer, other: DumpServer, tmp_path: Path) -> None:
    other.files["elsewhere"] = DATA
    classic.once(PATH, to(f"{other.address}/elsewhere"))
    run = download(tmp_path, classic)
    assert (tmp_path / NAME).read_bytes() == DATA
    assert any(f"redirects to {other.address.removeprefix('http://')}" in line for line in run.lines)


def test_wrong_bytes_of_another_host(classic: DumpServer, other: DumpServer, tmp_path: Path) -> None:
    other.files["elsewhere"] = DATA[::-1]
    classic.once(PATH, to(f"{other.address}/elsewhere"))
    assert "sends another file" in fails(tmp_path, classic)[0]


@pytest.mark.parametrize("target", ["ftp://x/y", "file:///etc/passwd"])
def test_a_redirect_out_of_the_web(classic: DumpServer, tmp_path: Path, target: str) -> None:
    classic.once(PATH, to(target))
    assert "no address of the web" in fails(tmp_path, classic)[0]


def test_a_redirect_in_a_circle(classic: DumpServer, tmp_path: Path) -> None:
    classic.once(PATH, *[to(f"/{PATH}")] * 20)
    assert "redirects more than 5 times" in fails(tmp_path, classic)[0]


def test_a_status_file_comes_from_no_other_host(classic: DumpServer, other: DumpServer, tmp_path: Path) -> None:
    """What files are compared with must come from the server that was named."""
    add_classic(other, "tinywiki", "20261101", {"articlesdump": {"pages-articles.xml.bz2": b"other"}})
    name = "tinywiki/20261101/dumpstatus.json"
    classic.once(name, to(f"{other.address}/{name}"))
    run = Run(tmp_path, [classic.address])
    with pytest.raises(WikiprepError, match="redirects to another host"):
        run()
    assert other.requests == []


def test_mirrors_are_asked_in_turn(classic: DumpServer, other: DumpServer, tmp_path: Path) -> None:
    other.files |= classic.files
    classic.once(PATH, cut(100_000), status(404))
    run = download(tmp_path, classic, other)
    assert (tmp_path / NAME).read_bytes() == DATA
    assert other.asked(NAME)[0]["Range"] == "bytes=100000-"  # what came from the first is kept; sums decide
    assert any("says 404" in line and "the next server is asked" in line for line in run.lines)


def test_each_server_is_named_where_none_gives_it(classic: DumpServer, other: DumpServer, tmp_path: Path) -> None:
    other.files |= classic.files
    classic.once(PATH, status(404))
    other.once(PATH, page())
    what, _ = fails(tmp_path, classic, other)
    assert all(it.address.removeprefix("http://") in what for it in (classic, other))


def test_a_mirror_that_is_not_there(classic: DumpServer, tmp_path: Path) -> None:
    run = Run(tmp_path, ["http://127.0.0.1:9", classic.address])
    run()
    assert (tmp_path / NAME).read_bytes() == DATA
    assert any("http://127.0.0.1:9 cannot be reached (" in line for line in run.lines), run.lines


def test_a_file_that_is_replaced_while_it_comes(server: DumpServer, tmp_path: Path) -> None:
    """Of exports only checksums are known; the server's new file is not what the list says."""
    part = "other/mediawiki_content_current/tinywiki/2026-11-01/xml/bzip2/tinywiki-2026-11-01-p1p9.xml.bz2"
    add_export(server, "tinywiki", "2026-11-01", {"p1p9": DATA})
    server.once(part, then(lambda: server.files.update({part: DATA[::-1]}), cut(100_000)))
    run = Run(tmp_path, [server.address])
    with pytest.raises(WikiprepError, match=r"its sha256 is .*, SHA256SUMS says "):
        run()
    assert names_in(tmp_path) == []
