"""Mentions of BC5CDR: PubTator form and CoNLL columns."""

from collections import Counter
from pathlib import Path

import pytest

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data.bc5cdr import ELSEWHERE, SOURCE, read_mentions, sentences_of
from wikiprep.tasks.data.pubtator import read_pubtator

TITLE = "Toxicity of digoxin."
ABSTRACT = "Patients had renal and hepatic toxicity. Low gave no. 5 fluorouracil. Then 𝛼-digoxin helped."


def mention(name: str, kind: str, ids: str, text: str = f"{TITLE} {ABSTRACT}", more: str = "") -> str:
    start = text.index(name)
    return f"7\t{start}\t{start + len(name)}\t{name}\t{kind}\t{ids}{more}"


LINES = [
    f"7|t|{TITLE}",
    f"7|a|{ABSTRACT}",
    mention("digoxin", "Chemical", "D004077"),
    mention("renal and hepatic toxicity", "Disease", "D007674|D056486", more="\trenal toxicity|hepatic toxicity"),
    mention("5 fluorouracil. Then", "Chemical", "-1"),  # over what would be two sentences
    mention("𝛼-digoxin", "Chemical", "D004077"),
    "7\tCID\tD004077\tD007674",
]


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_mentions_of_pubtator(tmp_path: Path) -> None:
    path = write(tmp_path / "x.txt", [*LINES, "", "8|t|Nothing", "8|a|", "", ""])
    read, left_out = Counter(), Counter()
    found = list(read_mentions(path, read, left_out))
    assert [(one.text[slice(*one.span)], one.labels) for one in found] == [
        ("digoxin", ("Chemical",)),
        ("renal and hepatic toxicity", ("Disease",)),
        ("5 fluorouracil. Then", ("Chemical",)),
        ("𝛼-digoxin", ("Chemical",)),
    ]
    assert [one.text for one in found[:2]] == [TITLE, "Patients had renal and hepatic toxicity."]
    assert found[2].text == found[3].text == "Low gave no. 5 fluorouracil. Then 𝛼-digoxin helped."
    assert [one.id for one in found] == ["7-0", "7-1", "7-2", "7-3"]
    counts = {"documents": 2, "sentences": 4, "relations": 1, "mentions: Chemical": 3, "mentions: Disease": 1}
    assert +read == counts | {"mentions: composite": 1} and not +left_out


def test_a_document_and_its_sentences(tmp_path: Path) -> None:
    (document,) = read_pubtator(write(tmp_path / "x.txt", LINES))
    assert document.relations == [("CID", "D004077", "D007674")]
    assert document.mentions[1].ids == ("D007674", "D056486") and document.mentions[1].line == 4
    document.mentions.clear()  # then no boundary is within one
    shown = [document.text[slice(*span)] for span in sentences_of(document)]
    assert shown[2:] == ["Low gave no. 5 fluorouracil.", "Then 𝛼-digoxin helped."]


def test_columns(tmp_path: Path) -> None:
    path = write(tmp_path / "train.tsv", ["Renal\tB-Disease", "toxicity\tI-Disease", "of\tO", "zinc\tB-Chemical", ""])
    read: Counter[str] = Counter()
    found = list(read_mentions(path, read, Counter()))
    assert [(one.id, one.text[slice(*one.span)], one.labels[0]) for one in found] == [
        ("0-0", "Renal toxicity", "Disease"),
        ("0-1", "zinc", "Chemical"),
    ]
    assert read == {"sentences": 1, "mentions: Disease": 1, "mentions: Chemical": 1}


@pytest.mark.parametrize(
    "place, line, said",
    [
        (0, "7|a|x", "x.txt:1: has one column"),  # no PubTator, so columns are what it would be
        (1, "8|a|x", r":2: behind a title stands 7\|a\|abstract"),
        (1, "", ":2: document 7 has no abstract|:3: is neither title nor abstract|:1: document 7 has no abstract"),
        (2, "8\t0\t3\tTox\tDisease\tD1", ":3: of document '8', within 7"),
        (2, "7\t0\t3\tTox\tDisease", ":3: has 5 columns"),
        (2, "7\t0\tx\tTox\tDisease\tD1", ":3: '0' and 'x' are no places"),
        (2, "7\t0\t999\tTox\tDisease\tD1", r":3: \[0, 999\) is no span of a text of \d+ characters"),
        (2, "7\t8\t9\tTox\tDisease\tD1", ":3: the mention has no type, or no text"),
        (2, "7\t0\t3\tTox\t \tD1", ":3: the mention has no type, or no text"),
        (2, "no line", ":3: of document 'no line', within 7"),
        (2, "7\t1\t4\tTox\tDisease\tD1", r":3: \[1, 4\) is 'oxi', not 'Tox'; and so 1 of 4 mentions"),
        (2, "\n7|t|again\n7|a|x", "id '7' was there before"),
    ],
)
def test_what_is_damaged_is_named(place: int, line: str, said: str, tmp_path: Path) -> None:
    path = write(tmp_path / "x.txt", [*LINES[:place], line, *LINES[place + 1 :]])
    with pytest.raises(WikiprepError, match=said):
        list(read_mentions(path, Counter(), Counter()))


def test_one_mention_in_a_thousand_may_stand_elsewhere(tmp_path: Path) -> None:
    path = write(tmp_path / "x.txt", [*LINES[:2], *[LINES[2]] * 200, "7\t1\t4\tTox\tDisease\tD1"])
    left_out: Counter[str] = Counter()
    assert len(list(read_mentions(path, Counter(), left_out))) == 200
    assert left_out == {ELSEWHERE: 1}


def test_where_it_comes_from(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=r"BioCreative V.*track-3-cdr"):
        SOURCE.find(tmp_path, "dev")
