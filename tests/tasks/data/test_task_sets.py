"""The registry: names, splits, what is said of a set that is missing; and the real files, whole."""

from collections import Counter
from pathlib import Path

import pytest
from task_files import SMALL, real

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.data.sets import SETS, read, splits_of
from wikiprep.tasks.read_predicted import EXPECTED
from wikiprep.tasks.scorers import SCORERS
from wikiprep.tasks.task_names import TASKS


def test_every_task_is_everywhere() -> None:
    assert set(TASKS) == set(SETS) == set(SCORERS) == set(EXPECTED)


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("folder", ["", "none"])
def test_a_missing_set_says_where_it_is_from_under_which_terms_and_its_files(
    task: str, folder: str, tmp_path: Path
) -> None:
    for split in splits_of(task):
        with pytest.raises(WikiprepError) as caught:
            read(task, tmp_path / folder, split)
        source = SETS[task].source
        for part in (source.name, source.where, source.terms, *source.files[split]):
            assert part in str(caught.value)


def test_licensed_sets_are_named() -> None:
    with pytest.raises(WikiprepError, match="LDC2018T24"):
        read("tacred", SMALL, "train")
    with pytest.raises(WikiprepError, match=r"Reuters Corpus RCV1.*\n?.*") as caught:
        read("conll2003", SMALL, "dev")
    assert "eng.testa or valid.txt or dev.txt" in str(caught.value) and "clips" in str(caught.value)


def test_unknown_names() -> None:
    with pytest.raises(
        UsageError, match="no task is called 'conll'\n  did you mean 'conll2003'\\? tasks are open-entity"
    ):
        read("conll", SMALL, "dev")
    with pytest.raises(UsageError, match="squad has no split 'test'\n  it has train, dev"):
        read("squad", SMALL, "test")


def test_what_was_read_is_named() -> None:
    found = read("squad", SMALL / "squad", "dev")
    assert (found.task, found.split, [path.name for path in found.files]) == ("squad", "dev", ["dev-v1.1.json"])


def test_semeval2010_whole() -> None:
    parts = {
        split: read("semeval2010", real("semeval2010_task8"), split).examples for split in ("train", "dev", "test")
    }
    assert {split: len(examples) for split, examples in parts.items()} == {"train": 7208, "dev": 792, "test": 2717}
    assert len({example.id for examples in parts.values() for example in examples}) == 10717
    train, dev, test = (Counter(example.label for example in parts[split]) for split in ("train", "dev", "test"))
    assert len(train) == len(test) == 19 and set(dev) == set(train) - {"Entity-Destination(e2,e1)"}
    assert all(dev[label] == (train + dev)[label] // 10 for label in train)
    assert train["Other"] + dev["Other"] == 1410 and test["Other"] == 454
    assert not {example.text for example in parts["train"]} & {example.text for example in parts["dev"]}
    for example in (*parts["train"], *parts["dev"], *parts["test"]):
        for start, end in (example.head, example.tail):
            assert example.text[start:end] == example.text[start:end].strip() != ""
        assert "<e" not in example.text and "</e" not in example.text
    first = parts["test"][0]
    assert first.text == "The most common audits were about waste and recycling."
    assert (first.id, first.text[slice(*first.head)], first.text[slice(*first.tail)]) == ("8001", "audits", "waste")


def test_fewrel_whole() -> None:
    parts = {split: read("fewrel", real("fewrel"), split) for split in ("train", "dev", "test")}
    for split, each in (("train", 420), ("dev", 140), ("test", 140)):
        labels = Counter(example.label for example in parts[split].examples)
        assert len(labels) == 16 and set(labels.values()) == {each}
    assert len({example.id for part in parts.values() for example in part.examples}) == 16 * 700
    assert parts["test"].left_out == {"token: white space alone": 208, "mention: a further one of an entity": 438}
    first = parts["train"].examples[0]
    assert first.id == "P177-0" and first.text.startswith("In June 1987 , the Missouri Highway")
    assert first.text[slice(*first.head)] == "Cape Girardeau Bridge"
    assert first.text[slice(*first.tail)] == "Mississippi River"


def test_wnut17_whole() -> None:
    counts = {"train": (3394, 62730, 1975), "dev": (1009, 15733, 836), "test": (1287, 23394, 1079)}
    for split, expected in counts.items():
        documents = read("wnut17", real("wnut17"), split).examples
        sentences = [sentence for document in documents for sentence in document.sentences]
        words = sum(len(sentence.words) for sentence in sentences)
        mentions = [mention for sentence in sentences for mention in sentence.mentions]
        assert (len(sentences), words, len(mentions)) == expected and len(documents) == len(sentences)
        assert len({mention.type for mention in mentions}) == 6
