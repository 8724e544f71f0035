"""`wikiprep evaluate` on a run of some steps: the log's own figures, the same however it is cut, and bad input."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from inline import build

from wikiprep.cli.main import cli
from wikiprep.errors import WikiprepError
from wikiprep.inference.evaluation.run import Evaluation, evaluate_checkpoint
from wikiprep.sample import dump_path


@pytest.fixture(scope="module")
def found(tiny_run: Path, sample_corpus: Path) -> Evaluation:
    return evaluate_checkpoint(str(tiny_run), [str(sample_corpus)], None, None)


def test_figures_as_trained_are_those_of_the_log(found: Evaluation, tiny_run: Path) -> None:
    events = [json.loads(line) for line in (tiny_run / "log.jsonl").read_text().splitlines()]
    (logged,) = [event for event in events if event["event"] == "evaluate"]
    assert found.step == logged["step"] == 6 and found.records == logged["records"]
    assert {"loss.mlm", "loss.entity", "mlm_top1", "entity_top1", "entity_top10"} <= found.as_trained.keys()
    for name, value in found.as_trained.items():
        assert value == pytest.approx(logged[name], rel=1e-6), name
    assert logged["entity_prior"] == found.rows[0].mention_prior
    assert logged["entity_most_frequent"] == found.rows[0].most_frequent


def test_sums_close(found: Evaluation) -> None:
    every, *bands = found.rows
    assert found.masked == found.unk + every.targets and every.targets > 20
    assert sum(band.targets for band in bands) == every.targets
    for field in ("visible_top1", "masked_top10", "mention_prior", "most_frequent"):
        total = sum(getattr(band, field) * band.targets for band in bands)
        assert total == pytest.approx(getattr(every, field) * every.targets)
    assert every.mention_prior is not None and every.most_frequent is not None
    assert every.mention_prior > 2 * every.most_frequent  # the sample's names say much
    assert every.name_known is not None and every.mention_prior <= every.name_known + every.most_frequent


def test_rows_by_name(found: Evaluation) -> None:
    rows = {row.kind: row for row in found.names}
    targets = {kind: row.targets for kind, row in rows.items()}
    assert targets["all"] == found.rows[0].targets
    assert targets["all"] == targets["one meaning"] + targets["ambiguous"] + targets["unseen name"]
    assert targets["rare entity"] == sum(band.targets for band in found.rows if band.band in ("0", "1 to 9"))
    every = rows["all"]
    for share, value in (
        (every.visible_top1, found.rows[0].visible_top1),
        (every.masked_top1, found.rows[0].masked_top1),
        (every.mention_prior, found.rows[0].mention_prior),
    ):
        assert share is not None and share.value == value and share.error is not None
        assert (share.error > 0) == (0 < share.value < 1)
    for row in rows.values():
        if row.targets:
            assert row.candidates and row.visible_among and row.masked_among and row.mention_prior
            assert max(row.visible_among.value, row.masked_among.value) <= row.candidates.value
    assert targets["one meaning"] > 0  # the sample has no more


def test_the_same_for_any_batch(found: Evaluation, tiny_run: Path, sample_corpus: Path) -> None:
    other = evaluate_checkpoint(str(tiny_run), [str(sample_corpus)], None, 700)
    assert other.rows == found.rows and other.names == found.names
    assert other.as_trained == pytest.approx(found.as_trained, rel=1e-5)


def test_command(found: Evaluation, tiny_run: Path, sample_corpus: Path) -> None:
    words = ["evaluate", str(tiny_run / "checkpoints" / "step-00000006"), "--corpus", str(sample_corpus)]
    done = CliRunner().invoke(cli, [*words, "--all"], catch_exceptions=False)
    for word in (
        "by name",
        "one meaning",
        "… not the usual",
        "±",
        "step 6",
        "as trained: MLM loss",
        "prior",
        "freq.",
        "all",
    ):
        assert word in done.output
    read = json.loads(CliRunner().invoke(cli, [*words, "--records", "9", "--json"], catch_exceptions=False).output)
    assert (
        read["names"][0]["visible_among"].keys() == {"value", "error"} and "visible_top1" in read["rows"][0]["errors"]
    )
    assert (read["schema"], read["records"], read["rows"][0]["band"]) == ("evaluation/1", 9, "all")


def test_what_cannot_be_evaluated(tiny_run: Path, sample_corpus: Path, tmp_path: Path) -> None:
    corpora = [str(sample_corpus)]
    for path, said in ((tmp_path / "none", "no such folder"), (tmp_path, "neither a run with a checkpoint")):
        with pytest.raises(WikiprepError, match=said):
            evaluate_checkpoint(str(path), corpora, None, None)
    with pytest.raises(WikiprepError, match=f"a folder of checkpoints\n  give its run, {tiny_run}, or"):
        evaluate_checkpoint(str(tiny_run / "checkpoints"), corpora, None, None)
    other = tmp_path / "other"
    build(other, dump_path(), sections={"vocabulary": {"min_count": 3}})
    with pytest.raises(WikiprepError, match="its entity vocabulary is not the model's"):
        evaluate_checkpoint(str(tiny_run), [str(other)], None, None)
    alone = tmp_path / "alone"
    shutil.copytree(tiny_run / "checkpoints" / "step-00000006", alone)
    with pytest.raises(WikiprepError, match="the folder about of its run is neither"):
        evaluate_checkpoint(str(alone), corpora, None, None)
    shutil.copytree(tiny_run / "about", alone / "about")
    with pytest.raises(WikiprepError, match=r"config\.toml is neither"):
        evaluate_checkpoint(str(alone), corpora, None, None)
    shard = next(alone.glob("*.safetensors"))
    data = bytearray(shard.read_bytes())
    data[-1] ^= 1
    shard.write_bytes(data)
    with pytest.raises(WikiprepError, match="damaged"):
        evaluate_checkpoint(str(alone), corpora, None, None)
