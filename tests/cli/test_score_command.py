"""`wikiprep score`: every task in the official form and in ours, and each way in which input is bad."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from task_files import SMALL, real

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tasks.data.sets import read, splits_of
from wikiprep.tasks.gold import gold_of
from wikiprep.tasks.predictions import write_predictions
from wikiprep.tasks.task_names import TASKS

SQUAD, RECORD = SMALL / "squad" / "dev-v1.1.json", SMALL / "record" / "dev.json"
TACRED, CONLL = SMALL / "tacred" / "test.json", SMALL / "conll2003" / "eng.testb"
SEMEVAL, TYPES = SMALL / "semeval2010" / "TEST_FILE_FULL.TXT", SMALL / "open-entity" / "test.json"


def scored(*words: object) -> dict[str, Any]:
    done = CliRunner().invoke(cli, ["score", *map(str, words), "--json"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], Path]:
    def write(content: str) -> Path:
        path = tmp_path / "predicted"
        path.write_text(content, encoding="utf-8")
        return path

    return write


def lines(*rows: dict[str, object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_squad(file: Callable[[str], Path]) -> None:
    found = scored("squad", SQUAD, file('{"s1": "the Galileo!", "s2": "in 1610"}'))
    assert found["figures"] == pytest.approx({"em": 50.0, "f1": (100 + 200 / 3) / 2})
    assert (found["main"], found["split"], found["examples"], found["unanswered"]) == ("f1", "dev", 2, 0)
    assert {"model": "LUKE", "table": "LUKE, Table 5", "split": "dev", "figures": {"em": 89.8, "f1": 95.0}} in found[
        "published"
    ]


def test_an_unanswered_question_is_told_and_counts_nothing(file: Callable[[str], Path]) -> None:
    done = CliRunner().invoke(cli, ["score", "squad", str(SQUAD), str(file('{"s1": "Galileo"}')), "--json"])
    assert done.stderr.startswith("wikiprep: 1 of 2 examples have no prediction: s2; they count as wrong\n")
    assert "wikiprep: gold, not used: place of an answer: holds another text (1)\n" in done.stderr
    found = json.loads(done.stdout)
    assert (found["figures"]["em"], found["unanswered"]) == (50, 1)


def test_record(file: Callable[[str], Path]) -> None:
    found = scored("record", RECORD, file('{"q1": "galileo", "q2": "Io"}'))
    assert (found["figures"], found["main"]) == ({"em": 50, "f1": 50}, "em")
    assert found["left_out"] == {"question: without @placeholder": 1}


def test_semeval2010_with_the_file_or_a_key_as_gold(file: Callable[[str], Path], tmp_path: Path) -> None:
    key = tmp_path / "key.txt"
    key.write_text("1\tCause-Effect(e1,e2)\r\n2\tCause-Effect(e2,e1)\r\n3\tComponent-Whole(e1,e2)\r\n4\tOther\r\n")
    for gold in (SEMEVAL, key):
        found = scored("semeval2010", gold, SMALL / "semeval2010" / "proposed.txt")
        assert found["figures"] == {"precision": 75, "recall": 75, "f1": 75, "accuracy": 75}
        assert found["by_label"]["Cause-Effect"] == {"correct": 1, "predicted": 2, "gold": 2}


def test_tacred_with_the_file_or_a_key_as_gold(file: Callable[[str], Path], tmp_path: Path) -> None:
    key = tmp_path / "key.txt"
    key.write_text("per:city_of_birth\nno_relation\norg:founded\n")
    predicted = file("per:city_of_birth\norg:founded\nno_relation\n")
    for gold in (TACRED, key):
        assert scored("tacred", gold, predicted)["figures"] == {"precision": 50, "recall": 50, "f1": 50}


CONLLEVAL = """Galileo NNP I-PER B-PER
Galilei NNP I-PER I-PER
saw VBD O O
Io NNP I-LOC B-LOC
Europa NNP B-LOC I-LOC
. . O O

Padua NNP I-LOC B-LOC
listened VBD O O
. . O O

NASA NNP I-ORG O
Jupiter NNP I-LOC B-LOC
probe NN O O
"""


def test_conll_in_three_forms(file: Callable[[str], Path]) -> None:
    """Gold has six mentions, the prediction four, of which one is two in one."""
    tags = "\n".join(line.split(" ")[-1] for line in CONLLEVAL.split("\n"))
    two = "\n".join("\t".join(line.split(" ")[::3]) for line in CONLLEVAL.split("\n"))
    for content in (CONLLEVAL, tags, two, f"-DOCSTART- -X- O O\n\n{CONLLEVAL}"):
        found = scored("conll2003", CONLL, file(content))
        assert found["figures"] == pytest.approx({"precision": 75, "recall": 50, "f1": 60})
        assert found["by_label"]["LOC"] == {"correct": 2, "predicted": 3, "gold": 4}


def test_open_entity(file: Callable[[str], Path]) -> None:
    rows = [{"id": str(n), "predicted": types} for n, types in enumerate((["person"], ["place", "time"], []))]
    found = scored("open-entity", TYPES, file(lines(*rows)))
    assert found["figures"]["precision"] == pytest.approx(200 / 3)
    assert (found["figures"]["recall"], found["figures"]["strict_accuracy"]) == (40, 0)


# WNUT 2017 has the reader of conll2003, whose small file has other names.
@pytest.mark.parametrize("task", [task for task in TASKS if task != "wnut17"])
def test_what_is_right_scores_a_hundred_in_our_form(task: str, tmp_path: Path) -> None:
    split = splits_of(task)[-1]
    right = [
        replace(gold, predicted=gold.gold[0] if task in ("squad", "record") else gold.gold)  # type: ignore[index]
        for gold in gold_of(read(task, SMALL / task, split).examples)
    ]
    path = tmp_path / "predictions.jsonl"
    write_predictions(path, right)
    for gold in ((SMALL / task, "--split", split), (path,)):  # the folder, or the file's own gold labels
        found = scored(task, gold[0], path, *gold[1:])
        assert found["figures"][found["main"]] == pytest.approx(100, abs=1e-9), found


@pytest.mark.parametrize(
    "task, lines, figures",
    [
        ("glue/mrpc", "index\tprediction\n0\t1\n1\t1\n", {"f1": 200 / 3, "accuracy": 50}),
        ("glue/cola", "0\t1\n1\t0\n", {"matthews": 100, "accuracy": 100}),
        ("glue/stsb", "index\tprediction\n0\t5.0\n1\t1.0\n2\t2\n", {"spearman": 100, "pearson": 96.077}),
        ("glue/mnli", "0\tneutral\n1\tentailment\n2\tneutral\n", {"accuracy": 200 / 3}),
        ("copa", '{"idx": 501, "label": 1}\n{"idx": 502, "label": 1}\n', {"accuracy": 50}),
    ],
)
def test_figures_of_glue_and_copa_from_their_own_form(
    task: str, lines: str, figures: dict[str, float], tmp_path: Path
) -> None:
    path = tmp_path / "predictions"
    path.write_text(lines)
    found = scored(task, SMALL / task, path)
    assert found["figures"] == pytest.approx(figures, abs=1e-3) and found["main"] == next(iter(figures))


BAD: list[tuple[str, Path, str, str]] = [
    (
        "squad",
        SQUAD,
        '{"s1": "x", "s9": "y"}',
        ", 's9': id 's9' is not in gold\n  are these predictions of another split?",
    ),
    ("glue/rte", SMALL / "glue/rte/dev.tsv", "0\tyes\n", ":1: 'yes' is no label of the task\n"),
    ("glue/rte", SMALL / "glue/rte/dev.tsv", "0 entailment\n", ":1: is no line of index, TAB, prediction\n"),
    ("glue/stsb", SMALL / "glue/stsb/dev.tsv", "0\tmuch\n", ":1: the prediction of '0' is not a number"),
    ("copa", SMALL / "copa/copa-test.xml", '{"idx": 501, "label": 2}\n', ":1: label is 2\n"),
    ("squad", SQUAD, '{"s1": "x", "s1": "y"}', ", 's1': id 's1' was there before ("),
    ("squad", SQUAD, '{"s1": ["x"]}', ": the answer of 's1' is not a text\n"),
    ("squad", SQUAD, '["x"]', ": is no object of ids and answers\n"),
    ("squad", SQUAD, '{"s1": "x"', ": not JSON (Expecting ',' delimiter: line 1 column 11"),
    ("squad", SQUAD, "{}", ": 2 of 2 examples have no prediction: s1, s2\n"),
    ("squad", SQUAD, "", ": not JSON ("),
    ("semeval2010", SEMEVAL, "1\tOther\n2 Other\n", ":2: is no line of id, TAB, relation\n"),
    ("semeval2010", SEMEVAL, "1\tOther\n2\tCause-Effect\n", ":2: Cause-Effect has no direction"),
    ("semeval2010", SEMEVAL, "1\tOther\n2\tLikes(e1,e2)\n", ":2: 'Likes(e1,e2)' is no relation of the task\n"),
    ("semeval2010", SEMEVAL, "1\tOther\n1\tOther\n", ":2: id '1' was there before ("),
    ("semeval2010", SEMEVAL, "1\tOther\n9\tOther\n", ":2: id '9' is not in gold\n"),
    ("tacred", TACRED, "no_relation\n" * 2, ": has 2 labels, gold 3 examples\n"),
    ("tacred", TACRED, "no_relation\nborn\n", ":2: 'born' is no label of the task\n"),
    (
        "conll2003",
        CONLL,
        CONLLEVAL.replace("Padua", "Pavia"),
        ":8: the word 'Pavia' is not gold's, whose sentence is: Padua",
    ),
    ("conll2003", CONLL, CONLLEVAL.replace("B-PER", "PER"), ":1: 'PER' is no tag\n"),
    ("conll2003", CONLL, "\n\n".join(CONLLEVAL.split("\n\n")[:2]) + "\n", ": has 2 sentences, gold 3\n"),
    ("conll2003", CONLL, f"{CONLLEVAL}\nEnd . O O\n", ":16: a sentence too many, gold has 3\n"),
    ("conll2003", CONLL, CONLLEVAL.replace("probe NN O O\n", ""), ":12: sentence 3 has 2 lines, in gold 3 words: NASA"),
    ("conll2003", CONLL, "O\nO\n", ":1: sentence 1 has 2 lines, in gold 6 words: Galileo"),
    ("open-entity", TYPES, "person\n", ": its first line is not of predictions.jsonl\n"),
    (
        "open-entity",
        TYPES,
        lines({"id": "0", "predicted": ["robot"]}),
        ":1: 'robot' is no label of the task\n  labels: en",
    ),
    (
        "open-entity",
        TYPES,
        lines({"id": "0", "predicted": "person"}),
        ":1: the prediction of '0' is not a list of labels",
    ),
    ("open-entity", TYPES, lines({"id": "0", "predicted": []}), ": 2 of 3 examples have no prediction: 1, 2\n"),
    ("tacred", TACRED, lines({"id": "t1", "predicted": ["no_relation"]}), ":1: the prediction of 't1' is not a label"),
    ("conll2003", CONLL, lines({"id": "0", "predicted": ["a"]}), ":1: the prediction of '0' is not a list of {"),
    (
        "conll2003",
        CONLL,
        lines({"id": "1", "predicted": [{"start": 9, "end": 99, "type": "LOC"}]}),
        ":1: [9, 99) is no span of the text, of 16 characters",
    ),
]


@pytest.mark.parametrize(("task", "gold", "content", "what"), BAD)
def test_bad_predictions_are_named(task: str, gold: Path, content: str, what: str, file: Callable[[str], Path]) -> None:
    path = file(content)
    with pytest.raises(WikiprepError) as caught:
        scored(task, gold, path)
    assert str(caught.value).startswith(f"{path}{what}")


def test_bad_gold_is_named(file: Callable[[str], Path], tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_text("")
    with pytest.raises(WikiprepError, match="no example could be read\n  the file is empty, or not of CoNLL"):
        scored("conll2003", empty, CONLL)
    with pytest.raises(WikiprepError, match=r"none.json: no such file"):
        scored("squad", tmp_path / "none.json", SQUAD)
    closed = file(SQUAD.read_text()[:200])
    with pytest.raises(WikiprepError, match=r"not JSON \(unexpected end of data: line 4 column 34"):
        scored("squad", closed, SQUAD)
    document = json.loads(SQUAD.read_text())
    del document["data"][0]["paragraphs"][0]["qas"][1]["answers"]
    closed.write_text(json.dumps(document))
    with pytest.raises(WikiprepError, match="example 's2' has no right answer\n  closed tests are scored by their own"):
        scored("squad", closed, closed)
    with pytest.raises(UsageError, match="a split is chosen from a data set's folder"):
        scored("squad", SQUAD, SQUAD, "--split", "dev")


def test_a_type_that_gold_never_has_is_told(file: Callable[[str], Path]) -> None:
    path = file(CONLLEVAL.replace("B-PER", "B-MISC"))
    done = CliRunner().invoke(cli, ["score", "conll2003", str(CONLL), str(path)])
    assert done.stderr == "wikiprep: labels that gold never has: MISC\n"


def test_tables_errors_and_picture(file: Callable[[str], Path], tmp_path: Path) -> None:
    words = ["score", "semeval2010", str(SEMEVAL), str(SMALL / "semeval2010" / "proposed.txt"), "--model", "mine"]
    picture = tmp_path / "confusion.png"
    done = CliRunner().invoke(cli, [*words, "--errors", "5", "--confusion", str(picture)])
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in done.output.splitlines() if "│" in line]
    assert ["LUKE", "SPOT, Table 6", "89.3", "91.3", "90.3", "-"] in rows
    assert ["mine", "this score", "75.00", "75.00", "75.00", "75.00"] in rows
    assert ["Cause-Effect", "50.00", "50.00", "50.00", "1", "2", "2"] in rows
    assert done.output.endswith(
        "2: gold Cause-Effect(e2,e1), predicted Cause-Effect(e1,e2)\n    A [H: flood] from the [T: storm].\n"
    )
    assert picture.read_bytes()[1:4] == b"PNG"
    done = CliRunner().invoke(cli, [*words, "--markdown"])
    assert done.output.splitlines()[-1] == (
        "| **mine** | **this score** | **test** | **75.00** | **75.00** | **75.00** | **75.00** |"
    )


def test_options_that_do_not_go_together() -> None:
    with pytest.raises(UsageError, match="--errors prints lines for people"):
        scored("squad", SQUAD, SQUAD, "--errors", "3")
    with pytest.raises(UsageError, match="no confusion matrix"):
        scored("squad", SQUAD, SQUAD, "--confusion", "x.png")


def test_no_torch_is_needed() -> None:
    code = (
        "import sys; sys.modules.update(torch=None, transformers=None, matplotlib=None, sklearn=None)\n"
        "from wikiprep.cli.main import main; main()"
    )
    words = ["score", "semeval2010", str(SEMEVAL), str(SMALL / "semeval2010" / "proposed.txt"), "--json"]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["figures"]["f1"] == 75


def test_the_real_sets_in_the_official_forms(tmp_path: Path) -> None:
    """A tenth of the labels drawn anew: the same score by our form and the official one, and seqeval's of WNUT 2017."""
    draw, path = random.Random(7), tmp_path / "predicted"
    examples = read("semeval2010", real("semeval2010_task8"), "test").examples
    labels = [example.label for example in examples]
    guesses = [label if draw.random() < 0.9 else draw.choice(labels) for label in labels]
    path.write_text("".join(f"{e.id}\t{guess}\n" for e, guess in zip(examples, guesses, strict=True)))
    by_line = scored("semeval2010", real("semeval2010_task8"), path)
    write_predictions(path, [replace(g, predicted=p) for g, p in zip(gold_of(examples), guesses, strict=True)])
    assert scored("semeval2010", real("semeval2010_task8") / "TEST_FILE_FULL.TXT", path) == by_line
    assert 85 < by_line["figures"]["f1"] < 95

    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from seqeval.metrics import f1_score
    sentences = [s for d in read("wnut17", real("wnut17"), "test").examples for s in d.sentences]
    tags = [[tag if draw.random() < 0.9 else "O" for tag in sentence.tags] for sentence in sentences]
    rows = [
        "".join(f"{s.text[a:b]}\t{tag}\n" for (a, b), tag in zip(s.words, its, strict=True))
        for s, its in zip(sentences, tags, strict=True)
    ]
    path.write_text("\n".join(rows))
    found = scored("wnut17", real("wnut17"), path)
    assert found["figures"]["f1"] == pytest.approx(100 * f1_score([list(s.tags) for s in sentences], tags))
