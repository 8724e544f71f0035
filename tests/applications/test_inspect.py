"""`wikiprep inspect`: exactly what a person reads, in this process and without colour."""

from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner, Result
from inline import build, write_dump, xml_page

from wikiprep.cli.main import cli
from wikiprep.errors import WikiprepError

OSLO = """'''Oslo''' is the capital of [[Norway]]. Its [[Harbour|port]] lies at the head of a fjord.
== History ==
It burnt down in 1624.
* [[Norway]]n kings
** and bishops
; Term
: meaning
[[Category:Capitals]]"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inspect")
    dump = write_dump(
        folder / "d.xml",
        xml_page(11, "Oslo", OSLO),
        xml_page(12, "Norway", "The country of which [[Christiania]] is the capital has many fjords."),
        xml_page(13, "Christiania", "", redirect="Kristiania"),
        xml_page(14, "Kristiania", "", redirect="Oslo"),
        xml_page(15, "Osloo", "A page without any links"),
        xml_page(16, "1624", "A year in which [[Oslo]] burnt down to the ground."),
        xml_page(17, "Talk:Oslo", "Text", ns=1),
        xml_page(18, "Loop", "", redirect="Loop"),
        xml_page(19, "Fjord (landform)", "An inlet of the sea."),
    )
    build(folder / "out", dump)
    return folder / "out"


def test_relations_stand_under_their_record(sample_related: Path) -> None:
    result = inspect(sample_related, "Solar System")
    assert result.exit_code == 0
    lines = [line for line in result.output.splitlines() if " -- " in line]
    assert "  Johannes Kepler -- student of (P1066) -> Tycho Brahe" in lines
    assert any(line.endswith("[the page's subject]") for line in lines)
    assert any("[preferred" in line for line in lines)
    result = inspect(sample_related, "Lowell Observatory")
    assert "[UNK] Q9000000" in result.output


def test_items_stand_behind_their_mentions(sample_corpus: Path) -> None:
    lines = inspect(sample_corpus, "Io (moon)").output.splitlines()
    assert any("[Jupiter](Q900000008)" in line for line in lines), lines[:6]
    record = lines.index(next(line for line in lines if line.startswith("Record 0")))
    assert any("[Ole Rømer](Q900000075)" in line for line in lines[record:])
    with pytest.raises(WikiprepError, match=r"near titles are 'Io \(moon\)'"):
        cli.main(["inspect", str(sample_corpus), "--page", "Io"], standalone_mode=False)


def test_items_of_page_props_alone_are_shown_too(tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "d.xml", xml_page(1, "Aa", "A river that is near [[Bb]], as many people know by now."),
                      xml_page(2, "Bb", "Another river without any link in the whole of it."))  # fmt: skip
    (tmp_path / "page_props.sql").write_text(
        "CREATE TABLE `page_props` (\n  `pp_page` int(10) NOT NULL,\n  `pp_propname` varbinary(60) NOT NULL,\n"
        "  `pp_value` blob NOT NULL,\n  `pp_sortkey` float DEFAULT NULL\n) ENGINE=InnoDB;\n"
        "INSERT INTO `page_props` VALUES (1,'wikibase_item','Q11',NULL),(2,'wikibase_item','Q22',NULL);\n"
    )
    sections = {"input": {"page_props": str(tmp_path / "page_props.sql"), "allow_other_dates": True}}
    build(tmp_path / "out", dump, sections=sections, until="vocabulary")
    assert "[Bb](Q22)" in inspect(tmp_path / "out", "Aa").output


def inspect(corpus: Path, page: str, *options: str) -> Result:
    return CliRunner().invoke(cli, ["inspect", str(corpus), "--page", page, *options])


ARTICLE = """\
Oslo  (page 11, revision 1011, article)
Categories: Capitals
Oslo is the capital of [Norway]. Its [port](Harbour) lies at the head of a fjord.

History
It burnt down in 1624.
- [Norwayn](Norway) kings
  - and bishops
; Term
: meaning
"""


def test_an_article_is_shown_with_its_links_in_brackets(corpus: Path) -> None:
    result = inspect(corpus, "Oslo", "--no-records")
    assert result.exit_code == 0
    assert result.output == ARTICLE


@pytest.mark.parametrize("page", ["Christiania", "Kristiania", "11", " Oslo ", "Oslo_", "oslo", "christiania"])
def test_redirects_page_ids_and_underscores_lead_to_the_article(corpus: Path, page: str) -> None:
    assert inspect(corpus, page, "--no-records").output == ARTICLE


def test_a_title_of_digits_comes_before_a_page_id(corpus: Path) -> None:
    assert inspect(corpus, "1624", "--no-records").output.startswith("1624  (page 16,")
    assert inspect(corpus, "16", "--no-records").output.startswith("1624  (page 16,")


def test_records_are_shown_with_their_entities(corpus: Path) -> None:
    output = inspect(corpus, "Norway").output
    assert output == (
        "Norway  (page 12, revision 1012, article)\n"
        "The country of which [Christiania] is the capital has many fjords.\n"
        "\n"
        f"Record 0: {tokens(corpus, 'Norway')} tokens, 1 sentences, 1 mentions\n"
        "The country of which [Christiania](Oslo) is the capital has many fjords.\n"
    )


def tokens(corpus: Path, title: str) -> int:
    from inline import rows

    return len(next(r for r in rows(corpus, "records") if r["title"] == title)["word_ids"])


def test_unknown_entities_are_shown_as_such(corpus: Path) -> None:
    output = inspect(corpus, "Oslo").output
    assert output.startswith(ARTICLE)
    assert "Its [port](not in the vocabulary) lies at" in output


def test_a_page_of_which_no_records_were_made(corpus: Path) -> None:
    assert inspect(corpus, "Osloo").output.splitlines()[-1] == "No records were made of this page."


@pytest.mark.parametrize(
    ("page", "hint"),
    [
        ("Osla", "near titles are 'Oslo', 'Osloo'"),
        ("fjord", "near titles are 'Fjord (landform)'"),
        ("Talk:Oslo", "the dump has that page, but it is of kind other_namespace"),
        ("Loop", "the dump has that page, but it is of kind reject"),
        ("Quite another thing", "no title is near it"),
        ("999", "no title is near it"),
        ("", "no title is near it"),
    ],
)
def test_a_missing_page_says_what_became_of_it(corpus: Path, page: str, hint: str) -> None:
    result = inspect(corpus, page)
    assert isinstance(result.exception, WikiprepError)
    assert result.exception.hint == hint
    assert result.exception.exit_code == 1


def test_a_corpus_without_records_shows_the_text_alone(tmp_path: Path) -> None:
    build(tmp_path / "out", write_dump(tmp_path / "d.xml", xml_page(11, "Oslo", OSLO)), until="extract")
    assert inspect(tmp_path / "out", "11").output == ARTICLE
    result = inspect(tmp_path / "out", "Bergen")
    assert isinstance(result.exception, WikiprepError)
    assert result.exception.hint == "look at the titles in articles/"


@pytest.mark.parametrize("command", ["inspect", "verify"])
def test_a_folder_that_is_no_corpus_is_named(tmp_path: Path, command: str) -> None:
    words = [command, str(tmp_path), *(["--page", "X"] if command == "inspect" else [])]
    result = CliRunner().invoke(cli, words)
    assert isinstance(result.exception, WikiprepError)
    assert str(tmp_path) in result.exception.what


def test_colour_stands_for_brackets_on_a_terminal(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    output = inspect(corpus, "Oslo", "--no-records").output
    assert "\x1b[" in output
    assert "[Norway]" not in output
    assert "Norway" in output


def test_a_machine_reads_the_same_as_a_person(sample_related: Path) -> None:
    made = orjson.loads(run(sample_related, "Solar System", "--json"))
    assert (made["title"], made["kind"], made["redirected_from"]) == ("Solar System", "article", None)
    for paragraph in made["paragraphs"]:
        for link in paragraph["links"]:
            assert paragraph["text"][link["start"] : link["end"]] == link["text"]
    links = [link for paragraph in made["paragraphs"] for link in paragraph["links"]]
    assert {"Q900000008"} == {link["qid"] for link in links if link["target"] == "Jupiter"}
    found = [
        (record["mentions"][it["head"]]["title"], it["label"], record["mentions"][it["tail"]]["title"])
        for record in made["records"]
        for it in record["relations"]
    ]
    assert ("Johannes Kepler", "student of", "Tycho Brahe") in found
    mentions = [mention for record in made["records"] for mention in record["mentions"]]
    assert {"link", "densified", "subject"} >= {mention["source"] for mention in mentions} > {"link"}
    assert all(mention["text"] in record["text"] for record in made["records"] for mention in record["mentions"])
    shown = inspect(sample_related, "Solar System").output
    assert sum(line.startswith("Record ") for line in shown.splitlines()) == len(made["records"])
    assert "records" not in orjson.loads(run(sample_related, "Solar System", "--json", "--no-records"))


def test_an_item_of_a_mention_without_an_entity_is_told(sample_related: Path) -> None:
    made = orjson.loads(run(sample_related, "Lowell Observatory", "--json"))
    unknown = [m for record in made["records"] for m in record["mentions"] if m["title"] == "[UNK]"]
    assert any(mention["qid"] for mention in unknown)


def run(corpus: Path, page: str, *words: str) -> str:
    result = CliRunner().invoke(cli, ["inspect", str(corpus), "--page", page, *words])
    assert result.exit_code == 0, result.output
    return result.output
