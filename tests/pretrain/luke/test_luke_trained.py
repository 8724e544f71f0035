"""A trained LUKE that is asked: against its own module and by hand."""

from pathlib import Path

import numpy as np
import pytest
import torch
from corpus_records import records_of

from wikiprep.errors import WikiprepError
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.family import LukeFamily
from wikiprep.pretrain.luke.make_family import make
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.trained import TrainedLuke, open_trained
from wikiprep.pretrain.trained import BadText, MarkedText

OBJECTIVE: dict[str, dict[str, object]] = {"objective": {"entity_share": 0.4, "word_share": 0.0}}
CPU = torch.device("cpu")


@pytest.fixture(scope="module")
def about(sample_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained") / "about"
    make({"model": {"size": "tiny", "init_std": 0.2}}, sample_corpus).about(folder)
    return folder


@pytest.fixture(scope="module")
def family(sample_corpus: Path) -> LukeFamily:
    return make({"model": {"size": "tiny", "init_std": 0.2}} | OBJECTIVE, sample_corpus)


@pytest.fixture(scope="module")
def trained(about: Path, family: LukeFamily) -> TrainedLuke:
    return open_trained(about, family.build_model(3).state_dict(), CPU)


def test_the_mentions_masked_are_those_of_a_batch(
    trained: TrainedLuke, family: LukeFamily, sample_corpus: Path
) -> None:
    records = records_of(sample_corpus)[:20]
    again = trained.family(OBJECTIVE, sample_corpus)
    batch = family.collate(records, [np.random.default_rng(n) for n in range(20)])
    places = [again.masked_entities(r, np.random.default_rng(n)) for n, r in enumerate(records)]
    labels = [int(record.entity_ids[place]) for record, where in zip(records, places, strict=True) for place in where]
    assert labels == batch[names.ENTITY_LABELS].tolist()
    # Without masked words the module's own metrics count the same answers.
    candidates = [np.arange(n % 3, 60, 3) for n in range(len(labels))]
    both = trained.entity_ranks(records, places, candidates, words_masked=False)
    ranks = both.over_all
    for own, label, over_all, among in zip(candidates, labels, ranks, both.among, strict=True):
        assert among == -1 if label not in own else 0 <= among <= over_all
    assert {-1} < set(both.among.tolist())
    every = [np.arange(trained.entities)] * len(labels)
    assert trained.entity_ranks(records, places, every, words_masked=False).among.tolist() == ranks.tolist()
    known = np.array(labels) != 1
    found = family.metrics(trained.model, batch)
    assert int(found["entity_top1"][0]) == int(((ranks < 1) & known).sum())
    assert int(found["entity_top10"][0]) == int(((ranks < 10) & known).sum())


def test_masked_words_are_not_seen(trained: TrainedLuke, sample_corpus: Path) -> None:
    record = next(r for r in records_of(sample_corpus) if len(r.entity_ids) > 1)
    places, none = np.array([0]), [np.zeros(0, np.int64)]
    hidden, seen = (trained.entity_ranks([record], [places], none, words_masked=m).over_all for m in (True, False))
    inside = slice(int(record.entity_starts[0]), int(record.entity_ends[0]))
    record.word_ids[inside] = 77  # whatever stood there
    other_hidden, other_seen = (
        trained.entity_ranks([record], [places], none, words_masked=m).over_all for m in (True, False)
    )
    assert hidden.tolist() == other_hidden.tolist()
    assert seen.tolist() != other_seen.tolist()


def test_predictions_are_the_best_of_the_softmax(trained: TrainedLuke) -> None:
    texts = [
        MarkedText("Mars is red", ((0, 4),), (None,)),
        MarkedText("It is far", (), ()),
        MarkedText("A b", ((0, 1), (2, 3)), ("x",) * 2),
    ]
    texts[2] = MarkedText("A b", ((0, 1), (2, 3)), (None, None))
    made = trained.predict(texts, 5, words_masked=False)
    assert [len(of_text) for of_text in made] == [1, 0, 2]
    for guesses in (guesses for of_text in made for guesses in of_text):
        scores = [guess.score for guess in guesses]
        assert len(scores) == 5 and scores == sorted(scores, reverse=True) and 0 < sum(scores) <= 1
        assert not {guess.title for guess in guesses} & {"[PAD]", "[MASK]", "[MASK2]"}
    every = trained.predict(texts[:1], 10_000, words_masked=False)[0][0]
    assert sum(guess.score for guess in every) == pytest.approx(1, abs=0.05)  # but for the special tokens
    # Alone, beside others, with other padding: the same.
    alone = trained.predict(texts[2:], 5, words_masked=False)[0]
    assert [[g.title for g in one] for one in alone] == [[g.title for g in one] for one in made[2]]
    assert alone[0][0].score == pytest.approx(made[2][0][0].score, rel=1e-4)


def test_vectors(trained: TrainedLuke) -> None:
    text = MarkedText("Mars is redder, they say", ((0, 4), (8, 14)), (None, "Mars"))
    tokens, words, spans, entities = (
        trained.vectors([text], kind)[0] for kind in ("tokens", "words", "spans", "entities")
    )
    assert tokens.rows.shape[1] == 64 and len(tokens.starts) == len(tokens.rows)
    assert "".join(text.text[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)) == text.text.replace(
        " ", ""
    )
    assert [text.text[a:b] for a, b in zip(words.starts, words.ends, strict=True)] == [
        "Mars",
        "is",
        "redder",
        ",",
        "they",
        "say",
    ]
    inside = (tokens.starts >= 8) & (tokens.ends <= 14)
    assert spans.rows[1] == pytest.approx(tokens.rows[inside].mean(axis=0), abs=1e-6)
    assert spans.rows[1] == pytest.approx(words.rows[2], abs=1e-6)
    assert (
        list(zip(spans.starts, spans.ends, strict=True))
        == list(text.spans)
        == list(zip(entities.starts, entities.ends, strict=True))
    )
    masked = trained.vectors([MarkedText(text.text, text.spans, (None, None))], "entities")[0]
    assert np.abs(masked.rows[1] - entities.rows[1]).max() > 1e-3  # Mars itself was seen


def test_rows_of_the_table(trained: TrainedLuke) -> None:
    model = trained.model
    assert isinstance(model, Luke) and model.entities is not None
    found, missing, rows = trained.entity_rows(["Nowhere", "Mars"])
    assert (found, missing) == (["Mars"], ["Nowhere"])
    every, _, table = trained.entity_rows(None)
    assert torch.equal(rows[0], table[every.index("Mars")])
    assert torch.equal(table, model.entities.entity.weight[: len(every)])


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        (MarkedText("word " * 600), "tokens, the model takes 510"),
        (MarkedText("a", ((0, 1),), ("Nowhere",)), "the entity 'Nowhere' is not in the model's vocabulary"),
    ],
)
def test_texts_it_cannot_take(marked: MarkedText, said: str, trained: TrainedLuke) -> None:
    with pytest.raises(BadText, match=said):
        trained.check(marked)


def test_weights_of_another_model(about: Path, sample_corpus: Path) -> None:
    other = make({"model": {"size": "tiny", "hidden_size": 32}}, sample_corpus)
    with pytest.raises(WikiprepError, match=r"the checkpoint's .* is \(1, 32\), the model's \(1, 64\)"):
        open_trained(about, other.build_model(0).state_dict(), CPU)


def test_a_model_without_entities(sample_corpus: Path, tmp_path: Path) -> None:
    control = make({"model": {"size": "tiny", "entities": False}}, sample_corpus)
    control.about(tmp_path / "about")
    trained = open_trained(tmp_path / "about", control.build_model(0).state_dict(), CPU)
    text = MarkedText("Mars is red", ((0, 4),), (None,))
    assert trained.entities == 0
    assert trained.vectors([text], "spans")[0].rows.shape == (1, 64)
    record = records_of(sample_corpus)[0]
    assert not len(trained.family({}, sample_corpus).masked_entities(record, np.random.default_rng(0)))
    for ask in (lambda: trained.predict([text], 1, words_masked=False), lambda: trained.vectors([text], "entities")):
        with pytest.raises(WikiprepError, match="no entities"):
            ask()
