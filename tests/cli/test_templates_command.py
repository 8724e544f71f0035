"""`wikiprep templates`: a dump and a build of it give the same counts, for people and for machines."""

import json
import re
import shutil
from pathlib import Path

import pytest
from building import wikiprep
from click.testing import CliRunner
from inline import build, write_dump, xml_page

from wikiprep.cli.main import cli
from wikiprep.dump.site import Site
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.wikitext.extract import extract

PAGES = (
    xml_page(
        1, "A", "{{lang|fr|eau}} is {{unknown|x}} {{unknown}} water {{cite web|x}} <ref>{{n}}</ref>{{#nofunc:1+1}}."
    ),
    xml_page(2, "B", "{{unknown}} {{other}} {{lang|fr|}} and some words {{nowrap|{{lang|fr|mer}} {{inner|x}}}}."),
    xml_page(3, "C", "", redirect="A"),
    xml_page(4, "Template:Unknown", "{{elsewhere}}", ns=10),
)
HEADER = "name\tuses\tpages\trendered\tdropped\tstatus"
TSV = [
    HEADER,
    "Lang\t3\t2\t2\t1\trendered",
    "Unknown\t3\t2\t0\t3\tunknown",
    "#nofunc\t1\t1\t0\t1\tno name",
    "Cite web\t1\t1\t0\t1\tdropped",
    "Inner\t1\t1\t0\t1\tunknown",
    "Nowrap\t1\t1\t1\t0\trendered",
    "Other\t1\t1\t0\t1\tunknown",
]


def run(*words: object) -> str:
    arguments = ["templates", *map(str, words)]
    return CliRunner().invoke(cli, arguments, catch_exceptions=False, standalone_mode=False).stdout


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dump(tmp_path_factory.mktemp("dump") / "enwiki-pages-articles.xml", *PAGES)


@pytest.fixture(scope="module")
def corpus(dump: Path) -> Path:
    output = dump.parent / "corpus"
    build(output, dump, sections={"vocabulary": {"vocab_targets": "linked"}}, until="vocabulary")
    return output


def test_a_dump_and_its_build_give_the_same(dump: Path, corpus: Path) -> None:
    assert run(dump, "--tsv", "-q", "--workers", 2).splitlines() == TSV
    assert run(corpus, "--tsv").splitlines() == TSV
    assert run(dump, "--json", "-q", "--workers", 1) == run(corpus, "--json")


def test_json(corpus: Path) -> None:
    made = json.loads(run(corpus, "--json", "--top", 1))
    row = {"name": "Lang", "uses": 3, "pages": 2, "rendered": 2, "dropped": 1, "status": "rendered"}
    assert made == {"language": "en", "documents": 2, "templates": [row]}


def test_for_people(corpus: Path) -> None:
    shown = run(corpus, "--top", 2)
    assert "2 documents of language en, 7 templates" in shown
    assert "rendered         2 templates,           4 uses" in shown
    assert "          3          2  rendered  Lang  (1 gave no text)" in shown
    assert "5 more (--top 0 shows all)" in shown and "Unknown = {1}" in shown
    assert "Other" not in shown and "Other" in run(corpus)


def test_unhandled_and_a_table_of_ones_own(dump: Path, corpus: Path, tmp_path: Path) -> None:
    assert [line.split("\t")[0] for line in run(corpus, "--unhandled", "--tsv").splitlines()[1:]] == [
        "Unknown", "Inner", "Other",
    ]  # fmt: skip
    (tmp_path / "t.txt").write_text("unknown = {1}\nInner = @drop\n")
    own = ("--template-table", tmp_path / "t.txt", "--tsv")
    assert run(corpus, "--unhandled", *own).splitlines()[1:] == ["Other\t1\t1\t0\t1\tunknown"]
    assert "Unknown\t3\t2\t1\t2\trendered" in run(dump, "-q", "--workers", 1, *own)  # counted with the table
    assert "Unknown\t3\t2\t0\t3\trendered" in run(corpus, *own)  # counted when it was built
    assert "= {1}" not in run(corpus, "--unhandled", *own)


def test_what_another_table_rendered_is_not_unknown(dump: Path, tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("unknown = {1}\n")
    sections = {"vocabulary": {"vocab_targets": "linked"}, "extract": {"template_table": str(tmp_path / "t.txt")}}
    build(tmp_path / "out", dump, sections=sections, until="vocabulary")
    assert "Unknown\t3\t2\t1\t2\trendered" in run(tmp_path / "out", "--tsv")


def test_functions() -> None:
    shown = run("--functions")
    assert "@convert         `{{convert|" in shown
    assert "@cs_date         `{{datum|1950|3|5}}`: 5. března 1950;" in shown
    assert not [line for line in shown.splitlines() if len(line.split(maxsplit=1)) < 2]


@pytest.mark.parametrize(("code", "shown"), [("de", "5. März 1950"), ("cs", "5. března 1950"), ("es", "5 de marzo")])
def test_the_example_of_a_date_is_what_it_gives(code: str, shown: str) -> None:
    call, says = re.findall(rf"^@{code}_date +`(.*?)`: (.*?);", run("--functions"), re.MULTILINE)[0]
    made = extract(f"x {call}", "T", Site.for_language(code)).paragraphs[0].text
    assert made == f"x {says}" and says.startswith(shown)


def test_what_cannot_be(dump: Path, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no dump given"):
        run()
    with pytest.raises(UsageError, match="a build and other inputs"):
        run(corpus, dump)
    with pytest.raises(UsageError, match="--tsv and --json exclude each other"):
        run(corpus, "--tsv", "--json")
    with pytest.raises(UsageError, match="'xx' is no language code known here"):
        run(dump, "--language", "xx")
    with pytest.raises(WikiprepError, match="no such file"):
        run(tmp_path / "none.xml")
    with pytest.raises(WikiprepError, match=r"none of its pages is an article .other namespace 1, redirect 1"):
        run(write_dump(tmp_path / "two.xml", *PAGES[2:]), "-q", "--workers", 1)
    (tmp_path / "two.xml").unlink()
    with pytest.raises(WikiprepError, match="no dump"):
        run(tmp_path)
    begun = tmp_path / "begun"
    build(begun, dump, until="extract")
    with pytest.raises(WikiprepError, match=r"has no tables/templates\.parquet\n  .*wikiprep tables"):
        run(begun)
    (begun / "manifest.json").unlink()
    with pytest.raises(WikiprepError, match="the build is not finished"):
        run(begun)


def test_a_cut_table_is_named(corpus: Path, tmp_path: Path) -> None:
    shutil.copytree(corpus, tmp_path / "cut")
    with (tmp_path / "cut" / "tables" / "templates.parquet").open("r+b") as file:
        file.truncate(300)
    with pytest.raises(WikiprepError, match=r"cut/tables/templates\.parquet: not a whole Parquet file\n"):
        run(tmp_path / "cut")


def test_in_a_process(dump: Path) -> None:
    done = wikiprep("templates", dump, "--tsv", "--workers", 2)
    assert (done.returncode, done.stdout.splitlines()) == (0, TSV)
    assert "templates: " in done.stderr  # progress, not among the data
    assert wikiprep("templates", "/none.xml").returncode == 2
    assert wikiprep("templates").returncode == 2
