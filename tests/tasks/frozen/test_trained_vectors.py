"""Vectors of mentions and pairs by trained encoders, against the hidden states of transformers."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from wikiprep.errors import WikiprepError
from wikiprep.tasks.frozen.items import TextItem

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from wikiprep.pretrain.luke.text import encode  # noqa: E402
from wikiprep.pretrain.trained import MarkedText  # noqa: E402
from wikiprep.tasks.frozen.trained_vectors import TrainedVectors, open_trained  # noqa: E402

TEXT = "Mars and the Sun are far."
ONE = TextItem("1", TEXT, ((9, 16),), "star")
PAIR = TextItem("2", TEXT, ((9, 16), (0, 4)), "orbits")  # the head stands behind the tail
LONG = TextItem("3", "word " * 200 + "Mars", ((1000, 1004),), "planet")


def by_transformers(model: Path, encoder: TrainedVectors, item: TextItem, *, masked: bool) -> list[np.ndarray]:
    """The states of each mention's tokens, in the order of the text; of a LUKE with `[MASK]` entities at them."""
    trained = encoder._trained
    record = encode(
        MarkedText(item.text, tuple(sorted(item.spans)), (None,) * len(item.spans)), trained._encoder
    ).record
    spans = list(zip(record.entity_starts.tolist(), record.entity_ends.tolist(), strict=True))
    first, last, mask = (trained.about.tokenizer.token_to_id(name) for name in ("<s>", "</s>", "<mask>"))
    ids = record.word_ids.tolist()
    for start, end in spans if masked else ():
        ids[start:end] = [mask] * (end - start)
    words = {"input_ids": torch.tensor([[first, *ids, last]])}
    luke = bool(trained.entities)
    if luke:
        places = [[1 + n for n in range(start, end)] + [-1] * (30 - end + start) for start, end in spans]
        words |= {"entity_ids": torch.full((1, len(spans)), 2), "entity_position_ids": torch.tensor([places])}
        words |= {"entity_attention_mask": torch.ones(1, len(spans), dtype=torch.long)}
    kind = transformers.LukeModel if luke else transformers.RobertaModel
    with torch.no_grad():
        made = kind.from_pretrained(model, add_pooling_layer=False).eval()(**words)
    states = made.last_hidden_state[0, 1:-1].numpy()
    own = [states[start:end] for start, end in spans]
    return own + ([made.entity_last_hidden_state[0].numpy()] if luke else [])


@pytest.mark.parametrize("name", ["roberta", "luke"])
def test_each_kind_is_what_its_name_says(name: str, request: pytest.FixtureRequest) -> None:
    model: Path = request.getfixturevalue(name)
    encoder = open_trained(str(model))
    assert encoder.kinds == ("average", "endpoints", "max", "mask", *(["entity"] if name == "luke" else []))
    one = encoder.vectors([ONE], encoder.kinds)
    pair = encoder.vectors([PAIR], encoder.kinds)
    (sun, *state), (masked, *_) = (by_transformers(model, encoder, ONE, masked=masked) for masked in (False, True))
    mars2, sun2, *states = by_transformers(model, encoder, PAIR, masked=False)
    masked_mars, masked_sun, *_ = by_transformers(model, encoder, PAIR, masked=True)
    assert len(sun) > 1
    wanted = {
        "average": (sun.mean(0), [sun2.mean(0), mars2.mean(0)]),
        "endpoints": (np.concatenate([sun[0], sun[-1]]), [sun2[0], sun2[-1], mars2[0], mars2[-1]]),
        "max": (sun.max(0), [sun2.max(0), mars2.max(0)]),
        "mask": (masked.mean(0), [masked_sun.mean(0), masked_mars.mean(0)]),
    }
    if name == "luke":
        wanted["entity"] = (state[0][0], [states[0][1], states[0][0]])
    for kind in encoder.kinds:
        np.testing.assert_allclose(one.rows[kind][0], wanted[kind][0], atol=1e-5, err_msg=kind)
        np.testing.assert_allclose(pair.rows[kind][0], np.concatenate(wanted[kind][1]), atol=1e-5, err_msg=kind)


def test_the_order_and_the_others_decide_nothing(roberta: Path) -> None:
    encoder = open_trained(str(roberta))
    items = [
        TextItem(str(n), f"{'The Sun ' * (n % 5)}shines on Mars {n}", ((8 * (n % 5), 8 * (n % 5) + 6),), "x")
        for n in range(70)
    ]
    first = encoder.vectors(items, ["average", "mask"])
    turn = np.random.default_rng(1).permutation(70)
    again = encoder.vectors([items[n] for n in turn], ["average", "mask"])
    for kind in ("average", "mask"):
        assert np.array_equal(again.rows[kind], first.rows[kind][turn])  # to the last bit
        alone = encoder.vectors(items[:1], [kind]).rows[kind][0]
        np.testing.assert_allclose(alone, first.rows[kind][0], atol=1e-5)


def test_a_long_work_tells_how_far_it_is(roberta: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wikiprep.tasks.frozen.trained_vectors._LONG", 100)
    told: list[str] = []
    items = [TextItem(str(n), "Mars", ((0, 4),), "x") for n in range(100)]
    encoder = open_trained(str(roberta), note=told.append)
    encoder.vectors(items[:99], ["max"])
    assert not told
    encoder.vectors(items, ["max"])
    assert told == [f"{done} of 100 items, the short ones first" for done in (32, 64, 96)]


def test_what_the_model_cannot_take_is_counted(roberta: Path) -> None:
    found = open_trained(str(roberta)).vectors([LONG, ONE], ["max"])
    assert found.kept == [1] and found.rows["max"].shape == (1, 32)
    assert found.left_out == {"items: the model cannot take their text (too long)": 1}


def test_entities_of_one_language_are_chosen(luke: Path, tmp_path: Path) -> None:
    """Of a model whose vocabulary has several (mLUKE)."""
    folder = tmp_path / "mluke"
    shutil.copytree(luke, folder)
    rows = ["[PAD]", "[UNK]", "[MASK]", "en:Mars", "ja:火星", "[MASK2]"]
    vocabulary = {title: number for number, title in enumerate(rows)}
    (folder / "entity_vocab.json").write_text(json.dumps(vocabulary))
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "mluke"}))
    right = open_trained(str(luke)).vectors([ONE], ["entity"]).rows["entity"]
    for language in ("ja", None):  # titles of one language, or of all
        found = open_trained(str(folder), language).vectors([ONE], ["entity"])
        assert np.array_equal(found.rows["entity"], right)
    with pytest.raises(WikiprepError, match="has no entity in language 'fi'"):
        open_trained(str(folder), "fi")


def test_vectors_of_a_models_own(roberta: Path) -> None:
    """The seam of `pretrain/frozen.py`: a model that has the two methods is asked for them."""
    encoder = open_trained(str(roberta))

    class Own:
        entities = 0

        def check(self, text: MarkedText) -> None:
            return

        def span_vectors(self, texts: Sequence[MarkedText]) -> list[np.ndarray]:
            return [np.array([[start, end] for start, end in text.spans], np.float32) for text in texts]

        def pair_vectors(self, texts: Sequence[MarkedText], pairs: Sequence[tuple[int, int]]) -> list[np.ndarray]:
            return [
                np.array([text.spans[head][0], text.spans[tail][0], 7], np.float32)
                for text, (head, tail) in zip(texts, pairs, strict=True)
            ]

    own = TrainedVectors(Own())
    assert own.kinds == ("average", "endpoints", "max", "own") and "own" not in encoder.kinds
    assert own.vectors([ONE], ["own"]).rows["own"].tolist() == [[9, 16]]
    assert own.vectors([PAIR], ["own"]).rows["own"].tolist() == [[9, 0, 7]]
