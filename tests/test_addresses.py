"""Addresses of the web: every command says how to download what stands there, and leaves nothing behind."""

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wikiprep.addresses import download_hint, is_web, open_filesystem
from wikiprep.cli.main import cli
from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.source import is_file, open_bytes
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.sample import wikidata_path
from wikiprep.textlines import read_lines

DUMPS = "https://dumps.wikimedia.org"
FILE = f"{DUMPS}/enwiki/20261101/enwiki-20261101-pages-articles-multistream.xml.bz2"
EXPORT = f"{DUMPS}/other/mediawiki_content_current/enwiki/2026-11-01/xml/bzip2"
HERE = "?endpoint_override=127.0.0.1:1&scheme=http&region=us-east-1"  # then pyarrow asks nobody for the bucket's region


def commands(address: str) -> list[list[str]]:
    """The shell commands of the hint, as words."""
    return [shlex.split(line) for line in download_hint(address).split("\n") if line.startswith("    ")]


def test_a_file_is_fetched_by_its_name() -> None:
    name = FILE.rpartition("/")[2]
    assert commands(FILE) == [["wget", "-c", FILE], ["curl", "-L", "-C", "-", "-o", name, FILE]]
    assert download_hint(FILE).endswith(f"then give {name}")


def test_names_are_quoted_for_the_shell() -> None:
    assert commands("http://x/a b&c.xml")[0] == ["wget", "-c", "http://x/a b&c.xml"]


@pytest.mark.parametrize(
    ("address", "folder", "pattern", "where"),
    [
        (f"{EXPORT}/", "2026-11-01", "*.xml.bz2,SHA256SUMS", f"{EXPORT}/"),
        (EXPORT, "2026-11-01", "*.xml.bz2,SHA256SUMS", f"{EXPORT}/"),
        (
            f"{DUMPS}/enwiki/20261101",
            "20261101",
            "*-pages-articles-multistream.xml.bz2,*sha1sums.txt",
            f"{DUMPS}/enwiki/20261101/",
        ),
        (f"{DUMPS}/enwiki/latest/*articles*.bz2", "latest", "*articles", f"{DUMPS}/enwiki/latest/"),
        (f"{DUMPS}/enwiki/20261101/*.bz2", "20261101", "*.bz2", f"{DUMPS}/enwiki/20261101/"),
    ],
)
def test_a_folder_or_pattern_is_fetched_into_a_folder(address: str, folder: str, pattern: str, where: str) -> None:
    (words,) = commands(address)
    assert words[:2] == ["wget", "-c"]
    assert (words[words.index("-P") + 1], words[-1]) == (folder, where)
    assert words[words.index("-A") + 1].startswith(pattern)


@pytest.mark.parametrize("address", ["https://example.org/data/corpus", "https://example.org/data/corpus/"])
def test_a_folder_that_is_no_dumps_is_not_fetched_as_one(address: str) -> None:
    assert commands(address) == []
    assert address in download_hint(address)
    assert "pages-articles" not in download_hint(address)


@pytest.mark.parametrize("end", ["", "/", "/tree/main"])
def test_a_page_of_the_hub_is_answered_with_the_name(end: str, tmp_path: Path) -> None:
    address = f"https://huggingface.co/FacebookAI/roberta-base{end}"
    words = ["build-corpus", "--sample", "--tokenizer", address, "--output", str(tmp_path / "out")]
    done = CliRunner().invoke(cli, words)
    assert isinstance(done.exception, WikiprepError)
    assert "by its name, FacebookAI/roberta-base;" in done.exception.hint
    assert commands(address) == []


@pytest.mark.parametrize("address", ["HTTPS://x/y", "ftp://x/y", "rsync://x/y", "http://x"])
def test_what_is_of_the_web(address: str) -> None:
    assert is_web(address)
    assert "x" in download_hint(address)


@pytest.mark.parametrize("path", ["s3://x/y", "gs://x", "hdfs://x", "file:///x", "https.xml", "a/https://x"])
def test_what_is_not(path: str) -> None:
    assert not is_web(path)


BUILD = ("--tokenizer", "train:300", "--output", "out")


@pytest.mark.parametrize(
    "words",
    [
        ("build-corpus", FILE, *BUILD),
        ("build-corpus", f"{EXPORT}/", *BUILD),
        ("extract", f"{DUMPS}/enwiki/20261101/*.bz2", "--output", "out"),
        ("tables", FILE, "--output", "out"),
        ("records", "--from", FILE, "--vocab", FILE, "--language", "en", *BUILD),
        *(
            ("build-corpus", "--sample", option, FILE, "--output", "out")
            for option in (
                *("--page-props", "--wikidata", "--tokenizer", "--template-table", "--leave-out", "--white-list"),
                *("--entity-vocab", "--config"),
            )
        ),
        (
            *("build-corpus", "--sample", "--wikidata", str(wikidata_path()), "--wikidata-page", FILE),
            *("--wikidata-redirect", FILE, "--output", "out"),
        ),
        ("templates", FILE),
        ("wikitext", f"{FILE}.jsonl"),
        ("qids", "--page", FILE, "--page-props", FILE, "--output", "out"),
        ("annotate", FILE, "--input", "-", "--output", "-"),
        ("annotate-squad", FILE, "--input", "-", "--output", "-"),
        ("verify", FILE),
        ("inspect", FILE, "--page", "X"),
        ("changes", FILE, FILE),
        ("coverage", FILE),
        ("mentions", FILE, "X"),
        ("export-triples", FILE, "--output", "out"),
        ("export-mentions", FILE, "--format", "tsv", "--output", "out"),
        ("export-relations", FILE, "--output", "out"),
        ("merge-vocabularies", FILE, "--output", "out"),
    ],
    ids=lambda words: " ".join(words[:3]).replace(DUMPS, ""),
)
def test_every_command_that_reads_says_how_to_download(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, words)
    assert isinstance(done.exception, WikiprepError), done.output
    assert "is not read over the network" in done.exception.what
    assert "    wget -c " in done.exception.hint
    assert list(tmp_path.iterdir()) == []


def test_a_page_of_a_wiki_is_piped(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["wikitext", "https://en.wikipedia.org/wiki/R&D"])
    assert isinstance(done.exception, WikiprepError)
    assert done.exception.hint == (
        "curl -sL 'https://en.wikipedia.org/wiki/R&D?action=raw' | wikiprep wikitext --lang en"
    )


def test_nothing_is_written_there() -> None:
    done = CliRunner().invoke(cli, ["build-corpus", "--sample", "--output", "https://example.org/corpus"])
    assert isinstance(done.exception, WikiprepError)
    assert "nothing can be written" in done.exception.what


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("s3://wiki/in/my dümp.xml", "wiki/in/my dümp.xml"),
        ("s3://wiki/東京/[a] {b}#1", "wiki/東京/[a] {b}#1"),
        ("s3://wiki/as%20encoded", "wiki/as encoded"),
        ("s3://wiki/plain_-.~(1),+x", "wiki/plain_-.~(1),+x"),
    ],
)
def test_a_name_is_taken_as_it_is(address: str, path: str) -> None:
    assert open_filesystem(address + HERE)[1] == path


def test_a_file_of_such_a_name_is_read(tmp_path: Path) -> None:
    (tmp_path / "ein Ä").write_bytes(b"1")
    assert open_bytes(f"file://{tmp_path}/ein Ä").read() == b"1"


@pytest.mark.parametrize("address", ["gopher://host/a.xml", "://", "s3://two words/x"])
@pytest.mark.parametrize(
    "use",
    [
        lambda it: open_bytes(it),
        lambda it: is_file(it),
        lambda it: Store(it).list(),
        lambda it: find_parts([it]),
        lambda it: find_parts([f"{it}/*.bz2"]),
        lambda it: list(read_lines(it)),
    ],
)
def test_what_is_no_address_is_a_line(address: str, use: Callable[[str], Any]) -> None:
    with pytest.raises(WikiprepError) as caught:
        use(address)
    assert address in str(caught.value)
    assert "s3://" in caught.value.hint
