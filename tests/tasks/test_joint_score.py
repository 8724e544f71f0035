"""Figures of joint extraction, on cases made by hand: repeats, case, several relations of a pair, nothing predicted."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.errors import WikiprepError
from wikiprep.tasks.error_analysis import confusion_of, worst_errors
from wikiprep.tasks.predictions import Extraction, Prediction, read_predictions, write_predictions
from wikiprep.tasks.published import published_rows
from wikiprep.tasks.scorers import LEFT_OUT, REACHABLE, score

GOLD = Extraction(("Rosa Lind", "Cape Town"), (("Rosa Lind", "born", "Cape Town"), ("Rosa Lind", "died", "Cape Town")))


def of(*predicted: Extraction | None, gold: Extraction = GOLD) -> dict[str, float]:
    return score("webnlg", [Prediction(str(n), "", gold, one) for n, one in enumerate(predicted)]).figures


def triples(*found: tuple[str, str, str]) -> Extraction:
    return Extraction((), found)


def test_each_relation_of_a_pair_counts_and_a_repeat_counts_once() -> None:
    found = of(triples(("Rosa Lind", "born", "Cape Town"), ("Rosa Lind", "born", "Cape Town")))
    assert (found["precision"], found["recall"]) == (100, 50)
    found = of(triples(("Cape Town", "born", "Rosa Lind"), ("Rosa Lind", "died", "Cape Town")))
    assert (found["precision"], found["recall"]) == (50, 50)  # the other way round is another triple


def test_case_counts_and_parts_are_compared_by_one_word() -> None:
    found = of(triples(("rosa Lind", "born", "The Town"), ("Rosa Stone", "died", "Cape Verde")))
    assert (found["f1"], found["last_word_f1"], found["first_word_f1"]) == (0, 50, 50)
    same = triples(("Old Lind", "born", "Cape Town"), ("New Lind", "born", "Cape Town"))
    assert of(same)["last_word_precision"] == 100  # equal by their last words: once


def test_nothing_predicted_is_no_error_and_not_answered_is_wrong() -> None:
    for nothing in (triples(), None):
        found = of(nothing, GOLD)
        assert (found["precision"], found["recall"], found["f1"]) == (100, 50, pytest.approx(200 / 3))
        assert (found["entity_precision"], found["entity_recall"]) == (100, 50)
    assert of(triples())["f1"] == 0 == of(triples(), gold=triples())["f1"]
    assert of(triples(("a", "b", "c")), gold=triples())["precision"] == 0


def test_it_is_pooled_over_texts_not_a_mean() -> None:
    many = triples(*((f"x{n}", "born", "y") for n in range(6)))
    assert of(GOLD, many)["precision"] == 25  # 2 of 8, though 100 and 0 %


def test_entities_and_the_bound_are_left_out_where_not_told() -> None:
    assert "entity_f1" not in of(Extraction(None, GOLD.triples))
    found = score("nyt24", [Prediction("1", "", GOLD, GOLD, {REACHABLE: 1.0}, form="starred")])
    assert found.figures["bound_recall"] == 50 and found.form == "starred"
    assert found.by_label["died"].correct == 1 and found.left_out == {}
    beyond = [Prediction(n, "", GOLD, GOLD, {LEFT_OUT: 2.0}) for n in "ab"]
    assert score("nyt24", beyond).left_out == {LEFT_OUT: 4}
    assert ("recall's upper bound", "bound_") in found.views


def test_predictions_are_read_as_they_are_written(tmp_path: Path) -> None:
    made = [
        Prediction("1", "t", GOLD, triples(), {"a": 1.0}, form="full spans"),
        Prediction("2", "t", GOLD, None),
        Prediction("3", "t", Extraction(None, ()), GOLD),
    ]
    write_predictions(tmp_path / "p.jsonl", made)
    assert list(read_predictions(tmp_path / "p.jsonl")) == made
    (tmp_path / "p.jsonl").write_text('{"id": "1", "predicted": {"triples": [["a", "b"]]}}')
    with pytest.raises(WikiprepError, match=r"p\.jsonl:1: predicted\.triples\[0\]: is not \[subject"):
        list(read_predictions(tmp_path / "p.jsonl"))


def test_worst_first_and_no_confusion() -> None:
    bad = Prediction("1", "", GOLD, triples(("a", "b", "c")))
    assert worst_errors([Prediction("2", "", GOLD, GOLD), Prediction("3", "", GOLD, triples()), bad])[0] == bad
    with pytest.raises(ValueError, match="triples have no confusion matrix"):
        confusion_of([bad])


def write(path: Path, *sentences: tuple[str, list[list[str]]]) -> Path:
    path.write_text(json.dumps([{"text": text, "triple_list": found} for text, found in sentences]))
    return path


TEXT = "Rosa Lind left Cape Town ."


@pytest.mark.parametrize(
    ("name", "form", "said"),
    [("Rosa Lind", "full spans", "TPLinker's release"), ("Lind", "starred", "Table 4")],
)
def test_score_names_the_form_and_its_rows_alone(name: str, form: str, said: str, tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.json", (TEXT, [[name, "left", "Town"]]), (TEXT, [[name, "left", "Town"]]))
    found = write(tmp_path / "found.json", (TEXT, [[name, "left", "Town"]]), (TEXT, [[name, "saw", "Town"]]))
    files = ["score", "webnlg", str(gold), str(found)]
    done = CliRunner().invoke(cli, [*files, "--markdown"])
    assert done.exit_code == 0, done.output
    assert said in done.stdout and ("93.8" in done.stdout) == (form == "starred") == ("87.5" not in done.stdout)
    assert "**this score: triples, exact** | **test** | **50.00** | **50.00** | **50.00**" in done.stdout
    assert "labels that gold never has: saw" in done.stderr
    shown = CliRunner().invoke(cli, [*files, "--errors", "1"]).stdout
    assert f"webnlg ({form}), test: 2 examples" in shown and f"predicted {name} | saw | Town" in " ".join(shown.split())
    assert json.loads(CliRunner().invoke(cli, [*files, "--json"]).stdout)["form"] == form
    one = CliRunner().invoke(cli, [*files, "--triples", "2"])
    assert "has 2 texts, gold 0" in str(one.exception)


def test_other_predictions_are_refused_with_their_place(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.json", (TEXT, [["Rosa Lind", "left", "Cape Town"]]))
    for content, what in (
        (json.dumps({"text": "Another text", "triple_list": []}), ":1: the text is not gold's"),
        (json.dumps({"id": "0", "predicted": "left"}), ":1: the prediction of '0' is not {\"entities\""),
        (json.dumps({"id": "0", "predicted": ["left"]}), ":1: the prediction of '0' is not {\"entities\""),
        (json.dumps({"id": "9", "predicted": None}), ":1: id '9' is not in gold"),
    ):
        (tmp_path / "found.json").write_text(content)
        done = CliRunner().invoke(cli, ["score", "webnlg", str(gold), str(tmp_path / "found.json")])
        assert f"found.json{what}" in str(done.exception), done.output
    refused = CliRunner().invoke(cli, ["score", "fewrel", str(gold), str(gold), "--triples", "1"])
    assert "fewrel has no triples" in str(refused.exception)


def test_published_rows_of_two_forms_never_stand_together() -> None:
    forms = {form: {row.table for row in published_rows("webnlg", "test", form)} for form in ("starred", "full spans")}
    assert len(forms["starred"]) == 3 and forms["full spans"] == {"TPLinker's release"}
    assert published_rows("webnlg", "test", "WebNLG 1.5") == ()
    best = max(published_rows("nyt24", "test", "full spans"), key=lambda row: row.figures["f1"])
    assert (best.model, best.figures) == ("BERT, endpoint+attention", {"f1": 79.5})
