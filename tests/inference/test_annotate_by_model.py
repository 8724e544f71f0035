"""`annotate --model`: of a name's candidates the model's likeliest, as `predict` orders all entities."""

from pathlib import Path

import orjson
import pytest
from click.testing import CliRunner
from inline import build

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError
from wikiprep.sample import dump_path

pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")

TEXT = "Galileo saw four moons of Jupiter. Mercury is near the Sun, and Io is a moon of Jupiter."


def annotated(corpus: Path, folder: Path, *words: str) -> tuple[list[dict[str, object]], str]:
    """The links of TEXT, and what was said."""
    (folder / "text.txt").write_text(TEXT + "\n")
    words = ("annotate", str(corpus), "-i", str(folder / "text.txt"), "-o", str(folder / "out.jsonl"), *words)
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return orjson.loads((folder / "out.jsonl").read_bytes())["links"], " ".join(done.stderr.split())


@pytest.fixture(scope="module")
def sample_mentions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("sample-mentions") / "corpus"
    build(output, dump_path(), sections={"mentions": {"mentions": True}, "input": {"range_mb": 0.05}})
    return output


@pytest.fixture(scope="module")
def several(sample_mentions: Path, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    """Links by the prior, with all candidates."""
    return annotated(sample_mentions, tmp_path_factory.mktemp("prior"), "-k", "30")[0]


def test_the_likeliest_candidate_is_meant(
    several: list[dict[str, object]], sample_mentions: Path, tiny_run: Path, tmp_path: Path
) -> None:
    chosen, said = annotated(sample_mentions, tmp_path, "--model", str(tiny_run))
    line = {"text": TEXT, "links": [{"start": link["start"], "end": link["end"]} for link in several]}
    (tmp_path / "in.jsonl").write_bytes(orjson.dumps(line) + b"\n")
    words = ("predict", str(tiny_run), "--input", str(tmp_path / "in.jsonl"), "-k", "100000")
    order = [
        [guess["title"] for guess in mention["entities"]]
        for mention in orjson.loads(CliRunner().invoke(cli, words, catch_exceptions=False).stdout)["mentions"]
    ]
    asked = 0
    for link, prior, best in zip(chosen, several, order, strict=True):
        known = [it["title"] for it in prior["candidates"] if it["title"] in best]
        assert "candidates" not in link
        if len(known) > 1:
            asked += 1
            assert (link["source"], link["target"]) == ("model", min(known, key=best.index))
            assert link["prior"] == next(it["prior"] for it in prior["candidates"] if it["title"] == link["target"])
        else:
            assert {**link, "candidates": prior["candidates"]} == prior
    assert asked >= 1
    assert f"chosen spans {len(several)}" in said


def test_candidates_are_told_where_they_are_asked_for(sample_mentions: Path, tiny_run: Path, tmp_path: Path) -> None:
    links, _ = annotated(sample_mentions, tmp_path, "--model", str(tiny_run), "-k", "2")
    assert all(1 <= len(link["candidates"]) <= 2 for link in links)


def test_what_a_known_page_says_is_left(sample_mentions: Path, tiny_run: Path, tmp_path: Path) -> None:
    (tmp_path / "page.jsonl").write_bytes(orjson.dumps({"text": TEXT, "title": "Jupiter"}) + b"\n")
    for name, words in {"with": ("--model", str(tiny_run)), "without": ()}.items():
        words = (
            "annotate",
            str(sample_mentions),
            "-i",
            str(tmp_path / "page.jsonl"),
            "-o",
            str(tmp_path / name),
            *words,
        )
        assert CliRunner().invoke(cli, words, catch_exceptions=False).exit_code == 0
    assert (tmp_path / "with").read_bytes() == (tmp_path / "without").read_bytes()


def test_a_model_that_is_not_there_is_refused(sample_mentions: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such"):
        annotated(sample_mentions, tmp_path, "--model", str(tmp_path / "none"))
