"""What is guessed of a name that training does not have, by titles that begin alike."""

from pathlib import Path

import numpy as np
import pytest
from building import TOKENIZER
from tokenizers import Tokenizer, models, normalizers

from wikiprep.corpus.spans import UNK
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.inference.evaluation.entities import like_titles
from wikiprep.inference.evaluation.title_prefixes import Titles
from wikiprep.pretrain.baselines.prior import Guesses
from wikiprep.pretrain.baselines.targets import Targets
from wikiprep.pretrain.luke.corpus_entities import read_entities, vocabulary_path

TITLES = ["Rome", "Rome, Georgia", "Romeo and Juliet", "Latveja", "New York (state)", "New Yorker", "Zürich", "Om"]
COUNTS = np.array([1, 2, 90, 5, 5, 9, 1, 1])


@pytest.fixture(scope="module")
def titles() -> Titles:
    return Titles(np.arange(len(TITLES)), TITLES, load_tokenizer(TOKENIZER))


@pytest.mark.parametrize(
    ("name", "guess", "like"),
    [
        ("Rome", "Rome", ["Rome", "Rome, Georgia", "Romeo and Juliet"]),  # the title itself, however rare
        ("rome", "Rome", ["Rome", "Rome, Georgia", "Romeo and Juliet"]),  # a link's first letter may be small
        ("NewĠYork", "New York (state)", ["New York (state)", "New Yorker"]),  # a whole word before more mentions
        ("Rom", "Romeo and Juliet", ["Rome", "Rome, Georgia", "Romeo and Juliet"]),  # the most mentions
        ("Latvejis", "Latveja", ["Latveja"]),  # inflected
        ("ZÃ¼richer", "Zürich", ["Zürich"]),  # bytes, as the tokenizer writes them
        ("Latgola", None, []),  # "Lat" is less than half
        ("Om", None, []),  # too short to say anything
        ("Quito", None, []),
        ("", None, []),
    ],
)
def test_guesses(titles: Titles, name: str, guess: str | None, like: list[str]) -> None:
    found = titles.guess(name, COUNTS)
    assert (None if found is None else TITLES[found]) == guess
    assert [TITLES[number] for number in titles.like(name)] == like


def test_names_of_word_pieces_have_no_spaces_and_perhaps_no_capitals() -> None:
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    found = Titles(np.arange(len(TITLES)), TITLES, tokenizer)
    assert [TITLES[number] for number in found.like("newyork")] == ["New York (state)", "New Yorker"]
    assert [TITLES[number] for number in found.like("zurich")] == ["Zürich"]


def test_names_that_training_lacks_are_looked_for_in_the_vocabulary(sample_corpus: Path) -> None:
    ids = read_entities(vocabulary_path(sample_corpus)).ids
    names = ["Mars", "Mars", "Nothing there is", "Earth"]
    targets = Targets(np.array([ids["Mars"], ids["Mars"], 5, UNK]), names, np.arange(4))
    found = like_titles(targets, Guesses(np.zeros(4, np.int64), {}), sample_corpus)
    assert set(found) == {"Mars", "Nothing there is"}  # [UNK] is no target
    like, guess = found["Mars"]
    assert guess == ids["Mars"] and guess in like.tolist()
    assert found["Nothing there is"][1] is None
    assert like_titles(targets, Guesses(np.zeros(4, np.int64), dict.fromkeys(names, 5)), sample_corpus) == {}


def test_no_title() -> None:
    found = Titles(np.zeros(0, np.int64), [], load_tokenizer(TOKENIZER))
    assert found.guess("Rome", COUNTS) is None and not len(found.like("Rome"))
