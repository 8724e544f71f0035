"""Heads and loss equal those of transformers on the same weights and inputs, for both kinds of attention."""

import numpy as np
import pytest
import torch
import transformers

from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.model import LukeEncoder
from wikiprep.pretrain.luke.parameter_names import from_hugging_face
from wikiprep.tasks.features import Features
from wikiprep.tasks.finetune.collate import BOUNDS, LABELS, collate
from wikiprep.tasks.finetune.heads import TaskModel

WORDS, ENTITIES, HIDDEN, CLASSES = 90, 7, 24, 5
THEIRS = {
    "entity": ("LukeForEntityClassification", "tags", 1, CLASSES, True),
    "pair": ("LukeForEntityPairClassification", "choice", 2, CLASSES, False),
    "span": ("LukeForEntitySpanClassification", "choice", 3, CLASSES, True),
    "answer": ("LukeForQuestionAnswering", "bounds", 1, 2, True),
}


def _items(rng: np.random.Generator, kind: str) -> list[Features]:
    """Three sequences of different lengths; every one has as many entities, since theirs knows no other."""
    made = []
    for number, length in enumerate((19, 30, 11)):
        ids = rng.integers(4, WORDS, length)
        ids[0], ids[-1] = 0, 2
        count = 2 if kind == "pair" else 4
        starts = rng.integers(1, length - 4, count)
        ends = starts + rng.integers(1, 4, count)
        rows = np.arange(count)
        places = {
            "entity": np.array([[-1]]),
            "pair": np.array([[-1, -2]]),
            "span": np.stack([starts, ends - 1, -1 - rows], axis=1),
            "answer": np.zeros((0, 1), np.int64),
        }[kind]
        labels = {
            "entity": rng.integers(0, 2, (1, CLASSES)).astype(np.float32),
            "pair": rng.integers(0, CLASSES, 1),
            "span": rng.integers(0, CLASSES, count),
            "answer": np.sort(rng.integers(0, length, 2)),
        }[kind]
        entity_ids = rng.integers(1, ENTITIES, count)
        made.append(Features(number, 0, ids, length, entity_ids, starts, ends, places, labels, np.zeros(1, np.int64)))
    return made


def _theirs(kind: str, aware: bool) -> "transformers.PreTrainedModel":
    config = transformers.LukeConfig(
        vocab_size=WORDS,
        entity_vocab_size=ENTITIES,
        hidden_size=HIDDEN,
        entity_emb_size=10,
        num_hidden_layers=3,
        num_attention_heads=3,
        intermediate_size=40,
        max_position_embeddings=50,
        type_vocab_size=1,
        pad_token_id=1,
        use_entity_aware_attention=aware,
        num_labels=THEIRS[kind][3],
        initializer_range=0.3,
        layer_norm_eps=1e-5,
    )
    torch.manual_seed(3)
    made = getattr(transformers, THEIRS[kind][0])(config)
    if aware:  # the three queries are not copies of `query`
        with torch.no_grad():
            for name, tensor in made.named_parameters():
                if "_query" in name:
                    tensor.normal_(0, 0.3)
    return made.eval()


def _ours(kind: str, aware: bool, theirs: "transformers.PreTrainedModel") -> TaskModel:
    _, head, vectors, classes, bias = THEIRS[kind]
    config = LukeConfig(
        vocab_size=WORDS,
        entity_vocab_size=ENTITIES,
        hidden_size=HIDDEN,
        entity_size=10,
        layers=3,
        heads=3,
        intermediate_size=40,
        max_positions=50,
        entity_aware_attention=aware,
    )
    model = TaskModel(LukeEncoder(config), head, vectors, classes, bias=bias)
    state = from_hugging_face(theirs.state_dict(), model.encoder.state_dict())
    model.encoder.load_state_dict(state)
    last = getattr(theirs, "qa_outputs" if kind == "answer" else "classifier")
    model.classifier.load_state_dict(last.state_dict())
    return model.eval()


@pytest.mark.parametrize("aware", [False, True])
@pytest.mark.parametrize("kind", THEIRS)
@pytest.mark.parametrize(("dtype", "close"), [("float32", 1e-5), ("float64", 1e-9)])
def test_scores_and_loss_equal_those_of_transformers(kind: str, aware: bool, dtype: str, close: float) -> None:
    theirs = _theirs(kind, aware).to(getattr(torch, dtype))
    ours = _ours(kind, aware, theirs).to(getattr(torch, dtype))
    items = _items(np.random.default_rng(5), kind)
    batch = collate(items, 1, 2, bounds=kind == "answer", entities=True)
    with torch.no_grad():
        logits, _ = ours(batch, "scores")
        summed, number = ours(batch)
    # One sequence at a time: theirs lets answers stand in the padding.
    found, losses = [], []
    for item in items:
        places = np.full((len(item.entity_ids), 30), -1)
        for row, (start, end) in enumerate(zip(item.entity_starts, item.entity_ends, strict=True)):
            places[row, : end - start] = np.arange(start, end)
        asked = {
            "input_ids": torch.tensor(item.word_ids)[None],
            "entity_ids": torch.tensor(item.entity_ids)[None],
            "entity_position_ids": torch.tensor(places)[None],
        }
        if kind == "span":
            asked["entity_start_positions"] = torch.tensor(item.entity_starts)[None]
            asked["entity_end_positions"] = torch.tensor(item.entity_ends - 1)[None]
            asked["labels"] = torch.tensor(item.labels)[None]
        elif kind == "answer":
            asked["start_positions"], asked["end_positions"] = (torch.tensor([int(n)]) for n in item.labels)
        else:
            asked["labels"] = torch.tensor(item.labels)
        with torch.no_grad():
            said = theirs(**asked)
        losses.append((float(said.loss), 1 if kind == "answer" else item.labels.size))
        if kind == "answer":
            found.append(torch.stack([said.start_logits[0], said.end_logits[0]], dim=-1))
        else:
            found.append(said.logits.reshape(-1, CLASSES))
    if kind == "answer":
        logits = torch.cat([row[: len(item.word_ids)] for row, item in zip(logits, items, strict=True)])
        assert batch[BOUNDS].shape == (3, 2)
    else:
        assert len(batch[LABELS]) == len(logits)
    torch.testing.assert_close(logits, torch.cat(found), rtol=0, atol=close)
    expected = sum(loss * count for loss, count in losses) / sum(count for _, count in losses)
    assert float(summed) / int(number) == pytest.approx(expected, abs=close)
