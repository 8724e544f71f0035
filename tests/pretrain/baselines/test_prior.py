"""The two guesses without a model: counted on training pages alone, by hand and against a plain count."""

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from inline import build, write_dump, xml_page

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.pretrain.baselines.prior import Guesses, count, guesses_of, pieces_of
from wikiprep.records.held_out import is_held_out
from wikiprep.records.reader import RecordReader
from wikiprep.records.training_corpus import open_corpus


def test_ties_and_unknown_names() -> None:
    guesses = Guesses(np.array([0, 0, 0, 2, 5, 5]), {"a": 3})
    assert guesses.commonest == 4
    assert guesses.prior("a") == 3
    assert guesses.prior("never seen") == 4
    assert Guesses(np.zeros(5, np.int64), {}).prior("a") == 1  # [UNK]: no target is it, so it is never right


def test_held_out_pages_are_not_counted(tmp_path: Path) -> None:
    # "Rome" means Roma on one page a number, Rome (Georgia) on two; which of them are held out decides the answer.
    numbers = np.arange(10, 60)
    held = is_held_out(numbers, 0.5)
    inside, outside = numbers[held][:5].tolist(), numbers[~held][:4].tolist()
    text = "{} is a town with a long name, and many words are said of [[{}|Rome]] here and there in it."
    pages = [xml_page(1, "Roma", "A city."), xml_page(2, "Georgia", "A town.")]
    pages += [xml_page(n, f"Page {n}", text.format(f"Page {n}", "Roma")) for n in inside]
    pages += [xml_page(n, f"Page {n}", text.format(f"Page {n}", "Georgia")) for n in outside]
    build(tmp_path / "corpus", write_dump(tmp_path / "dump.xml", *pages))
    corpus = open_corpus(str(tmp_path / "corpus"), 0.5)
    pieces = pieces_of(load_tokenizer(tmp_path / "corpus" / "tokenizer" / "tokenizer.json"))
    guesses = guesses_of([count([corpus], pieces, {"Rome", "nothing"})], 10)
    reader = RecordReader(corpus)
    of_training = [reader.read(n).entity_ids.tolist() for n in range(len(reader)) if n not in corpus.split.held_out]
    georgia = next(ids[0] for ids in of_training if ids)
    assert guesses.counts[georgia] == 4 == guesses.counts.sum()
    assert guesses.by_name == {"Rome": georgia}


def test_as_a_plain_count(sample_corpus: Path) -> None:
    corpus = open_corpus(str(sample_corpus), 0.3)
    tokenizer = load_tokenizer(sample_corpus / "tokenizer" / "tokenizer.json")
    reader = RecordReader(corpus)
    meant: dict[str, Counter[int]] = defaultdict(Counter)
    total: Counter[int] = Counter()
    for number in sorted(set(range(len(reader))) - set(corpus.split.held_out.tolist())):
        record = reader.read(number)
        for entity, start, end in zip(record.entity_ids, record.entity_starts, record.entity_ends, strict=True):
            if entity != 1:
                name = "".join(tokenizer.id_to_token(int(token)) for token in record.word_ids[start:end])
                meant[name.lstrip("Ġ")][int(entity)] += 1
                total[int(entity)] += 1
    asked = set(sorted(meant)[::2])
    guesses = guesses_of([count([corpus], pieces_of(tokenizer), asked, part, 3) for part in range(3)], 1000)
    assert {entity: int(n) for entity, n in enumerate(guesses.counts) if n} == total
    assert set(guesses.by_name) == asked
    for name, entity in guesses.by_name.items():
        assert meant[name][entity] == max(meant[name].values())
    assert total[guesses.commonest] == max(total.values())


def test_damaged_numbers(sample_corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = open_corpus(str(sample_corpus), 0.3)
    with pytest.raises(Exception, match=r"records/part-.*batch 0: cannot be counted"):
        count([corpus], pa.array(["a"]), set())  # a tokenizer of one token
