"""Entities of a task behind a trained model's own: copies of `[MASK]`, here and in transformers."""

from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError
from wikiprep.pretrain.luke.entity_rows import ENTITY_BIAS, ENTITY_TABLE, NO_ENTITY
from wikiprep.pretrain.luke.open_folder import open_folder
from wikiprep.pretrain.luke.trained import TrainedLuke
from wikiprep.pretrain.open_checkpoint import open_model
from wikiprep.pretrain.ranks import join_ranks
from wikiprep.pretrain.trained import ENTITIES, MarkedText

TEXT = "The Moon is a body of the Solar System."
SPANS = ((0, 8), (22, 38))
NAMES = ("[HEAD]", "[TAIL]")


@pytest.fixture(scope="module")
def trained(tiny_run: Path) -> TrainedLuke:
    with join_ranks(timeout_minutes=1) as ranks:
        found = open_model(str(tiny_run), ranks).trained
    assert isinstance(found, TrainedLuke)
    return found


def vectors(model: TrainedLuke, titles: tuple[str | None, ...]) -> np.ndarray:
    (found,) = model.vectors([MarkedText(TEXT, SPANS, titles)], ENTITIES)
    return found.rows


def test_they_are_copies_of_mask_and_change_no_score(trained: TrainedLuke) -> None:
    grown = trained.with_entities(NAMES)
    assert grown.entities == trained.entities + 2
    assert not set(NAMES) & set(trained.about.entities.ids)
    assert np.array_equal(vectors(grown, NAMES), vectors(trained, (None, None)))
    asked = [MarkedText(TEXT, SPANS, (None, None))]
    one, other = (model.predict(asked, 5, words_masked=False)[0] for model in (trained, grown))
    assert [[guess.title for guess in mention] for mention in one] == [[g.title for g in mention] for mention in other]
    assert [g.score for g in one[0]] == pytest.approx([g.score for g in other[0]], rel=1e-6)
    state = grown.model.state_dict()
    assert (state[ENTITY_BIAS][-2:] == NO_ENTITY).all()
    state[ENTITY_TABLE][-1] += 1  # a row of its own, not a view
    assert not np.array_equal(vectors(grown, NAMES)[1], vectors(trained, (None, None))[1])


def test_a_copy_of_an_entity_is_one_in_scores_too(trained: TrainedLuke) -> None:
    title, number = list(trained.about.entities.ids.items())[5]
    state = trained.with_entities(["New"], copy_of=title).model.state_dict()
    for table in (ENTITY_TABLE, ENTITY_BIAS):
        assert torch.equal(state[table][-1], state[table][number])


@pytest.mark.parametrize(
    ("names", "copy_of", "said"),
    [
        (["[MASK]"], "[MASK]", "is in the vocabulary already"),
        (["A", "A"], "[MASK]", "stands twice"),
        ([""], "[MASK]", "is empty"),
        (["A"], "No such page", "no entity 'No such page' to copy"),
    ],
)
def test_names_that_cannot_be_added(trained: TrainedLuke, names: list[str], copy_of: str, said: str) -> None:
    with pytest.raises(UsageError, match=said.replace("[", r"\[")):
        trained.with_entities(names, copy_of)


def test_transformers_loads_them_and_gives_the_same_vectors(
    trained: TrainedLuke, tiny_run: Path, tmp_path: Path
) -> None:
    transformers = pytest.importorskip("transformers", reason="transformers is not installed: pip install '.[dev]'")
    words = [word for name in NAMES for word in ("--entity", name)]
    done = CliRunner().invoke(cli, ["export-hf", str(tiny_run), str(tmp_path / "hf"), *words])
    assert done.exit_code == 0, (done.output, done.exception)
    model = transformers.LukeModel.from_pretrained(tmp_path / "hf").eval()
    tokenizer = transformers.LukeTokenizer.from_pretrained(tmp_path / "hf")
    spans = [(start + 1, end + 1) for start, end in SPANS]
    asked = tokenizer(f" {TEXT}", entities=list(NAMES), entity_spans=spans, return_tensors="pt")  # as ours reads it
    ids = trained.with_entities(NAMES).about.entities.ids
    assert asked["entity_ids"].tolist() == [[ids[name] for name in NAMES]]
    ours = trained._encode(MarkedText(TEXT, SPANS, (None, None))).record
    assert asked["input_ids"][0, 1:-1].tolist() == ours.word_ids.tolist()
    with torch.no_grad():
        found = model(**asked).entity_last_hidden_state[0].numpy()
    assert np.abs(found - vectors(trained.with_entities(NAMES), NAMES)).max() < 1e-5
    again = open_folder(tmp_path / "hf", torch.device("cpu"))
    assert np.abs(found - vectors(again, NAMES)).max() < 1e-5
