"""Candidates, passes and decoding of named entities as classified spans."""

from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.tasks.examples import Mention, TaggedDocument, TaggedSentence
from wikiprep.tasks.options import NerOptions
from wikiprep.tasks.pieces import Pieces
from wikiprep.tasks.span_ner import LONG_MENTION, MOST_CANDIDATES, NerTask, PlacedSentence, greedy
from wikiprep.tasks.task import Inputs

TOKENIZER = Path(__file__).parents[2] / "wikiprep/sample/tokenizer/tokenizer.json"
LABELS = ("O", "LOC", "PER")


@cache
def _pieces() -> Pieces:
    return Pieces(load_tokenizer(TOKENIZER), (), "the sample's")


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    return Inputs(_pieces(), {label: n for n, label in enumerate(LABELS)}, 64, 30, True)


def sentence(words: list[str], mentions: tuple[tuple[int, int, str], ...] = ()) -> TaggedSentence:
    spans, at = [], 0
    for word in words:
        spans.append((at, at + len(word)))
        at += len(word) + 1
    found = tuple(Mention(spans[a][0], spans[b - 1][1], kind) for a, b, kind in mentions)
    return TaggedSentence("1", " ".join(words), tuple(spans), ("O",) * len(words), found)


def placed(*sentences: TaggedSentence, number: int = 0) -> PlacedSentence:
    return PlacedSentence(TaggedDocument("d", sentences), number)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.text("abcXYZé1.'", min_size=1, max_size=9), min_size=1, max_size=30),
    st.integers(20, 64),
    st.sampled_from([1, 6, 16]),
)
def test_each_span_of_words_is_a_candidate_once_over_all_passes(words: list[str], most: int, longest: int) -> None:
    pieces = _pieces()
    asked = Inputs(pieces, {"O": 0}, most, 30, True)
    around = sentence(["before", "it"]), sentence(words), sentence(["behind", "it"])
    task = NerTask("conll2003", NerOptions(max_span_subwords=longest))
    made = task.features(placed(*around, number=1), 0, asked, Counter())
    lengths = [
        len(pieces.encode(w, space=not (w.startswith("'") or (len(w) == 1 and not w.isalnum())))) or 1 for w in words
    ]
    ends = np.cumsum([0, *lengths])
    expected = {
        (a, b)
        for a in range(len(words))
        for b in range(a + 1, len(words) + 1)
        if ends[b] - ends[a] <= longest and ends[b] <= most - 2
    }
    found = [tuple(span) for one in made for span in one.origins.tolist()]
    assert len(found) == len(set(found)) and set(found) == expected
    assert all(len(one.origins) <= MOST_CANDIDATES for one in made)
    assert len({one.word_ids.tobytes() for one in made}) <= 1  # the same words in every pass
    sizes = [len(one.origins) for one in made]
    assert not sizes or max(sizes) - min(sizes) <= 1
    for one in made:
        assert len(one.word_ids) <= most
        for (a, b), start, end in zip(one.origins.tolist(), one.entity_starts, one.entity_ends, strict=True):
            own = [t for w, n in zip(words[a:b], lengths[a:b], strict=True) for t in _ids(pieces, w, n)]
            assert one.word_ids[start:end].tolist() == own
            assert (one.places[:, 0] == one.entity_starts).all() and (one.places[:, 1] == one.entity_ends - 1).all()


def _ids(pieces: Pieces, word: str, count: int) -> list[int]:
    glued = word.startswith("'") or (len(word) == 1 and not word.isalnum())
    return pieces.encode(word, space=not glued) or [pieces.unknown] * count


def test_a_sentence_stands_in_as_much_of_its_document_as_fits(inputs: Inputs) -> None:
    long = sentence(["word"] * 100)
    made = NerTask("conll2003").features(placed(long, sentence(["Mars"]), long, number=1), 0, inputs, Counter())
    assert [len(one.word_ids) for one in made] == [inputs.most]
    own = len(inputs.pieces.encode("Mars"))
    assert made[0].entity_starts[0] == 1 + (inputs.most - 2 - own) // 2


def test_mentions_that_cannot_be_found_are_counted(inputs: Inputs) -> None:
    left_out: Counter[str] = Counter()
    words = ["a"] * 20
    NerTask("conll2003").features(placed(sentence(words, ((0, 18, "LOC"), (18, 19, "PER")))), 0, inputs, left_out)
    assert left_out[LONG_MENTION] == 1


def test_labels_of_candidates_are_those_of_the_mentions(inputs: Inputs) -> None:
    made = NerTask("conll2003").features(
        placed(sentence(["Io", "orbits", "it"], ((0, 1, "LOC"),))), 0, inputs, Counter()
    )
    labels = {tuple(span): label for one in made for span, label in zip(one.origins.tolist(), one.labels, strict=True)}
    assert labels.pop((0, 1)) == LABELS.index("LOC")
    assert set(labels.values()) == {0}


def test_greedy_takes_the_best_first_and_nothing_over_it() -> None:
    rows = {(0, 2): [0, 5, 1], (1, 2): [0, 1, 9], (2, 4): [3, 2, 1], (3, 4): [0, 2, 2.5]}
    spans = [(span, np.array(row, np.float32)) for span, row in rows.items()]
    assert greedy(spans) == [((1, 2), 2, 9.0), ((3, 4), 2, 2.5)]


@given(st.data())
def test_greedy_does_not_depend_on_the_order_and_leaves_no_overlap(data: st.DataObject) -> None:
    every = [(a, b) for a in range(6) for b in range(a + 1, 7)]
    chosen = data.draw(st.lists(st.sampled_from(every), unique=True))
    spans = [
        (span, np.array(data.draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=3, max_size=3)), np.float32))
        for span in chosen
    ]
    made = greedy(spans)
    assert made == greedy(data.draw(st.permutations(spans)))
    places = [n for (a, b), _, _ in made for n in range(a, b)]
    assert len(places) == len(set(places))


def test_predictions_are_mentions_in_characters(inputs: Inputs) -> None:
    task, example = NerTask("conll2003"), placed(sentence(["Io", "orbits", "Jupiter"], ((0, 1, "LOC"),)))
    made = task.features(example, 0, inputs, Counter())
    scores = [np.where(np.arange(3) == one.labels[:, None], 4.0, 0.0).astype(np.float32) for one in made]
    found = task.predictions([example], [list(zip(made, scores, strict=True))], LABELS)[0]
    assert found.gold == found.predicted == (Mention(0, 2, "LOC"),)
    assert task.score([found]).figures["f1"] == 100


def test_names_longer_than_a_candidate_may_be_are_counted(inputs: Inputs) -> None:
    left_out: Counter[str] = Counter()
    task = NerTask("wnut17", NerOptions(max_span_subwords=2))
    made = task.features(placed(sentence(["a"] * 6, ((0, 3, "LOC"), (4, 6, "PER")))), 0, inputs, left_out)
    assert left_out[LONG_MENTION] == 1
    assert [int((one.labels > 0).sum()) for one in made] == [1]
