"""A run that is killed goes on as if nothing had been: other ranks, DDP or FSDP, in mid-epoch and at a stage's end."""

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import running
from running import events, run, start, steps_done
from safetensors.numpy import load_file

from wikiprep.pretrain.checkpoint.folder import checkpoints_of, read_header

FIGURES = ("loss", "loss.word", "loss.entity", "learning_rate", "gradient_norm", "records", "position", "epoch")


@pytest.fixture(scope="module")
def whole(sample_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 40 steps on one rank without a break."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    run(folder, sample_corpus)
    return folder


def curve(folder: Path) -> list[list[float]]:
    return [[event[name] for name in FIGURES] for event in events(folder, "train")]


@pytest.fixture(scope="module")
def broken(sample_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same killed on two ranks after 7 steps or more, gone on with on two under FSDP, then three with DDP."""
    folder = tmp_path_factory.mktemp("broken") / "run"
    killed = start(folder, sample_corpus, world=2)
    killed.until(lambda: steps_done(folder) >= 7)
    killed.kill(signal.SIGKILL)
    killed.wait(-signal.SIGKILL, 1)
    assert steps_done(folder) < 20
    run(folder, sample_corpus, 'training.parallel="fsdp"', world=2, max_steps=26)
    # 16 records, one a micro-batch, over three ranks: two of them have one without weight at the end of each step.
    run(folder, sample_corpus, "data.micro_batch_sequences=1", world=3)
    return folder


def test_the_loss_curve_is_that_of_a_run_without_a_break(whole: Path, broken: Path) -> None:
    assert [event["step"] for event in events(broken, "train")] == list(range(1, 41))
    assert [event["world"] for event in (*events(broken, "begun"), *events(broken, "resumed"))] == [2, 2, 3]
    assert np.allclose(curve(whole), curve(broken), rtol=2e-6)
    assert len(events(broken, "model")) == 1 and (broken / "about" / "toy.txt").is_file()
    losses = [row[0] for row in curve(whole)]
    assert np.mean(losses[-5:]) < 0.7 * np.mean(losses[:5])


def test_evaluations_are_the_same_too(whole: Path, broken: Path) -> None:
    there, here = ({event["step"]: event for event in events(folder, "evaluate")} for folder in (whole, broken))
    assert set(there) == {20, 40} and set(here) == {20, 26, 40}  # also where it was told to end
    for step, figures in there.items():
        assert figures["records"] > 10
        for name in ("loss.word", "loss.entity", "word_top1", "entity_top1", "records"):
            assert here[step][name] == pytest.approx(figures[name], rel=2e-6)


def test_weights_are_the_same_however_they_were_saved(whole: Path, broken: Path) -> None:
    from wikiprep.pretrain.checkpoint.load import read_weights

    there, here = (read_weights(checkpoints_of(folder / "checkpoints")[0]) for folder in (whole, broken))
    assert there.keys() == here.keys() and "scale" in there and "layers.0.0.weight" in there
    for name, tensor in there.items():
        assert np.allclose(tensor, here[name], atol=2e-5), name


def test_checkpoints_hold_weights_and_numbers_only(broken: Path) -> None:
    newest, *others = checkpoints_of(broken / "checkpoints")
    assert len(others) == 2  # checkpoints.keep
    header, files = read_header(newest)
    assert (header.step, header.position, header.stage, header.stage_step, header.world) == (40, 640, 1, 20, 3)
    assert sorted(path.name for path in newest.iterdir()) == sorted([*files, "checkpoint.json"])
    assert all(name.endswith(".safetensors") for name in files)
    names = {name for file in files for name in load_file(newest / file)}
    assert {"model.words.weight", "optimizer.words.weight.exp_avg", "optimizer.words.weight.exp_avg_sq"} <= names


def test_resuming_often_is_bitwise_the_same_with_dropout(sample_corpus: Path, tmp_path: Path) -> None:
    settings = ("model.dropout=0.3", "checkpoints.every=100", "log.evaluate_every=0")
    run(tmp_path / "whole", sample_corpus, *settings, max_steps=12)
    for steps in (3, 6, 7, 11, 12):
        run(tmp_path / "often", sample_corpus, *settings, max_steps=steps)
    assert curve(tmp_path / "whole") == curve(tmp_path / "often")
    assert len(events(tmp_path / "often", "resumed")) == 4
    paths = [tmp_path / name / "checkpoints" / "step-00000012" for name in ("whole", "often")]
    there, here = (load_file(next(path.glob("*.safetensors"))) for path in paths)
    assert there.keys() == here.keys()
    assert all(np.array_equal(there[name], here[name]) for name in there)
    before = (tmp_path / "often" / "log.jsonl").read_text()
    (said,) = run(tmp_path / "often", sample_corpus, *settings, max_steps=12)
    assert "12 steps are done, nothing is left to do" in said
    assert len((tmp_path / "often" / "log.jsonl").read_text()) > len(before)


def test_a_damaged_checkpoint_is_named_and_the_one_before_taken(
    broken: Path, whole: Path, sample_corpus: Path, tmp_path: Path
) -> None:
    """Scenario allenai/allennlp#2129."""
    folder = Path(shutil.copytree(broken, tmp_path / "run"))
    newest, before, _ = checkpoints_of(folder / "checkpoints")
    victim = sorted(newest.glob("*.safetensors"))[1]
    data = bytearray(victim.read_bytes())
    data[len(data) // 2] ^= 1
    victim.write_bytes(data)
    said = run(folder, sample_corpus, world=2)
    assert f"{victim}: damaged" in said[0] and "the checkpoint before it is taken" in said[0]
    assert events(folder, "resumed")[-1]["step"] == int(before.name.removeprefix("step-"))
    assert np.allclose(curve(folder), curve(whole), rtol=2e-6)
    for path in checkpoints_of(folder / "checkpoints"):
        (path / "checkpoint.json").write_text("{")
    (said_now,) = start(folder, sample_corpus).wait(1)
    assert "all 3 checkpoints are damaged" in said_now and "--overwrite" in said_now


def test_sigterm_saves_and_the_same_command_goes_on(whole: Path, sample_corpus: Path, tmp_path: Path) -> None:
    stopped = start(tmp_path / "run", sample_corpus, "checkpoints.every=1000", world=2)
    stopped.until(lambda: steps_done(tmp_path / "run") >= 3)
    stopped.processes[1].terminate()  # one of them is told; all stop before the same step
    said = stopped.wait(143)
    assert all("SIGTERM: stopped after step" in text and "the same command goes on" in text for text in said)
    saved = checkpoints_of(tmp_path / "run" / "checkpoints")
    assert len(saved) == 1 and read_header(saved[0])[0].step >= 3
    run(tmp_path / "run", sample_corpus, max_steps=22)
    assert np.allclose(curve(tmp_path / "run"), curve(whole)[:22], rtol=2e-6)


def test_checkpoints_beside_training_hold_what_those_between_steps_do(
    whole: Path, sample_corpus: Path, tmp_path: Path
) -> None:
    """Killed while one may be written, gone on with on one rank, stopped by a signal: nothing is lost or mixed."""
    folder, settings = tmp_path / "run", ("checkpoints.asynchronous=true", "checkpoints.every=2", "log.every=3")
    killed = start(folder, sample_corpus, *settings, world=2)
    killed.until(lambda: steps_done(folder) >= 9)
    killed.kill(signal.SIGKILL)
    killed.wait(-signal.SIGKILL, 1)
    run(folder, sample_corpus, *settings, max_steps=15)
    assert events(folder, "resumed")[0]["step"] >= 4
    going = start(folder, sample_corpus, *settings, 'training.parallel="fsdp"', world=2)
    going.until(lambda: steps_done(folder) >= 21)
    going.processes[0].terminate()
    assert all("SIGTERM: stopped after step" in said for said in going.wait(143))
    steps = [event["step"] for event in events(folder, "checkpoint")]
    assert steps == sorted(set(steps)) and checkpoints_of(folder / "checkpoints")[0].name == f"step-{steps[-1]:08d}"
    run(folder, sample_corpus, "log.every=1", max_steps=steps[-1] + 2)
    there = {event["step"]: event["loss"] for event in events(whole, "train")}
    for event in events(folder, "train"):
        assert event["loss"] == pytest.approx(there[event["step"]], rel=2e-6)


def positions(folder: Path) -> list[int]:
    return [event["position"] for event in events(folder, "train")]


def test_records_are_skipped_on_request_and_the_order_stays(sample_corpus: Path, tmp_path: Path) -> None:
    """Scenario meta-pytorch/data#1337. The same command given again, as by a job that is put back into the queue, does
    not skip again, whether a checkpoint lies between or not."""
    folder = tmp_path / "run"
    settings = ("checkpoints.every=2", "log.evaluate_every=0")
    run(folder, sample_corpus, *settings, max_steps=2)
    (said,) = run(folder, sample_corpus, *settings, max_steps=4, skip_records=("160",))
    assert "skipping 160 records, positions 32 to 191 of the stream" in said
    assert events(folder, "skipped") == [{"event": "skipped", "step": 3, "first": 32, "records": 160}]
    assert positions(folder) == [16, 32, 208, 224]
    shutil.rmtree(folder / "checkpoints" / "step-00000004")
    run(folder, sample_corpus, *settings, max_steps=4, skip_records=("160",))  # as killed before its first checkpoint
    assert positions(folder) == [16, 32, 208, 224] and len(events(folder, "skipped")) == 1
    (said,) = run(folder, sample_corpus, *settings, max_steps=5, skip_records=("160",))
    assert "not skipped again: 160 records, positions 32 to 191" in said
    run(folder, sample_corpus, *settings, max_steps=6)
    assert positions(folder)[4:] == [240, 256] and len(events(folder, "skipped")) == 1


def test_a_position_says_where_to_skip(sample_corpus: Path, tmp_path: Path) -> None:
    """In mid-batch, ahead, on two ranks, over resumes: the batches are those of the stream without the range."""
    folder = tmp_path / "run"
    words = {"skip_records": ("40:20", "70:3"), "world": 2}
    for steps in (2, 3, 5):
        run(folder, sample_corpus, "log.evaluate_every=0", max_steps=steps, **words)
        words = {"world": 1}  # the checkpoint knows them
    assert positions(folder) == [16, 32, 68, 87, 103]
    skipped = [(event["step"], event["first"], event["records"]) for event in events(folder, "skipped")]
    assert skipped == [(3, 40, 20), (4, 70, 3)]
    (said,) = run(folder, sample_corpus, "log.evaluate_every=0", max_steps=6, skip_records=("0:110",))
    assert "at position 103 already" in said
    assert positions(folder)[-1] == 126


def test_two_runs_on_one_corpus_do_not_meet(sample_corpus: Path, tmp_path: Path) -> None:
    """Scenario mosaicml/streaming#573; that the folder may be read-only: tests/records/test_reader.py."""
    before = {path: path.stat().st_mtime_ns for path in sample_corpus.rglob("*")}
    one = start(tmp_path / "one" / "run", sample_corpus)
    other = start(tmp_path / "other" / "run", sample_corpus, max_steps=12)
    one.until(lambda: steps_done(one.folder) >= 2)
    one.kill(signal.SIGKILL)
    one.wait(-signal.SIGKILL)
    other.wait()
    assert steps_done(other.folder) == 12
    assert {path: path.stat().st_mtime_ns for path in sample_corpus.rglob("*")} == before
    again = start(one.folder, sample_corpus, max_steps=40)
    again.until(lambda: steps_done(one.folder) >= 6)
    again.kill(signal.SIGSTOP)  # else it may be through before the next one looks
    (said,) = start(one.folder.parent / "run", sample_corpus).wait(1)
    assert "another run (process" in said
    again.kill(signal.SIGKILL)
    again.wait(-signal.SIGKILL)


@pytest.fixture(autouse=True)
def quiet_forks() -> Iterator[None]:
    """The fork server lives as long as the tests: nothing to tidy up but what `running` has started."""
    yield
    assert not [child for child in running._forks.active_children() if child.is_alive()]
