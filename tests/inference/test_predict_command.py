"""`wikiprep predict` on a run's checkpoint: tables, JSON, JSON lines, and what cannot be used."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError


def predict(*words: str, given: bytes = b"") -> Result:
    return CliRunner().invoke(cli, ["predict", *words], input=given, catch_exceptions=False)


def test_a_text(tiny_run: Path) -> None:
    done = predict(str(tiny_run), "The red planet [Mars] and [its] moons", "-k", "3")
    assert done.output.count("entity") == 2 and "[Mars]" in done.output and "[its]" in done.output
    found = json.loads(predict(str(tiny_run), "The [Mars] \\[x\\]", "--json", "--masked", "-k", "2").output)
    assert found["text"] == "The Mars [x]"
    (mention,) = found["mentions"]
    assert (mention["mention"], mention["start"], mention["end"], len(mention["entities"])) == ("Mars", 4, 8, 2)


def test_a_checkpoint_and_its_about_are_enough(tiny_run: Path, tmp_path: Path) -> None:
    alone = tmp_path / "alone"
    shutil.copytree(tiny_run / "checkpoints" / "step-00000006", alone)
    shutil.copytree(tiny_run / "about", alone / "about")
    words = ("The red planet [Mars]", "--json")
    assert predict(str(alone), *words).output == predict(str(tiny_run), *words).output


def test_lines(tiny_run: Path, tmp_path: Path) -> None:
    lines = [{"text": "On [Mars]", "id": n} for n in range(20)] + [
        {"text": "none"},
        {"text": "[" + "word " * 600 + "]"},
    ]
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n[]\n")
    done = predict(str(tiny_run), "--input", str(path), "-k", "1")
    made = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["id"] for line in made] == list(range(20))
    assert len({line["mentions"][0]["entities"][0]["title"] for line in made}) == 1
    said = done.stderr.splitlines()
    for number, reason in ((21, "no mention in it"), (22, "600 tokens, the model takes"), (23, "not an object")):
        assert any(f"texts.jsonl:{number}: " in line and reason in line for line in said), said
    assert predict(str(tiny_run), "--input", "-", "-k", "1", given=path.read_bytes()).stdout == done.stdout
    with pytest.raises(WikiprepError, match=r"texts\.jsonl:21: no mention"):
        predict(str(tiny_run), "--input", str(path), "--strict")
    path.write_text('{"text": "none"}\n')
    with pytest.raises(WikiprepError, match="none of 1 line can be used"):
        predict(str(tiny_run), "--input", str(path))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no brackets", "no mention in it"),
        ("[open", "never closed"),
        ("[" + "word " * 600 + "]", "600 tokens, the model takes 510"),
        ("a [ ]", "mention 1 is empty"),
    ],
)
def test_texts_that_cannot_be_used(text: str, said: str, tiny_run: Path) -> None:
    with pytest.raises(UsageError, match=said):
        predict(str(tiny_run), text)


def test_wrong_words(tiny_run: Path, tmp_path: Path) -> None:
    for words in ((str(tiny_run),), (str(tiny_run), "a [b]", "--input", "x")):
        with pytest.raises(UsageError, match="either TEXT or --input"):
            predict(*words)
    with pytest.raises(UsageError, match="no such folder"):
        predict(str(tmp_path / "nowhere"), "a [b]")
