"""Which dump is found: the newest that is whole, that of a day, in the layouts of today, on the server that has it."""

from pathlib import Path

import pytest
from conftest_download import Run, names_in
from dump_server import DumpServer, add_classic, add_export, add_wikidata, packed

from wikiprep.download.wanted import DownloadRequest, find_all
from wikiprep.errors import WikiprepError

TABLE = {"pagepropstable": {"page_props.sql.gz": packed("x")}}
ARTICLES = {"articlesdump": {"pages-articles.xml.bz2": b"classic"}}


def found(server: DumpServer, folder: Path, *others: DumpServer, **wanted: object) -> tuple[list[str], Run]:
    """Paths of what is found on a server, without those that lead there; nothing is fetched."""
    run = Run(folder, [it.address for it in (server, *others)])
    made = find_all(DownloadRequest(wiki="tinywiki", **wanted), run.servers, run.display.note)
    return [file.name for it in made for file in it.files], run


def test_an_export_without_its_list_is_not_the_latest(server: DumpServer, tmp_path: Path) -> None:
    add_export(server, "tinywiki", "2026-10-01", {"p1p9": b"a", "p10p99": b"b"})
    add_export(server, "tinywiki", "2026-11-01", {"p1p9": b"c"}, whole=False)
    names, run = found(server, tmp_path)
    assert names == ["tinywiki-2026-10-01-p10p99.xml.bz2", "tinywiki-2026-10-01-p1p9.xml.bz2"]
    assert run.lines == [
        "tinywiki: the content export of 2026-11-01 is not finished (SHA256SUMS is not there yet); an older one is "
        "looked for"
    ]


def test_a_classic_dump_that_is_not_done_is_not_the_latest(server: DumpServer, tmp_path: Path) -> None:
    add_classic(server, "tinywiki", "20261020", ARTICLES)
    add_classic(server, "tinywiki", "20261101", ARTICLES, {"articlesdump": "in-progress"})
    add_classic(server, "tinywiki", "20261102", ARTICLES, sums=False)  # done, and nothing to compare it with
    server.files["tinywiki/20261103/index.html"] = b"no status yet"
    names, run = found(server, tmp_path)
    assert names == ["tinywiki-20261020-pages-articles.xml.bz2"]
    assert [line.split("dump of ")[1][:10] for line in run.lines] == ["2026-11-03", "2026-11-02", "2026-11-01"]
    assert "articlesdump is in-progress" in run.lines[2]


def test_a_table_that_is_wanted_must_be_done_too(server: DumpServer, tmp_path: Path) -> None:
    for day, state in (("2026-10-01", "done"), ("2026-11-01", "waiting")):
        add_export(server, "tinywiki", day, {"p1p9": b"a"})
        add_classic(server, "tinywiki", day.replace("-", ""), TABLE, {"pagepropstable": state})
    names, run = found(server, tmp_path, extras=("page_props",))
    assert names == ["tinywiki-2026-10-01-p1p9.xml.bz2", "tinywiki-20261001-page_props.sql.gz"]
    assert "has no finished page_props (pagepropstable is waiting)" in run.lines[0]
    with pytest.raises(WikiprepError, match="has no finished page_props"):
        found(server, tmp_path, extras=("page_props",), day="2026-11-01")


def test_exports_come_first_and_a_day_finds_either(server: DumpServer, tmp_path: Path) -> None:
    add_export(server, "tinywiki", "2026-10-01", {"p1p9": b"a"})
    add_classic(server, "tinywiki", "20261020", ARTICLES)
    assert found(server, tmp_path)[0] == ["tinywiki-2026-10-01-p1p9.xml.bz2"]
    classic = ["tinywiki-20261020-pages-articles.xml.bz2"]
    assert found(server, tmp_path, layout="classic")[0] == classic
    assert found(server, tmp_path, day="2026-10-20")[0] == classic
    with pytest.raises(WikiprepError, match="there is no dump of 2026-10-20"):
        found(server, tmp_path, day="2026-10-20", layout="content")


def test_an_expired_day_names_those_there_are(server: DumpServer, tmp_path: Path) -> None:
    add_export(server, "tinywiki", "2026-10-01", {"p1p9": b"a"})
    add_classic(server, "tinywiki", "20261020", ARTICLES)
    with pytest.raises(WikiprepError) as error:
        found(server, tmp_path, day="2026-01-01")
    assert error.value.what == "tinywiki: there is no dump of 2026-01-01 (any more)"
    assert "there are content exports of 20261001 and classic dumps of 20261020" in error.value.hint


def test_a_day_that_is_not_finished_says_so(server: DumpServer, tmp_path: Path) -> None:
    add_classic(server, "tinywiki", "20261101", ARTICLES, {"articlesdump": "in-progress"})
    with pytest.raises(WikiprepError, match=r"of 2026-11-01 is not finished \(articlesdump is in-progress\)"):
        found(server, tmp_path, day="2026-11-01")


def test_no_dump_is_whole(server: DumpServer, tmp_path: Path) -> None:
    add_export(server, "tinywiki", "2026-11-01", {"p1p9": b"a"}, whole=False)
    with pytest.raises(WikiprepError, match="no dump is whole") as error:
        found(server, tmp_path)
    assert "try again in a few days" in error.value.hint


def test_a_wiki_that_there_is_not(server: DumpServer, tmp_path: Path) -> None:
    run = Run(tmp_path, [server.address])
    with pytest.raises(WikiprepError, match="there is no dump of such a wiki") as error:
        run("simpelwiki")
    assert "simplewiki" in error.value.hint


@pytest.mark.parametrize(
    ("job", "names"),
    [
        ("articlesdump", ["pages-articles1.xml-p1p9.bz2", "pages-articles2.xml-p10p99.bz2"]),
        (
            "articlesmultistreamdump",
            ["pages-articles-multistream1.xml-p1p9.bz2", "pages-articles-multistream-index1.txt-p1p9.bz2"],
        ),
        ("articlesdumprecombine", ["pages-articles.xml.bz2"]),
        ("articlesmultistreamdumprecombine", ["pages-articles-multistream.xml.bz2"]),
    ],
)
def test_each_job_that_holds_articles(server: DumpServer, tmp_path: Path, job: str, names: list[str]) -> None:
    add_classic(server, "tinywiki", "20261101", {job: dict.fromkeys(names, b"x")})
    wanted = [f"tinywiki-20261101-{name}" for name in names if "index" not in name]
    assert found(server, tmp_path)[0] == wanted


def test_parts_come_before_the_whole(server: DumpServer, tmp_path: Path) -> None:
    parts = {"articlesdump": {"pages-articles1.xml-p1p9.bz2": b"x"}}
    add_classic(server, "tinywiki", "20261101", {"articlesdumprecombine": ARTICLES["articlesdump"], **parts})
    assert found(server, tmp_path)[0] == ["tinywiki-20261101-pages-articles1.xml-p1p9.bz2"]


def test_names_of_other_wikis_dates_and_folders_are_nobodys(server: DumpServer, tmp_path: Path) -> None:
    """What a list names becomes a file on the user's disk."""
    add_export(server, "tinywiki", "2026-11-01", {"p1p9": b"a"})
    path = "other/mediawiki_content_current/tinywiki/2026-11-01/xml/bzip2/SHA256SUMS"
    for name in ("../../etc/passwd", "x/tinywiki-2026-11-01-p10p19.xml", "otherwiki-2026-11-01-p1p9.xml.bz2", "run.sh"):
        server.files[path] += f"{'0' * 64}  {name}\n".encode()
    assert found(server, tmp_path)[0] == ["tinywiki-2026-11-01-p1p9.xml.bz2"]


@pytest.mark.parametrize("text", [b"{}", b'{"jobs": 3}', b"[]", b"not JSON", b""])
def test_a_status_that_cannot_be_understood(server: DumpServer, tmp_path: Path, text: bytes) -> None:
    server.files["tinywiki/20261101/dumpstatus.json"] = text
    with pytest.raises(WikiprepError, match=r"dumpstatus\.json"):
        found(server, tmp_path)


def test_wikidata_of_the_nearest_date(server: DumpServer, tmp_path: Path) -> None:
    add_export(server, "tinywiki", "2026-10-01", {"p1p9": b"a"})
    add_wikidata(server, "20260921", "20260922", b"before")
    add_wikidata(server, "20261005", "20261005", b"after", "md5")
    add_wikidata(server, "20261102", "20261102", b"newest")
    server.files["wikidatawiki/entities/20261001/wikidata-20261001-lexemes.json.bz2"] = b"lexemes alone"
    assert found(server, tmp_path, extras=("wikidata",))[0][1] == "wikidata-20261005-all.json.bz2"
    del server.files["wikidatawiki/entities/20261005/wikidata-20261005-md5sums.txt"]  # not whole yet
    assert found(server, tmp_path, extras=("wikidata",))[0][1] == "wikidata-20260922-all.json.bz2"


def test_merged_items_are_two_tables_of_one_date(server: DumpServer, tmp_path: Path) -> None:
    add_export(server, "tinywiki", "2026-11-01", {"p1p9": b"a"})
    tables = {"redirecttable": {"redirect.sql.gz": packed("r")}, "pagetable": {"page.sql.gz": packed("p")}}
    add_classic(server, "wikidatawiki", "20261020", tables)
    add_classic(server, "wikidatawiki", "20261101", tables, {"pagetable": "waiting"})
    names, _ = found(server, tmp_path, extras=("wikidata_redirect",))
    assert names[1:] == ["wikidatawiki-20261020-redirect.sql.gz", "wikidatawiki-20261020-page.sql.gz"]


def test_wikidata_that_no_server_has(server: DumpServer, tmp_path: Path) -> None:
    add_export(server, "tinywiki", "2026-11-01", {"p1p9": b"a"})
    with pytest.raises(WikiprepError, match="Wikidata's JSON dump: no server has it whole"):
        found(server, tmp_path, extras=("wikidata",))


def test_a_mirror_with_classic_dumps_alone_is_passed_over(
    server: DumpServer, other: DumpServer, tmp_path: Path
) -> None:
    """A day that the first has no more is looked for on the next; a mirror's folders lie below an address."""
    add_classic(server, "tinywiki", "20261101", ARTICLES)
    add_classic(other, "tinywiki", "20261001", ARTICLES)
    other.files = {f"mirror/dumps/{path}": data for path, data in other.files.items()}
    run = Run(tmp_path, [server.address, f"{other.address}/mirror/dumps"])
    run(day="2026-10-01")
    assert "tinywiki-20261001-pages-articles.xml.bz2" in names_in(tmp_path)
    assert other.asked("pages-articles.xml.bz2") and not server.asked("20261001-pages-articles.xml.bz2")
