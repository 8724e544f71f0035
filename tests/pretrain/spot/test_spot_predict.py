"""`predict` of a run of SPOT: entities of mentions, and the likeliest properties of their pairs."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner, Result

from wikiprep.cli.main import cli
from wikiprep.pretrain.spot.relation_classes import RelationClasses, best_relations
from wikiprep.pretrain.spot.trained import TrainedSpot
from wikiprep.pretrain.trained import MarkedText

TEXT = "Zorvana Quill met Plimbo in Rome."
SPANS = ((0, 13), (18, 24), (28, 32))
LINKS = [{"start": start, "end": end} for start, end in SPANS]


def predict(*words: object) -> Result:
    return CliRunner().invoke(cli, ["predict", *map(str, words)], catch_exceptions=False)


def predicted(run: Path, folder: Path, line: dict[str, object], *words: str) -> dict[str, object]:
    (folder / "t.jsonl").write_text(json.dumps(line))
    result = predict(run, "--input", folder / "t.jsonl", "--strict", *words)
    assert result.exit_code == 0, result.output
    made: dict[str, object] = json.loads(result.stdout)
    return made


def test_all_pairs_have_the_scores_of_their_vectors(trained: TrainedSpot, spot_run: Path, tmp_path: Path) -> None:
    found = predicted(spot_run, tmp_path, {"text": TEXT, "links": LINKS}, "-k", "3")["relations"]
    pairs = [(one["head"], one["tail"]) for one in found]
    assert pairs == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    (vectors,) = trained.vectors_of_pairs([MarkedText(TEXT, SPANS, (None,) * 3)], [pairs])
    with torch.no_grad():
        chances = trained.model.relations(torch.from_numpy(vectors)).softmax(1).numpy()
    classes = trained.about.relations
    for own, row in zip(found, chances, strict=True):
        best = np.argsort(-row)[:3]
        assert [one["property"] for one in own["properties"]] == [f"P{classes.properties[at]}" for at in best]
        assert [one.get("label") for one in own["properties"]] == [classes.labels[at] for at in best]
        assert [one["score"] for one in own["properties"]] == pytest.approx(row[best].tolist(), abs=1e-5)


def test_pairs_of_a_line_are_those_of_its_links(spot_run: Path, tmp_path: Path) -> None:
    every = predicted(spot_run, tmp_path, {"text": TEXT, "links": LINKS})["relations"]
    backwards = {"text": TEXT, "links": LINKS[::-1], "pairs": [[2, 0]]}
    (one,) = predicted(spot_run, tmp_path, backwards)["relations"]
    assert (one["head"], one["tail"]) == (2, 0)  # the first and the last mention of the text
    assert [each["property"] for each in one["properties"]] == [each["property"] for each in every[1]["properties"]]
    (hidden,) = predicted(spot_run, tmp_path, backwards, "--masked")["relations"]
    assert hidden["properties"][0]["score"] != pytest.approx(one["properties"][0]["score"], abs=1e-7)
    # A text of one mention has no pair, and its entities still.
    alone = predicted(spot_run, tmp_path, {"text": "[Zorvana]"})
    assert alone["relations"] == [] and len(alone["mentions"]) == 1


def test_pairs_that_cannot_be_are_told(spot_run: Path, tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text(json.dumps({"text": TEXT, "links": LINKS, "pairs": [[0, 3]]}) + "\n" + "[a]")
    result = CliRunner().invoke(cli, ["predict", str(spot_run), "--input", str(tmp_path / "t.jsonl")])
    assert result.exit_code and "t.jsonl:1: " in result.stderr and "mentions are 0 to 2" in result.stderr


def test_a_text_is_shown_with_its_relations(spot_run: Path, tiny_run: Path) -> None:
    shown = predict(spot_run, "[Zorvana] met [Plimbo] in Rome.").stdout
    assert "relations" in shown and shown.count("Plimbo") == 3 and " P" in shown
    assert "relations" not in predict(spot_run, "[Zorvana] met Plimbo.").stdout
    assert "relations" not in predict(tiny_run, "[Zorvana] met [Plimbo].").stdout
    found = json.loads(predict(tiny_run, "[Zorvana] met [Plimbo].", "--json").stdout)
    assert "relations" not in found


def test_sigmoids_score_each_property_by_itself() -> None:
    classes = RelationClasses(np.array([17, 36, 31]), ("country", None, "instance of"))
    (found,) = best_relations(torch.tensor([[-3.0, 0.0, 2.0]]), "sigmoid", classes, 2)
    assert [(one.property, one.label) for one in found] == [("P31", "instance of"), ("P36", None)]
    assert [one.score for one in found] == pytest.approx([0.880797, 0.5])
    (softmax,) = best_relations(torch.tensor([[-3.0, 0.0, 2.0]]), "softmax", classes, 9)
    assert sum(one.score for one in softmax) == pytest.approx(1) and len(softmax) == 3
