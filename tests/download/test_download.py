"""Manners, interruption, room, locks, and the environment's proxies and certificates; and what a user sees."""

import errno
import os
import signal
import ssl
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from building import command
from click.testing import CliRunner
from conftest_download import Run, names_in
from dump_server import DumpServer, Handler, add_classic, add_export, add_wikidata, packed, stall, status

from wikiprep.cli.main import cli
from wikiprep.download import disk_space
from wikiprep.download import partial_file as parts
from wikiprep.download.cache import lock_folder
from wikiprep.download.client import user_agent
from wikiprep.errors import UsageError, WikiprepError

DATA = os.urandom(300_000)
EXPORT = "other/mediawiki_content_current/tinywiki/2026-11-01/xml/bzip2/tinywiki-2026-11-01"


@pytest.fixture
def export(server: DumpServer) -> DumpServer:
    """Six parts."""
    add_export(server, "tinywiki", "2026-11-01", {f"p{i}1p{i + 1}0": DATA[i:] for i in range(6)})
    return server


def cli_download(server: DumpServer, *words: str) -> Any:
    """As a user gives it, in this process."""
    return CliRunner().invoke(cli, ["download", "tinywiki", "--mirror", server.address, *words])


def test_at_most_two_connections(export: DumpServer, tmp_path: Path) -> None:
    """Idle ones too. Both are used: two requests wait for each other here."""
    both = []

    def meet(handler: Handler, path: str, data: bytes) -> bool:
        both.append(path)
        export.release.wait(10) if len(both) < 2 else export.release.set()
        return False

    for span in ("p01p10", "p11p20"):
        export.once(f"{EXPORT}-{span}.xml.bz2", meet)
    Run(tmp_path, [export.address])()
    assert len(both) == 2
    assert export.most_open == 2


def test_who_asks(export: DumpServer, tmp_path: Path) -> None:
    done = cli_download(export, "--output", str(tmp_path / "out"), "--contact", "me@example.org")
    assert done.exit_code == 0, done.output
    agents = {headers["User-Agent"] for _, _, headers in export.requests}
    assert agents == {user_agent("me@example.org")}
    assert agents.pop().startswith("wikiprep/")
    assert "no contact given" in user_agent(None)


@pytest.mark.parametrize("contact", ["a\nb", "x\r\nHost: y", "()", "ü", " "])
def test_a_contact_that_would_be_something_else(contact: str) -> None:
    with pytest.raises(UsageError, match="cannot be sent as a contact"):
        user_agent(contact)


def test_the_contact_may_stand_in_the_environment(export: DumpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIKIPREP_CONTACT", "https://example.org/me")
    assert cli_download(export, "--dry-run").exit_code == 0
    assert "contact: https://example.org/me" in export.requests[0][2]["User-Agent"]


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_ended_on_the_way_and_gone_on_with(export: DumpServer, tmp_path: Path, how: signal.Signals) -> None:
    name = f"{EXPORT}-p01p10.xml.bz2"
    export.once(name, stall(200_000))
    words = command("download", "tinywiki", "--mirror", export.address, "--output", tmp_path / "out")
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    whole, half = 5, tmp_path / "out" / ".download" / "tinywiki-2026-11-01-p01p10.xml.bz2.part"
    for _ in range(1200):
        done = len(list((tmp_path / "out").glob("*.bz2"))) if (tmp_path / "out").is_dir() else 0
        if done == whole and half.stat().st_size == 200_000:
            break
        time.sleep(0.05)
    child.send_signal(how)
    _, said = child.communicate(timeout=60)
    if how is signal.SIGKILL:
        assert child.returncode == -9
    else:
        assert child.returncode == 130
        assert "interrupted" in said and "Traceback" not in said
    assert half.stat().st_size == 200_000
    before = len(export.requests)
    done = cli_download(export, "--output", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    fetched = [(path, headers.get("Range")) for how, path, headers in export.requests[before:] if how == "GET"]
    assert [it for it in fetched if it[0].endswith(".bz2")] == [(name, "bytes=200000-")]
    assert (tmp_path / "out" / "tinywiki-2026-11-01-p01p10.xml.bz2").read_bytes() == DATA


def test_room_is_asked_first(export: DumpServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_space, "free_bytes", lambda folder: 65 << 20)
    with pytest.raises(WikiprepError, match=r"1\.8 MB are to be downloaded, and 68\.2 MB are free"):
        Run(tmp_path, [export.address])()
    assert not export.asked(".bz2")
    assert export.asked(".bz2", "HEAD")  # for sizes: SHA256SUMS says none


def test_a_disk_that_is_full_ends_it_and_keeps_what_there_is(
    export: DumpServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, room_for = os.pwrite, [500_000]

    def write(handle: int, data: Any, at: int) -> int:
        room_for[0] -= len(data)
        if room_for[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(handle, data, at)

    with monkeypatch.context() as patched:
        patched.setattr(parts.os, "pwrite", write)
        with pytest.raises(WikiprepError, match="No space left on device") as error:
            Run(tmp_path, [export.address])()
    assert "free some space and run the same command again" in error.value.hint
    assert sum(path.stat().st_size for path in tmp_path.rglob("*tinywiki*")) >= 300_000
    Run(tmp_path, [export.address])()
    assert len(names_in(tmp_path)) == 7


def test_two_downloads_into_one_folder(export: DumpServer, tmp_path: Path) -> None:
    with lock_folder(tmp_path), pytest.raises(WikiprepError, match=rf"another download \(process {os.getpid()}\)"):
        Run(tmp_path, [export.address])()


def test_a_file_that_fails_does_not_keep_the_others_away(export: DumpServer, tmp_path: Path) -> None:
    export.once(f"{EXPORT}-p01p10.xml.bz2", status(404))
    export.once(f"{EXPORT}-p11p20.xml.bz2", status(404))
    with pytest.raises(WikiprepError, match="and 1 more of 6 files failed"):
        Run(tmp_path, [export.address])()
    assert len(names_in(tmp_path)) == 4  # and no SHA256SUMS: it is not whole


def test_a_file_that_is_there_is_believed_by_its_sum_alone(export: DumpServer, tmp_path: Path) -> None:
    (tmp_path / "tinywiki-2026-11-01-p01p10.xml.bz2").write_bytes(DATA)  # fetched by other means
    (tmp_path / "tinywiki-2026-11-01-p11p20.xml.bz2").write_bytes(DATA)  # and not whole, or another
    run = Run(tmp_path, [export.address])
    run()
    assert not export.asked("p01p10.xml.bz2") and export.asked("p11p20.xml.bz2")
    assert (tmp_path / "tinywiki-2026-11-01-p11p20.xml.bz2").read_bytes() == DATA[1:]
    assert any("what is there is not as SHA256SUMS says" in line for line in run.lines)
    # Changed since it was checked: looked at again.
    (tmp_path / "tinywiki-2026-11-01-p01p10.xml.bz2").write_bytes(DATA[::-1])
    Run(tmp_path, [export.address])()
    assert (tmp_path / "tinywiki-2026-11-01-p01p10.xml.bz2").read_bytes() == DATA


def test_a_proxy_of_the_environment(
    export: DumpServer, other: DumpServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which gets whole addresses, of a host that only it knows."""
    other.files = {f"http://dumps.invalid/{path}": data for path, data in export.files.items()}
    monkeypatch.setenv("HTTP_PROXY", other.address)
    monkeypatch.setenv("http_proxy", other.address)
    Run(tmp_path, ["http://dumps.invalid"])(day="2026-11-01")
    assert len(names_in(tmp_path)) == 7
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    before = len(other.requests)
    Run(tmp_path / "direct", [export.address])()
    assert len(other.requests) == before


def test_a_proxy_that_does_not_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    with pytest.raises(WikiprepError, match="the proxy of HTTP_PROXY or HTTPS_PROXY does not answer"):
        Run(tmp_path, ["http://dumps.invalid"])()


def test_certificates_of_the_environment(export: DumpServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    words = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-days", "2"]
    words += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    try:
        subprocess.run(words, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no openssl here to make a certificate")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    export.socket = context.wrap_socket(export.socket, server_side=True)
    address = export.address.replace("http:", "https:")
    with pytest.raises(WikiprepError, match=r"its certificate is not accepted .*; SSL_CERT_FILE names a file"):
        Run(tmp_path / "out", [address])()
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    Run(tmp_path / "out", [address])()
    assert len(names_in(tmp_path / "out")) == 7


def test_a_dry_run_lists_and_fetches_nothing(export: DumpServer, tmp_path: Path) -> None:
    add_classic(export, "tinywiki", "20261101", {"pagepropstable": {"page_props.sql.gz": packed("x")}})
    add_wikidata(export, "20261102", "20261102", DATA)
    done = cli_download(export, "--with", "page-props,wikidata", "--dry-run", "--output", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0] == f"{EXPORT.rpartition('/')[0]}/ on {export.address}"
    assert "    300.0 kB  tinywiki-2026-11-01-p01p10.xml.bz2  (to download)" in lines
    assert "    300.0 kB  wikidata-20261102-all.json.bz2  (to download)" in lines
    assert f"      2.1 MB  to download into {tmp_path}/out, where" in done.stdout
    assert "      2.9 MB  a corpus of it takes beside that while it is made, about (an estimate" in done.stdout
    assert not (tmp_path / "out").exists()
    assert not export.asked(".bz2") and not export.asked(".gz")


def test_what_a_build_takes_of_it(export: DumpServer, tmp_path: Path) -> None:
    add_classic(export, "tinywiki", "20261101", {"pagepropstable": {"page_props.sql.gz": packed("x")}})
    done = cli_download(export, "--with", "page_props", "--cache", str(tmp_path / "c"), "--date", "20261101")
    assert done.exit_code == 0, done.output
    assert done.stdout == (
        f"To build a corpus of it:\n  wikiprep build-corpus {tmp_path}/c/tinywiki/2026-11-01 --page-props "
        f"{tmp_path}/c/tinywiki/20261101/tinywiki-20261101-page_props.sql.gz --output corpus --tokenizer train:50000\n"
    )
    assert names_in(tmp_path / "c" / "tinywiki" / "2026-11-01")[0] == "SHA256SUMS"
    assert "downloaded 1.8 MB in" in done.stderr


def test_a_folder_of_another_dump_is_refused(export: DumpServer, tmp_path: Path) -> None:
    (tmp_path / "enwiki-20261101-pages-articles.xml.bz2").touch()
    done = cli_download(export, "--output", str(tmp_path))
    assert isinstance(done.exception, UsageError)
    assert "give each dump a folder of its own" in done.exception.hint


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--date", "20261301"], "is no date"),
        (["--date", "yesterday"], "is no date"),
        (["--with", "pagelinks"], "there is no such file"),
        (["--mirror", "ftp://x/y"], "is no address of the web"),
        (["--output", "s3://x/y"], "is no folder"),
    ],
)
def test_what_cannot_be_is_said_before_anybody_is_asked(server: DumpServer, words: list[str], what: str) -> None:
    done = cli_download(server, *words)
    assert isinstance(done.exception, UsageError), done.output
    assert what in done.exception.what
    assert server.requests == []
