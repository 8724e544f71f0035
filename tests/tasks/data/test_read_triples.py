"""Sentences with triples: the three JSON forms and WebNLG's XML; every place that cannot be used is named."""

import json
import tarfile
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_files import real

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.data import joint, triple_forms, webnlg
from wikiprep.tasks.data.joint import ENRICHED, FULL, STARRED, of_sizes, read_file
from wikiprep.tasks.data.locate import places_of, words_at, words_of
from wikiprep.tasks.data.sets import read
from wikiprep.tasks.examples import JointExample, labels_of

TEXT = "Cape Town is the home of Rosa Lind , who left Cape Town ."
A = {
    "sentText": TEXT,
    "entityMentions": [{"text": "Rosa Lind", "label": "PERSON"}, {"text": "home", "label": "NONE"}],
    "relationMentions": [
        {"em1Text": "Rosa Lind", "em2Text": "Cape Town", "label": "lives in"},
        {"em1Text": "Rosa Lind", "em2Text": "home", "label": "None"},
    ],
}
B = {"text": TEXT, "triple_list": [["rosa  lind", "lives in", "Cape Town"]]}
C = {
    "id": 7,
    "text": TEXT,
    "relation_list": [
        {
            "subject": "Rosa Lind",
            "subj_char_span": [25, 34],
            "object": "Cape Town",
            "obj_char_span": [46, 55],
            "predicate": "lives in",
        }
    ],
}
XML = """<?xml version="1.0" ?><benchmark><entries><entry category="x" eid="Id1" size="2">
<modifiedtripleset><mtriple>Cape_Town | home | Rosa_Lind</mtriple>
<mtriple>Cape_Town | code | "27"</mtriple></modifiedtripleset>
<lex lid="Id1"><references>
<reference entity="Cape_Town" number="1" type="pronoun">It</reference>
<reference entity="Rosa_Lind" number="2" type="name">Rosa Lind 's</reference>
<reference entity="Cape_Town" number="3" type="name">Cape Town</reference>
<reference entity="" number="4" type="name">Rosa</reference>
<reference entity='"27"' number="5" type="name">`` 28 ''</reference>
</references><text>It is Rosa Lind's home: Cape  town.</text></lex>
<lex lid="Id2"><references/><text> </text></lex></entry></entries></benchmark>"""


def write(path: Path, *objects: object, lines: bool = True) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in objects) if lines else json.dumps(objects))
    return path


def shown(example: JointExample) -> tuple[list[str], list[tuple[str, str, str]]]:
    return [example.text[slice(*span)] for span in example.entities], [
        (triple.subject, triple.relation, triple.object) for triple in example.triples
    ]


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize(
    ("sentence", "entities", "name", "tail"),
    [
        (A, ["Cape Town", "home", "Rosa Lind"], "0", (0, 9)),
        (B, ["Cape Town", "Rosa Lind"], "0", (0, 9)),
        (C, ["Rosa Lind", "Cape Town"], "7", (46, 55)),
    ],
)
def test_the_forms(
    sentence: dict, entities: list[str], name: str, tail: tuple[int, int], lines: bool, tmp_path: Path
) -> None:
    (example,) = read_file(write(tmp_path / "x.json", sentence, lines=lines), Counter())
    assert shown(example) == (entities, [("Rosa Lind", "lives in", "Cape Town")])  # in the text's own case
    assert (example.id, example.form, example.triples[0].tail) == (name, FULL, tail)
    assert labels_of([example]) == {"lives in": 1}


def test_names_of_one_word_alone_are_the_starred_form(tmp_path: Path) -> None:
    starred = {"text": TEXT, "triple_list": [["Lind", "lives in", "Town"]]}
    assert {e.form for e in read_file(write(tmp_path / "x.json", starred), Counter())} == {STARRED}
    assert {e.form for e in read_file(write(tmp_path / "x.json", starred, B), Counter())} == {FULL}
    nothing = {"text": TEXT, "triple_list": []}
    assert {e.form for e in read_file(write(tmp_path / "x.json", nothing), Counter())} == {FULL}


def test_what_is_left_out_is_counted_and_stays_gold(tmp_path: Path) -> None:
    twice = {
        "text": "Rosa in Rome.",
        "triple_list": [["Rosa", "r", "Rome"], ["Rosa", "r", "Rome"], ["X Y", "r", "Rome"]],
    }
    left_out: Counter[str] = Counter()
    example, _ = read_file(write(tmp_path / "x.json", twice, {"text": "None.", "triple_list": []}), left_out)
    assert left_out == {triple_forms.TWICE: 1, triple_forms.NOT_THERE: 1, triple_forms.NO_TRIPLE: 1}
    assert [(t.subject, t.head, t.located) for t in example.triples] == [("Rosa", (0, 4), True), ("X Y", None, False)]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('{"text": "a", "triple_list": [["a", "b"]]}', ":1: triple_list[0]: is not [subject"),
        ('{"text": "a", "triple_list": [["a", "b", " "]]}', ":1: triple_list[0]: is not [subject"),
        ('{"text": "a", "triple_list": [["a", "b", 3]]}', ":1: triple_list[0]: is not [subject"),
        ('{"text": " ", "triple_list": []}', ":1: the text is empty"),
        ('{"triple_list": []}', ':1: has no text "text"'),
        (json.dumps(A).replace('"label"', '"x"'), ':1: relationMentions[0]: has no text "label"'),
        ('{"text": "a", "triple_list": []}\n{"sentText": "b"}', ":2: is of form (a), the sentence before of form (b)"),
        ('{"text": "a", "triple_list": []}\n{"tokens": []}', ":2: has none of"),
        ('{"text": "a", "triple_list": []}\n{"te', ":2: not JSON"),
        ('[{"text": "a", "triple_list": []}, 3]', ": [1]: is not an object"),
        (json.dumps(C | {"id": "x"}) + "\n" + json.dumps(C | {"id": "x"}), ":2: id 'x' was there before"),
        (json.dumps(C).replace("[25, 34]", "[25, 99]"), ":1: relation_list[0]: [25, 99) is no span of the text"),
        (json.dumps(C).replace("[25, 34]", "[25, 33]"), ":1: relation_list[0]: [25, 33) is 'Rosa Lin', not 'Rosa"),
        (json.dumps(C).replace("[25, 34]", '["a", 33]'), ':1: relation_list[0]: "subj_char_span" is not [start, end]'),
    ],
)  # fmt: skip
def test_a_damaged_place_is_named(content: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(WikiprepError) as caught:
        read_file(path, Counter())
    assert str(caught.value).startswith(f"{path}{what}"), caught.value


def test_xml(tmp_path: Path) -> None:
    path, left_out = tmp_path / "x.xml", Counter[str]()
    path.write_text(XML)
    (example,) = read_file(path, left_out)
    assert shown(example) == (
        ["Rosa Lind", "Cape  town"],
        [("Cape town", "home", "Rosa Lind"), ("Cape town", "code", "27")],
    )
    assert example.form == ENRICHED and example.id == "Id1/Id1"
    assert not example.triples[1].located and example.triples[0].head == (24, 34)  # its name, not the pronoun before
    assert left_out == {
        webnlg.NO_TEXT: 1,
        webnlg.NO_ENTITY: 1,
        webnlg.NOT_THERE: 1,
        webnlg.NO_REFERENCE: 1,
        triple_forms.TWICE: 0,
    }


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("</entries>", "", "not XML (mismatched tag: line 11"),
        ("<?xml", "<!DOCTYPE x><?xml", "has a document type of its own"),
        ("entry category", "other category", "not XML"),
        (' eid="Id1"', "", "<entry> has no eid"),
        (' lid="Id1"', "", "entry Id1: <lex> has no lid"),
        ("Cape_Town | home | Rosa_Lind", "Cape_Town | home", "entry Id1, triple 1: 'Cape_Town | home' is not subject"),
        ("<text> </text>", "", "entry Id1, text Id2: has no <text>"),
    ],
)
def test_damaged_xml_is_named(old: str, new: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "x.xml"
    path.write_text(XML.replace(old, new, 1))
    with pytest.raises(WikiprepError) as caught:
        read_file(path, Counter())
    assert str(caught.value).startswith(f"{path}: {what}"), caught.value


def archive(folder: Path, name: str = "w.tar.xz") -> Path:
    for split in joint.SPLITS:
        (folder / "en" / split / "2triples").mkdir(parents=True, exist_ok=True)
        (folder / "en" / split / "2triples/x.xml").write_text(XML)
    (folder / "pack").mkdir(exist_ok=True)
    with tarfile.open(folder / "pack" / name, "w:xz") as tar:
        tar.add(folder / "en", "en")
    return folder / "pack" / name


def test_the_archive_and_its_folders_are_one(tmp_path: Path) -> None:
    packed = archive(tmp_path)
    examples = [read("webnlg", at, "dev").examples for at in (packed, packed.parent, tmp_path, tmp_path / "en")]
    assert examples[0][0].id == "2triples/x/Id1/Id1" and all(found == examples[0] for found in examples)
    packed.write_bytes(packed.read_bytes()[:200])
    with pytest.raises(WikiprepError, match=r"w\.tar\.xz: cannot be read"):
        read("webnlg", packed, "dev")
    archive(tmp_path, "v.tar.xz")
    with pytest.raises(WikiprepError, match=r"one archive of WebNLG is needed, there: v\.tar\.xz, w\.tar\.xz"):
        read("webnlg", packed.parent, "dev")
    (tmp_path / "en/test/2triples/x.xml").write_text("<a/>")
    with pytest.raises(WikiprepError, match=r"2triples/x\.xml: has no entries"):
        read("webnlg", tmp_path, "test")


def test_sizes() -> None:
    examples = [JointExample(str(n), "a", (), tuple(f"t{i}" for i in range(n)), "") for n in range(5)]  # type: ignore[misc]
    assert [e.id for e in of_sizes(examples, "1,3-4")] == ["1", "3", "4"]
    assert len(of_sizes(examples, "all")) == 5
    for bad in ("", "a", "3-1", "1-", "-2", "1,,2", "1-9999999"):
        with pytest.raises(UsageError, match="no numbers of triples"):
            of_sizes(examples, bad)


def test_names_are_found_as_whole_words_case_and_white_space_apart() -> None:
    text = "“AIP Adv.” is of the U.S., in Indonesian: abilene,\nTexas or Abilene , Texas"
    assert [words_at(text, span) for span in places_of("Abilene, Texas", text)] == [
        "Abilene , Texas"
    ]  # its own case first
    assert [words_at(text, span) for span in places_of("abilene , texas", text)] == [
        "abilene, Texas",
        "Abilene , Texas",
    ]
    assert [text[slice(*span)] for span in places_of("`` AIP Adv . ''", text)] == ["AIP Adv."]
    assert places_of("Indonesia", text) == [] == places_of('""', text)
    text = "Bean's U.S. trip,so 1958-06-21 'to' 1,234:5"
    words = "Bean 's U.S . trip , so 1958-06-21 ' to ' 1,234:5"
    assert [text[slice(*span)] for span in words_of(text)] == words.split()


@given(st.text(alphabet="aB c.'é-“\n", max_size=30), st.data())
def test_whole_words_of_any_text_are_found_in_it(text: str, data: st.DataObject) -> None:
    words = words_of(text)
    assert all(a < b <= c for (a, b), (c, _) in pairwise(words))
    assert "".join(text.split()) == "".join(text[a:b] for a, b in words)
    if words:
        first = data.draw(st.integers(0, len(words) - 1))
        start, end = words[first][0], words[data.draw(st.integers(first, len(words) - 1))][1]
        name = text[start:end]
        if name.strip("\"'“").strip() == name and "''" not in name:
            assert "".join(name.split()) in {"".join(text[a:b].split()) for a, b in places_of(name, text)}


def test_webnlg_whole() -> None:
    found = read("webnlg", real("webnlg"), "dev")
    triples = [triple for example in found.examples for triple in example.triples]
    assert (len(found.examples), len(triples), len(of_sizes(found.examples, "1,2"))) == (2262, 6779, 947)
    assert sum(triple.located for triple in triples) == 6212  # 91.6 %
    assert found.left_out[webnlg.NO_TEXT] == 6
