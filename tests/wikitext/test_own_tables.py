"""A user's own template table: what it may say, what it wins over, and where it says that a line is wrong."""

import os
import re
import threading
from pathlib import Path

import pytest
from inline import build, mentions, rows, write_dump, xml_page

from wikiprep.cli.main import cli
from wikiprep.dump.site import Site
from wikiprep.errors import WikiprepError
from wikiprep.wikitext.extract import extract
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.template_table import DATA, TemplateTable, load_table, read_own_table

SITE = Site.for_language("en")
LANGUAGES = sorted(p.stem for p in DATA.glob("*.txt") if p.stem not in ("units", "common", "dropped"))


def show(text: str, *lines: str) -> str:
    own = OwnTable(lines) if lines else None
    return " / ".join(p.text for p in extract(text, "T", SITE, own_templates=own).paragraphs)


def write(path: Path, *lines: str) -> str:
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def test_a_line_renders_what_was_dropped() -> None:
    assert show("the {{river|Aa|12}}, long") == "the, long"
    assert show("the {{river|Aa|12}}, long", "River, stream = {1}<? ({2} km)?>") == "the Aa (12 km), long"
    assert show("the {{stream|Aa}}, long", "River, stream = {1}<? ({2} km)?>") == "the Aa, long"


def test_an_own_line_wins_over_a_shipped_one_and_the_last_over_the_first() -> None:
    assert show("{{nowrap|a b}}") == "a b"
    assert show("x {{nowrap|a b}} y", "nowrap = @drop") == "x y"
    assert show("{{nowrap|a b}}", "nowrap = 1", "nowrap = 2") == "2"


def test_functions_and_beginnings_of_names() -> None:
    own = ("umrechnung = @convert", "stadt * = {1}", "stadt am * = am {1}")
    assert show("{{umrechnung|10|km|mi}}", *own) == "10 kilometres (6.2 mi)"
    assert show("{{Stadt in Hessen|Hanau}} {{stadt am Main|Hanau}}", *own) == "Hanau am Hanau"


def test_the_longest_beginning_counts() -> None:
    table = TemplateTable(["a-* = 1", "a-b-* = 2", "a-b-c = 3", "ab* = 4"])
    found = {name: table.find(name) for name in ("A-x", "A-b-x", "A-b-c", "A-b-c-d", "Abc", "B")}
    shown = {name: f(None) if f else None for name, f in found.items()}
    assert shown == {"A-x": "1", "A-b-x": "2", "A-b-c": "3", "A-b-c-d": "2", "Abc": "4", "B": None}


def test_rules() -> None:
    table = TemplateTable(["a = {1}", "b* = @drop"])
    assert [table.rule(name) for name in ("A", "Bx", "C")] == ["rendered", "dropped", "unknown"]


def test_a_template_dropped_by_rule_reads_as_an_unknown_one() -> None:
    for text in ("({{x|1}}) and", "a {{x}}, b", "{{x}}\n\nword"):
        assert show(text, "x = @drop") == show(text)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_list_of_dropped_families_changes_nothing_that_is_rendered(code: str) -> None:
    lines = [line for name in ("common", code) for line in (DATA / f"{name}.txt").read_text("utf-8").splitlines()]
    tables = TemplateTable(lines)
    dropped = TemplateTable((DATA / "dropped.txt").read_text("utf-8").splitlines())
    assert not [
        n for n in (*dropped._names, *dropped._starts) if tables.rule(n) == "rendered" and n not in tables._names
    ]
    both = load_table(code)
    assert all(both.find(name) is renderer or both.rule(name) != "dropped" for name, renderer in tables._names.items())


def test_a_file_is_read_with_comments_blank_lines_and_any_line_end(tmp_path: Path) -> None:
    path = write(tmp_path / "t.txt", "# mine", "", "river = {1}\r", "lake = ")
    own = read_own_table(path)
    assert own.lines == ("# mine", "river = {1}", "lake = ")
    assert own.identity["lines"] == 3
    assert read_own_table(write(tmp_path / "empty.txt")).lines == ()


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("river", "no ` = `"),
        ("river: {1}", "no ` = `"),
        (" = {1}", "an empty name"),
        ("a, , b = {1}", "an empty name"),
        ("a*b = {1}", r"'\*' in the name 'a\*b'"),
        ("{{a}} = {1}", "'{' in the name"),
        ("a = {1", "a brace without its partner"),
        ("a = {}", "a brace without its partner or its name"),
        ("a = {{lang|de|{1}}}", "a call of a template"),
        ("a = {1}<? ({2})", r"<\? without \?>"),
        ("a = {1} ?>", r"\?> without <\?"),
        ("a = {0}", r"a field \{0\} that no argument can fill"),
        ("a = {1}<? {name|-1}?>", r"a field \{-1\} that no argument can fill"),
        ("a = {99999999999}", r"a field \{99999999999\} that no argument can fill"),
        ("a = {01}", r"a field \{01\} that no argument can fill"),
        ("a = b\0{1}", "a control character"),
        ("a = b\x08{1}", "a control character"),
        ("a = @konvert", "no function @konvert .near ones: @convert"),
        ("a = @zzzzz", "no function @zzzzz .near ones: none"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str, problem: str) -> None:
    path = write(tmp_path / "mine.txt", "good = {1}", "", line)
    with pytest.raises(WikiprepError, match=rf"mine\.txt, line 3: {problem}"):
        read_own_table(path)


def test_files_that_are_no_table(tmp_path: Path) -> None:
    (tmp_path / "latin1.txt").write_bytes("flu\xdf = {1}\n".encode("latin-1"))
    with pytest.raises(WikiprepError, match=r"latin1\.txt, line 1: not UTF-8"):
        read_own_table(str(tmp_path / "latin1.txt"))
    with pytest.raises(WikiprepError, match="no such file"):
        read_own_table(str(tmp_path / "none.txt"))


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "templates.md").read_text(encoding="utf-8")
    _, table, source, shown = re.findall(r"^```text\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    own = read_own_table(write(tmp_path / "rivers.txt", table))
    (paragraph,) = extract(source, "T", SITE, own_templates=own).paragraphs
    assert paragraph.text == shown.strip()
    assert [(paragraph.text[k.start : k.end], k.target) for k in paragraph.links] == [("Anna Maria", "Anna Maria")]


def test_a_wrong_table_stops_a_build_before_any_work(tmp_path: Path) -> None:
    bad = write(tmp_path / "bad.txt", "good = {1}", "bad {1}")
    words = ["extract", "--sample", "--output", str(tmp_path / "o"), "--template-table"]
    with pytest.raises(WikiprepError, match=r"bad\.txt, line 2: no ` = `"):
        cli.main([*words, bad], standalone_mode=False)
    with pytest.raises(WikiprepError, match=r"none\.txt: no such file"):
        cli.main([*words, str(tmp_path / "none.txt")], standalone_mode=False)
    assert not (tmp_path / "o" / "articles").exists()


def test_a_build_renders_by_it_and_needs_the_file_no_more(tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "d.xml", xml_page(1, "A", "the {{river|Aa|12}}, a long river of many words."))
    table = write(tmp_path / "t.txt", "river = [[{1}]]<? ({2} km)?>")
    build(tmp_path / "o", dump, sections={"extract": {"template_table": table}}, until="extract")
    (article,) = rows(tmp_path / "o", "articles")
    assert [p["text"] for p in article["paragraphs"]] == ["the Aa (12 km), a long river of many words."]
    assert mentions(tmp_path / "o") == [("Aa", "Aa")]


def test_a_build_takes_a_table_from_a_pipe(tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "d.xml", xml_page(1, "A", "the {{river|Aa|12}}, a long river of many words."))
    pipe = tmp_path / "t.txt"
    for _ in range(2):  # the second goes on with the first
        os.mkfifo(pipe)
        writer = threading.Thread(target=pipe.write_text, args=("river = [[{1}]]<? ({2} km)?>\n",))
        writer.start()
        build(tmp_path / "o", dump, sections={"extract": {"template_table": str(pipe)}}, until="extract")
        writer.join()
        pipe.unlink()
    (article,) = rows(tmp_path / "o", "articles")
    assert [p["text"] for p in article["paragraphs"]] == ["the Aa (12 km), a long river of many words."]
