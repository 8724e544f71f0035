"""A wiki's name in the place of a file: what the options need is downloaded, and the same command goes on with it."""

import bz2
import gzip
from pathlib import Path
from typing import Any

import orjson
import pytest
from building import manifest
from click.testing import CliRunner
from dump_server import DumpServer, add_classic, add_export, add_wikidata
from inline import job_of
from tiny_wiki import tiny_dump, tiny_props

from wikiprep.api.named_dump import needed_extras, pin, read_pinned, with_files
from wikiprep.cli.main import cli
from wikiprep.config import PRESETS, RunOptions, ServerOptions
from wikiprep.download.remote_file import FileSet, RemoteFile
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.runtime.reconcile import Policy


def run(*words: object) -> Any:
    """A command in this process."""
    return CliRunner().invoke(cli, [str(word) for word in words])


@pytest.fixture
def enwiki(server: DumpServer, tmp_path: Path) -> DumpServer:
    """A tiny wiki of that name, with page_props."""
    dump, props = tiny_dump(tmp_path).read_bytes(), tiny_props(tmp_path).read_bytes()
    half = dump.index(b"<page>", len(dump) // 2)
    head = dump[: dump.index(b"<page>")]
    parts = {"p1p7": dump[:half] + b"</mediawiki>\n", "p8p102": head + dump[half:]}
    add_export(server, "enwiki", "2026-11-01", {span: bz2.compress(data) for span, data in parts.items()})
    add_classic(server, "enwiki", "20261101", {"pagepropstable": {"page_props.sql.gz": gzip.compress(props)}})
    return server


def _part(span: str) -> str:
    return f"other/mediawiki_content_current/enwiki/2026-11-01/xml/bzip2/enwiki-2026-11-01-{span}.xml.bz2"


def test_a_build_by_name_and_the_same_command_again(enwiki: DumpServer, tmp_path: Path) -> None:
    words = ("extract", "enwiki", "--mirror", enwiki.address, "--page-props", "enwiki", "--workers", "1")
    done = run(*words, "--output", tmp_path / "out")
    assert done.exit_code == 0, done.output or done.exception
    made = manifest(tmp_path / "out")
    names = [file["name"] for file in made["inputs"]["files"]]
    assert names == ["enwiki-2026-11-01-p1p7.xml.bz2", "enwiki-2026-11-01-p8p102.xml.bz2"], names
    assert made["counts"]["extract"]["pages.read"] == 17
    cache = tmp_path / "cache" / "enwiki"
    assert (cache / "2026-11-01" / "SHA256SUMS").is_file()
    assert str(tmp_path) not in (tmp_path / "out" / "config.toml").read_text()

    # Next month there is a newer one: the same command stays with its own, and asks nobody.
    newer = {span: enwiki.files[_part(span)] for span in ("p1p7", "p8p102")}
    add_export(enwiki, "enwiki", "2026-12-01", newer)
    add_classic(enwiki, "enwiki", "20261201", {"pagepropstable": {"page_props.sql.gz": gzip.compress(b"newer")}})
    before = len(enwiki.requests)
    done = run(*words, "--output", tmp_path / "out")
    assert done.exit_code == 0, done.output or done.exception
    assert len(enwiki.requests) == before
    assert manifest(tmp_path / "out") == made

    # Unless it is asked for.
    done = run(*words, "--output", tmp_path / "out", "--date", "latest")
    assert isinstance(done.exception, WikiprepError)
    assert "was begun with other options" in done.exception.what
    assert any(path == "enwiki/20261201/dumpstatus.json" for _, path, _ in enwiki.requests)


def test_a_file_of_that_name_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "enwiki").mkdir()
    done = run("extract", "enwiki", "--output", "out")
    assert isinstance(done.exception, WikiprepError)
    assert "holds no dump" in done.exception.what


TOKENIZER = ("--tokenizer", "train:300")


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("build-corpus", "enwiki"), "no tokenizer given"),
        (("build-corpus", "enwiki", "--tokenizer", "train:x"), "not a size"),
        (("build-corpus", "enwiki", "--tokenizer", "./nowhere"), "nowhere"),
        (("build-corpus", "enwiki", "dewiki", *TOKENIZER), "enwiki and other dumps"),
        (("build-corpus", "enwiki", "--page-props", "dewiki", *TOKENIZER), "is another wiki"),
        (("build-corpus", "enwiki", "--wikidata", "enwiki", *TOKENIZER), "is another wiki"),
        (("build-corpus", "enwiki", "--white-list", "enwiki", *TOKENIZER), "white-list enwiki"),
        (("build-corpus", "enwiki", "--date", "20261399", *TOKENIZER), "is no date"),
        (("build-corpus", "enwiki", "--runner", "spark", *TOKENIZER), "the workers of --runner spark are others"),
        (("build-corpus", "--sample", "--date", "20261101"), "--date without a wiki's name"),
        (("build-corpus", "--sample", "--page-props", "enwiki"), "no such file"),
    ],
)
def test_what_cannot_be_is_said_before_a_download(
    server: DumpServer, tmp_path: Path, words: tuple[str, ...], what: str
) -> None:
    done = run(*words, "--mirror", server.address, "--output", tmp_path / "out")
    assert isinstance(done.exception, WikiprepError), done.output
    assert what in done.exception.what
    assert server.requests == []
    assert not (tmp_path / "out").exists() and not (tmp_path / "cache").exists()


def test_a_folder_of_other_things_is_refused_before_a_download(server: DumpServer, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letters.txt").touch()
    done = run("extract", "enwiki", "--mirror", server.address, "--output", tmp_path / "out")
    assert "not of a wikiprep build" in str(done.exception)
    assert server.requests == []


def test_what_options_need(tmp_path: Path) -> None:
    dump, items, facts = Path("enwiki"), tmp_path / "items.jsonl", tmp_path / "facts.jsonl"
    items.write_text('{"qid": "Q42"}\n')
    facts.write_text('{"pair": ["Q1", "Q2"]}\n')

    def wanted(sections: dict[str, Any]) -> tuple[str, ...]:
        return needed_extras(job_of(tmp_path / "out", dump, sections=sections))

    assert wanted({}) == ()
    assert wanted({"input": {"page_props": "enwiki"}}) == ("page_props",)
    assert wanted({"wikidata": {"wikidata": "wikidatawiki"}}) == ("wikidata",)
    both = {"wikidata_redirect": "wikidatawiki", "wikidata_page": "wikidatawiki"}
    assert wanted({"wikidata": {"wikidata": "x.json", **both}}) == ("wikidata_redirect",)
    assert wanted(PRESETS["spot"]) == ("wikidata",)
    assert wanted({**PRESETS["spot"], "wikidata": {"wikidata": "mine.json"}}) == ()
    assert wanted({"leave_out": {"leave_out": (str(items),)}}) == ("page_props",)
    assert wanted({"leave_out": {"leave_out": (str(facts),)}}) == ("wikidata",)


def test_names_become_files(enwiki: DumpServer, tmp_path: Path) -> None:
    add_wikidata(enwiki, "20261102", "20261103", bz2.compress(b"[\n]\n"))
    sections = {"input": {"page_props": "enwiki"}, "wikidata": {"wikidata": "wikidatawiki"}}
    job = job_of(tmp_path / "out", Path("enwiki"), sections=sections)
    server = ServerOptions(mirror=(enwiki.address,))
    made = with_files(job, "enwiki", server, RunOptions(quiet=True), Policy.REFUSE, None)
    cache = tmp_path / "cache"
    assert made.dumps == (str(cache / "enwiki" / "2026-11-01"),)
    assert made.config.input.page_props == str(cache / "enwiki/20261101/enwiki-20261101-page_props.sql.gz")
    assert made.config.wikidata.wikidata == str(cache / "wikidatawiki/entities-20261103/wikidata-20261103-all.json.bz2")
    assert len(made.parts) == 2
    assert not made.dump.missing and not made.dump.may_lack_parts


def test_a_configuration_file_may_name_it(server: DumpServer, tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text(
        f'dumps = "nowiki"\noutput = "{tmp_path}/out"\n[run]\nmirror = ["{server.address}"]\ndate = "20261101"\n'
    )
    done = run("extract", "--config", config)
    assert "nowiki: there is no dump of such a wiki" in str(done.exception)
    config.write_text("[run]\ndate = 20261101\n")
    done = run("extract", "--config", config, "enwiki", "--output", tmp_path / "out")
    assert isinstance(done.exception, UsageError) and "wrong type" in done.exception.what


def test_notes_of_an_output(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    file = RemoteFile("n", "p/n", {"sha1": "0" * 40}, "dumpstatus.json", "dump", "g", 5)
    made = [FileSet((file,), {"SHA256SUMS": b"\xff\n"}, "2026-11-01", ("http://x",))]
    assert read_pinned(store, "enwiki", None) == []
    pin(store, "enwiki", made)
    assert read_pinned(store, "enwiki", None) == read_pinned(store, "enwiki", "2026-11-01") == made
    assert read_pinned(store, "dewiki", None) == read_pinned(store, "enwiki", "2026-10-01") == []
    path = tmp_path / "_state" / "download.json"
    for text in (b"{}", b"no", orjson.dumps({"wiki": "enwiki", "found": [{}]})):
        path.write_bytes(text)
        assert read_pinned(store, "enwiki", None) == []
