"""Readers of GLUE and COPA: columns by name, no quoting, short rows, both forms of COPA, and what is damaged."""

import json
from collections import Counter
from pathlib import Path

import pytest
from task_files import SMALL, real

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.data import copa
from wikiprep.tasks.data.glue import GLUE, SHORT, UNDECIDED
from wikiprep.tasks.data.sets import read, splits_of, splits_there


def write(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_a_quotation_mark_is_a_letter_and_a_mark_at_the_start_of_a_file_is_none() -> None:
    dev = {task: read(task, SMALL / task, "dev").examples for task in GLUE}
    assert dev["glue/cola"][0].text == 'She said "go" and left.' and dev["glue/cola"][0].second is None
    assert dev["glue/sst2"][0].text == 'a warm , "quiet" film'
    assert [one.label for one in dev["glue/mrpc"]] == ["1", "0"]
    assert dev["glue/mrpc"][0].text == 'The bank "grew" in May .'
    assert [one.label for one in dev["glue/stsb"]] == ["4.800", "0.200", "2.500"]
    assert dev["glue/stsb"][0].second == "A dog is running."
    assert (dev["glue/qnli"][0].text, dev["glue/qnli"][0].second) == ("Who wrote it?", "Ann wrote it.")
    assert [one.label for one in dev["glue/mnli"]] == ["contradiction", "entailment", "neutral"]


def test_short_rows_are_counted_and_ids_are_the_column_or_the_row() -> None:
    found = read("glue/qqp", SMALL / "glue/qqp", "dev")
    assert [one.id for one in found.examples] == ["4", "6"] and found.left_out == {SHORT: 1}
    assert [one.id for one in read("glue/sst2", SMALL / "glue/sst2", "dev").examples] == ["0", "1"]


def test_separators_of_unicode_within_a_sentence_and_windows_line_ends_make_no_rows(tmp_path: Path) -> None:
    (tmp_path / "dev.tsv").write_bytes("sentence\tlabel\r\nfine\u2028 and \x85warm\t1\r\n\r\nbad\t0".encode())
    found = read("glue/sst2", tmp_path, "dev").examples
    assert [(one.text, one.label) for one in found] == [("fine\u2028 and \x85warm", "1"), ("bad", "0")]


def test_mnli_has_two_development_and_test_parts_and_rows_without_gold(tmp_path: Path) -> None:
    assert splits_of("glue/mnli") == ("train", "dev", "dev_mismatched")
    head = "index\tsentence1\tsentence2\tgold_label"
    write(tmp_path / "dev_matched.tsv", head, "0\ta\tb\t-", "1\ta\tb\tneutral")
    assert read("glue/mnli", tmp_path, "dev").left_out == {UNDECIDED: 1}
    assert splits_there("glue/mnli", tmp_path) == splits_of("glue/mnli")
    write(tmp_path / "test_mismatched.tsv", "index\tsentence1\tsentence2", "0\ta\tb")
    assert splits_there("glue/mnli", tmp_path)[-1] == "test_mismatched"
    (test,) = read("glue/mnli", tmp_path, "test_mismatched").examples
    assert (test.text, test.second, test.label) == ("a", "b", None)


def test_a_closed_test_of_cola_has_a_header_though_dev_has_none(tmp_path: Path) -> None:
    write(tmp_path / "test.tsv", "index\tsentence", "0\tBill ran.")
    (one,) = read("glue/cola", tmp_path, "test").examples
    assert (one.id, one.text, one.label) == ("0", "Bill ran.", None)
    with pytest.raises(UsageError, match="has no split 'dev_mismatched'"):
        read("glue/cola", tmp_path, "dev_mismatched")


@pytest.mark.parametrize(
    "task, lines, said",
    [
        ("glue/rte", ("index\tsentence1\tsentence2", "0\ta\tb\tentailment"), r"dev\.tsv:1: .* names no column 'label'"),
        ("glue/rte", ("index\tsentence1\tsentence2\tlabel", "0\ta\tb\tyes"), r"dev\.tsv:2: 'yes' is no label of RTE"),
        ("glue/cola", ("x\t2\t\tfine",), r"dev\.tsv:1: '2' is no label of CoLA, 0 or 1"),
        ("glue/stsb", ("index\tsentence1\tsentence2\tscore", "0\ta\tb\tnan"), r"dev\.tsv:2: 'nan' is no number"),
        ("glue/rte", ("index\tsentence1\tsentence2\tlabel", *["3\ta\tb\tentailment"] * 2), r"dev\.tsv:3: id '3' was"),
    ],
)
def test_what_is_damaged_is_named_by_file_and_line(
    task: str, lines: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    write(tmp_path / "dev.tsv", *lines)
    with pytest.raises(WikiprepError, match=said):
        read(task, tmp_path, "dev")


def test_a_training_file_of_another_size_than_published_is_told() -> None:
    found = read("glue/cola", real("glue/CoLA"), "train")
    assert (len(found.examples), found.left_out) == (7250, Counter())
    assert found.notes == ("7,250 examples, the published file of CoLA has 8,551: is a part of it split off?",)
    assert read("glue/cola", real("glue/CoLA"), "dev").notes == ()
    sizes = {
        (task, split): len(read(task, real(folder), split).examples)
        for task, folder in (("glue/rte", "glue/RTE"), ("glue/wnli", "glue/WNLI"))
        for split in ("train", "dev")
    }
    assert list(sizes.values()) == [2127, 277, 518, 71]


def lines_of(count: int, first: int = 0) -> list[str]:
    return [
        json.dumps({"premise": f"p{n}", "choice1": "a", "choice2": "b", "question": "cause", "label": n % 2, "idx": n})
        for n in range(first, first + count)
    ]


def test_copa_in_both_forms(tmp_path: Path) -> None:
    wet, cup = read("copa", SMALL / "copa", "test").examples
    assert (wet.id, wet.premise, wet.asks_for, wet.label) == ("501", "The lawn was wet & green.", "cause", "choice2")
    assert (cup.alternatives, cup.label) == (("It broke.", "It sang."), "choice1")
    write(tmp_path / "train.jsonl", *lines_of(3))
    write(tmp_path / "val.jsonl", *lines_of(2))
    write(tmp_path / "test.jsonl", '{"premise": "p", "choice1": "a", "choice2": "b", "question": "effect", "idx": 0}')
    assert [one.label for one in read("copa", tmp_path, "train").examples] == ["choice1", "choice2", "choice1"]
    assert [one.label for one in read("copa", tmp_path, "test").examples] == [None]


def xml(count: int) -> str:
    texts = "<p>p{}</p><a1>a</a1><a2>b</a2>"
    items = "".join(
        f'<item id="{n}" asks-for="effect" most-plausible-alternative="{n % 2 + 1}">{texts.format(n)}</item>'
        for n in range(count)
    )
    return f"<copa-corpus>{items}</copa-corpus>"


def test_the_xml_of_development_is_split_four_to_one_and_never_beside_lines_of_the_same_examples(
    tmp_path: Path,
) -> None:
    write(tmp_path / "copa-dev.xml", xml(500))
    parts = [{one.id for one in read("copa", tmp_path, split).examples} for split in ("train", "dev")]
    assert [len(part) for part in parts] == [400, 100] and not parts[0] & parts[1]
    write(tmp_path / "train.jsonl", *lines_of(3))
    with pytest.raises(WikiprepError, match=r"has one of train\.jsonl and val\.jsonl, not both"):
        read("copa", tmp_path, "dev")


@pytest.mark.parametrize(
    "text, said",
    [
        ('<copa-corpus>\n<item id="1" asks-for="why">', r"xml:3: not XML \(no element found\)"),
        ('<c>\n<item id="1" asks-for="why"><p>p</p><a1>a</a1><a2>b</a2></item></c>', r"xml:2: an item needs id"),
        ('<c>\n\n<item id="1"><p>p</p><a1> </a1><a2>b</a2></item></c>', r"xml:3: the item has no <a1>"),
    ],
)
def test_damaged_xml_is_named_by_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=said):
        list(copa.read_file(write(tmp_path / "copa-test.xml", text), Counter()))


def test_damaged_lines_of_copa_are_named(tmp_path: Path) -> None:
    path = write(tmp_path / "val.jsonl", *lines_of(1), lines_of(1)[0].replace('"label": 0', '"label": 2'))
    with pytest.raises(WikiprepError, match=r"val\.jsonl:2: label is 2"):
        list(copa.read_file(path, Counter()))
    path = write(tmp_path / "val.jsonl", lines_of(1)[0].replace("cause", "why"))
    with pytest.raises(WikiprepError, match=r"val\.jsonl:1: question is 'why'"):
        list(copa.read_file(path, Counter()))
