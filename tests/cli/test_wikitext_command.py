"""`wikiprep wikitext`, as a user calls it."""

import bz2
import gzip
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from building import command, wikiprep
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.corpus.schema import INTERLANGUAGE, LINK, PARAGRAPH, article_schema
from wikiprep.errors import UsageError, WikiprepError

PAGE = "'''Aa''' is a [[river#X|river]]s {{foo|x}}.\n"
PAGE += "==S==\n* {{convert|3|km|mi}} [[Category:X]] [[de:Ä]]\n[[File:a.jpg|c [[b]]]]"


def run(*words: object, text: str | bytes | None = None) -> str:
    result = CliRunner().invoke(
        cli, ["wikitext", *map(str, words)], input=text, catch_exceptions=False, standalone_mode=False
    )
    if result.exception:
        raise result.exception
    return result.stdout


def row(*words: object, text: str | bytes | None = None) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(run(*words, text=text))
    return made


def test_a_row_has_the_columns_of_articles(tmp_path: Path) -> None:
    (tmp_path / "Der_Fluss.wiki").write_text(PAGE, encoding="utf-8")
    made = row(tmp_path / "Der_Fluss.wiki")
    assert list(made) == article_schema().names
    assert (made["title"], made["page_id"], made["kind"]) == ("Der Fluss", None, "article")
    assert made["categories"] == ["X"] and made["interlanguage"] == [{"lang": "de", "title": "Ä"}]
    first = made["paragraphs"][0]
    assert list(first) == [f.name for f in PARAGRAPH] and list(first["links"][0]) == [f.name for f in LINK]
    assert list(made["interlanguage"][0]) == [f.name for f in INTERLANGUAGE]
    assert first["text"] == "Aa is a rivers."
    assert first["links"] == [{"start": 8, "end": 14, "target": "River", "fragment": "X"}]
    assert [p["text"] for p in made["paragraphs"]] == ["Aa is a rivers.", "3 kilometres (1.9 mi)"]


def test_options() -> None:
    assert "3 kilometres" not in run("--templates", "drop", text=PAGE)
    assert row("--captions", text=PAGE)["paragraphs"][-1]["kind"] == "caption"
    assert row("--title", "river", text="[[River]] {{PAGENAME}}")["paragraphs"][0] == {
        "section": [], "kind": "prose", "depth": 0, "text": "River River", "links": [],
    }  # fmt: skip


def test_a_language_brings_its_names_and_trails() -> None:
    made = row("--lang", "de", "-", text="[[Fluß]]läufe [[Datei:a.jpg]] [[Kategorie:B]]")
    assert made["paragraphs"][0]["text"] == "Flußläufe" and made["categories"] == ["B"]
    assert made["paragraphs"][0]["links"][0]["end"] == 9


@pytest.mark.parametrize(("code", "near"), [("deu", "de, "), ("germ", "near"), ("", "such as"), ("éà", "such as")])
def test_an_unknown_language_names_codes_like_it(code: str, near: str) -> None:
    with pytest.raises(UsageError, match=near):
        run("--lang", code, text="")


@pytest.mark.parametrize("code", ["simple", "zh-yue", "nb", "no", "de-at", "ZH_classical"])
def test_codes_of_languages_and_of_wikis_are_known(code: str) -> None:
    assert row("--lang", code, text="a")["paragraphs"][0]["text"] == "a"


def test_a_redirect_says_where_it_leads() -> None:
    made = row("--lang", "de", text="#WEITERLEITUNG [[foo#Bar]]")
    assert (made["kind"], made["paragraphs"]) == ("redirect", [])
    assert made["redirect"] == {"target": "Foo", "fragment": "Bar", "problem": None}
    assert row(text="#REDIRECT [[fr:A]]")["redirect"]["problem"] == "interwiki"
    assert "redirects to Foo#Bar" in run("--lang", "de", "--pretty", text="#WEITERLEITUNG [[foo#Bar]]")
    assert row("--lang", "fr", text="#WEITERLEITUNG [[foo]]")["kind"] == "article"


def test_empty_input_is_an_empty_page() -> None:
    assert row(text="")["paragraphs"] == []
    assert run("--jsonl", text="") == "" and run("--jsonl", text="\n \n") == ""
    assert "no paragraphs" in run("--pretty", text="")


def test_pretty_tells_all() -> None:
    shown = run("--pretty", "--captions", text=PAGE)
    for line in (
        "prose        Aa is a [rivers].",
        "             [rivers] 8-14 -> River#X",
        "== S",
        "list_item 1  3 kilometres (1.9 mi)",
        "caption      c [b]",
        "categories: X",
        "interlanguage links: de:Ä",
        "links: 5 found, 2 kept; dropped: category 1, interlanguage 1, file 1",
        "templates rendered: Convert",
        "templates dropped: Foo (unknown)",
    ):
        assert f"\n{line}\n" in shown, shown
    assert "flags: unclosed:template" in run("--pretty", text="a {{b")


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("foo = {1}\n")
    assert row("--template-table", tmp_path / "t.txt", text="a {{foo|b}}")["paragraphs"][0]["text"] == "a b"
    (tmp_path / "t.txt").write_text("foo = {1\n")
    with pytest.raises(WikiprepError, match=r"t\.txt, line 1"):
        run("--template-table", tmp_path / "t.txt", text="")


LINES = '{"title": "A", "text": "[[b]]", "n": 1}\n\n{"text": "[[Datei:x]] c", "lang": "de", "title": null}\n'


def test_many_pages(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text(LINES, encoding="utf-8")
    rows = [json.loads(line) for line in run(tmp_path / "p.jsonl").splitlines()]
    assert [r["title"] for r in rows] == ["A", ""]
    assert [p["text"] for r in rows for p in r["paragraphs"]] == ["b", "c"]
    assert run("--jsonl", "-", text=LINES) == run(tmp_path / "p.jsonl")
    with pytest.raises(UsageError, match="--title is for one page"):
        run(tmp_path / "p.jsonl", "--title", "x")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not JSON"),
        ("[1]", "not an object"),
        ('{"title": "x"}', 'no "text" .fields found: title'),
        ('{"text": 5}', "text is 5, not a string"),
        ('{"text": null}', "text is null, not a string"),
        ('{"text": "", "title": ["a"]}', "title is"),
        ('{"text": "", "lang": "deu"}', "'deu' is no language code"),
        ('{"text": "\\ud800"}', "not JSON"),
    ],
)
def test_a_bad_line_is_named_and_what_came_before_is_out(tmp_path: Path, line: str, problem: str) -> None:
    (tmp_path / "p.jsonl").write_text(LINES + line + "\n" + LINES, encoding="utf-8")
    result = CliRunner().invoke(cli, ["wikitext", str(tmp_path / "p.jsonl")], standalone_mode=False)
    assert isinstance(result.exception, WikiprepError)
    assert len(result.stdout.splitlines()) == 2
    with pytest.raises(WikiprepError, match=rf"p\.jsonl, line 4: {problem}"):
        raise result.exception


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"<mediawiki xmlns=", "is XML, not wikitext"),
        (b'\xef\xbb\xbf<?xml version="1.0"?>', "is XML, not wikitext"),
        (b"a \xe4", "not UTF-8 at byte 2\n  .*LATIN1"),
        (bz2.compress(b"a"), "is packed .*bz2.*, not wikitext\n  unpack it .*wikiprep extract"),
        (gzip.compress(b"<mediawiki>", mtime=0), "is packed .*gz.*, not wikitext"),
        ("a [[b]]".encode("utf-16"), "is UTF-16, not UTF-8\n  .*iconv -f UTF-16 -t UTF-8"),
    ],
)
def test_what_is_no_wikitext(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(WikiprepError, match=problem):
        run(tmp_path / "x")
    with pytest.raises(WikiprepError, match=f"standard input: {problem}"):
        run(text=content)


def test_a_line_in_latin_1_is_told_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_bytes(b'{"text": "a"}\n{"text": "h\xe4"}\n')
    with pytest.raises(WikiprepError, match=r"p\.jsonl, line 2: not UTF-8 at byte 11\n  .*LATIN1"):
        run(tmp_path / "p.jsonl")
    with pytest.raises(WikiprepError, match="standard input, line 1: is UTF-16"):
        run("--jsonl", text='{"text": "a"}'.encode("utf-16"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none", tmp_path / "none.jsonl"):
        with pytest.raises(WikiprepError):
            run(path)


def test_in_a_process_any_locale_gives_utf8_and_errors_their_codes() -> None:
    environment = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    for words in (("wikitext",), ("wikitext", "--pretty")):
        done = subprocess.run(
            command(*words),
            input="Zürich 猫".encode(),
            capture_output=True,
            env={**__import__("os").environ, **environment},
        )
        assert "Zürich 猫" in done.stdout.decode()
    assert wikiprep("wikitext", "/none").returncode == 2
    assert wikiprep("wikitext", "--lang", "deu", "/none").returncode == 2


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "p.jsonl").write_text('{"text": "some words of a page"}\n' * 5000)
    line = shlex.join(command("wikitext", tmp_path / "p.jsonl")) + " | head -1; echo ${PIPESTATUS[0]}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
    first, code = done.stdout.splitlines()
    assert json.loads(first)["paragraphs"][0]["text"] == "some words of a page"
    assert (code, done.stderr) == ("141", "")


def test_compare_without_the_parser_is_refused_by_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("applications.comparison", "wikitext.why_different", "wikitext.mwparserfromhell_text"):
        monkeypatch.delitem(sys.modules, f"wikiprep.{module}", raising=False)
    monkeypatch.setitem(sys.modules, "mwparserfromhell", None)
    with pytest.raises(UsageError, match=r'^mwparserfromhell is not installed\n  pip install "wikiprep\[compare\]"$'):
        run("--compare", text=PAGE)
    assert row(text=PAGE)["paragraphs"]  # nothing else wants it


def test_compare(tmp_path: Path) -> None:
    pytest.importorskip("mwparserfromhell", reason="mwparserfromhell is not installed: pip install '.[compare]'")
    shown = run("--compare", text="a {{formatnum:1000}} [[b]]")
    assert "1 difference from mwparserfromhell" in shown and "1 parser function: " in shown
    assert "  words after 'a'\n    ours:   1 000\n    theirs: (nothing)" in shown
    assert "no difference" in run("--compare", text=PAGE) and "no difference" in run("--compare", text="")
    assert "no difference" in run("--compare", text="#REDIRECT [[a]]")
    (tmp_path / "p.jsonl").write_text('{"title": "A", "text": "{{formatnum:5}}"}\n{"text": "b", "lang": "de"}\n')
    first, second = map(json.loads, run("--compare", tmp_path / "p.jsonl").splitlines())
    assert second == {"title": "", "differences": []}
    assert first == {
        "title": "A",
        "differences": [{"kind": "parser function", "what": "words", "before": "", "ours": "5", "theirs": ""}],
    }


def test_the_time_of_a_revision(tmp_path: Path) -> None:
    made = row("--timestamp", "2024-12-31T23:59:59-05:00", text="In {{CURRENTYEAR}}.")
    assert (made["timestamp"], made["paragraphs"][0]["text"]) == ("2025-01-01T04:59:59Z", "In 2025.")
    lines = '{"text": "In {{CURRENTYEAR}}.", "timestamp": "2001-05-05T00:00:00Z"}\n{"text": "In {{CURRENTYEAR}}."}\n'
    shown = run("--jsonl", "--timestamp", "2024-01-01", text=lines).splitlines()
    assert [json.loads(line)["paragraphs"][0]["text"] for line in shown] == ["In 2001.", "In 2024."]
    with pytest.raises(UsageError, match="--timestamp 'x' is no time"):
        run("--timestamp", "x", text="a")
    with pytest.raises(WikiprepError, match="standard input, line 1: timestamp '0001-01-01T00:00"):
        run("--jsonl", text='{"text": "a", "timestamp": "0001-01-01T00:00+05:00"}')


def test_a_table_from_a_pipe(tmp_path: Path) -> None:
    page = tmp_path / "page.wiki"
    page.write_text("{{River|Aa}}", encoding="utf-8")
    for table in (b"River = {1}\n", gzip.compress(b"River = {1}\n")):
        words = ["wikitext", "--template-table", "/dev/stdin", str(page)]
        done = subprocess.run(command(*words), input=table, capture_output=True, check=True)
        assert json.loads(done.stdout)["paragraphs"][0]["text"] == "Aa"
