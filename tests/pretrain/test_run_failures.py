"""What can go wrong: one message each, on the rank that met it, and all ranks end."""

import re
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import orjson
import pytest
from running import CONFIG, events, run, start

from wikiprep.corpus.shards import open_shard
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.checkpoint.folder import checkpoints_of, read_header
from wikiprep.pretrain.checkpoint.load import read_weights
from wikiprep.pretrain.checkpoint.save import Saving
from wikiprep.pretrain.data.share import Failure, Share, ShareMaker
from wikiprep.pretrain.data.stream import Places
from wikiprep.pretrain.evaluate import EPOCH
from wikiprep.pretrain.finite_gradients import GradientWatch
from wikiprep.pretrain.start_training import Command, pretrain
from wikiprep.records.training_corpus import open_corpus

ANOTHER = "ended because rank {} met an error"


def test_a_broken_shard_is_named_with_its_row_and_all_ranks_end(sample_corpus: Path, tmp_path: Path) -> None:
    """Scenario mosaicml/streaming#447."""
    corpus = Path(shutil.copytree(sample_corpus, tmp_path / "corpus"))
    shard = sorted((corpus / "records").iterdir())[2]
    words = np.array(open_shard(shard).get_batch(0).column("word_ids")[1].as_py(), np.int32).tobytes()
    data = bytearray(shard.read_bytes())
    data[data.index(words)] ^= 255
    shard.write_bytes(data)
    said = start(tmp_path / "run", corpus, "data.held_out=0.0", world=2).wait(1)
    met = [rank for rank in range(2) if f"rank {rank}: {corpus}/records/{shard.name}: row 1: not what" in said[rank]]
    assert len(met) == 1
    assert ANOTHER.format(met[0]) in said[1 - met[0]]
    assert not any("Traceback" in text for text in said)


@pytest.mark.parametrize("of", ["training", "evaluation"])
def test_a_record_that_cannot_be_read_costs_no_checkpoint_that_is_being_written(
    of: str, sample_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares, share = Counter[str](), ShareMaker.share

    def failing(maker: ShareMaker, places: Places) -> Share | Failure:
        kind = "evaluation" if places.epoch[0] == EPOCH else "training"
        shares[kind] += 1
        return Failure("broken", "mend it") if (kind, shares["training"]) == (of, 5) else share(maker, places)

    monkeypatch.setattr(ShareMaker, "share", failing)
    monkeypatch.setattr(Saving, "written", lambda self: False)  # a disk that is slow
    settings = ("checkpoints.asynchronous=true", "checkpoints.every=3", "log.evaluate_every=5", "training.probe=false")
    with pytest.raises(WikiprepError, match="broken"):
        pretrain(command(tmp_path, sample_corpus, settings=settings))
    assert [event["step"] for event in events(tmp_path / "run", "train")][-1] == (4 if of == "training" else 5)
    assert [path.name for path in checkpoints_of(tmp_path / "run" / "checkpoints")] == ["step-00000003"]


def test_a_loss_that_is_no_number_ends_all_ranks_before_it_reaches_the_weights(
    sample_corpus: Path, tmp_path: Path
) -> None:
    pages = open_shard(sorted((sample_corpus / "records").iterdir())[0]).get_batch(0).column("page_id").to_pylist()
    page = next(page for page in pages if pages.count(page) == 1)
    settings = (f"model.fail=nan:{page}", "data.held_out=0.0")
    said = start(tmp_path / "run", sample_corpus, *settings, world=2).wait(1)
    assert all("the loss of step" in text and "is not a finite number" in text for text in said)
    assert sum("in a micro-batch with" in text for text in said) == 1
    assert not any("Traceback" in text for text in said)
    assert all("lower learning rate" in text for text in said)
    ((step, position),) = {re.search(r"of step (\d+) (?s:.*)--skip-records (\d+):16", s).groups() for s in said}
    # All that was reached is kept, though checkpoints are 5 steps apart, and the record's step alone is left out.
    assert int(step) > 1 and int(step) % 5 != 1
    newest = checkpoints_of(tmp_path / "run" / "checkpoints")[0]
    header = read_header(newest)[0]
    assert (header.step, header.position) == (int(step) - 1, int(position))
    assert all(f"the checkpoint of step {header.step} is from before" in text for text in said)
    assert all(tensor.isfinite().all() for tensor in read_weights(newest).values())
    run(tmp_path / "run", sample_corpus, *settings, max_steps=int(step), skip_records=(f"{position}:16",))
    assert events(tmp_path / "run", "resumed")[0]["step"] == header.step
    assert events(tmp_path / "run", "skipped")[0]["first"] == int(position) == 16 * (int(step) - 1)
    assert len(events(tmp_path / "run", "train")) == int(step)
    assert all(np.isfinite(event["loss"]) for event in events(tmp_path / "run", "train"))


def test_a_device_that_is_behind_leaves_all_as_it_was_before_the_bad_step(
    sample_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a GPU the host finds out some steps later: at the next step that is logged, or when the mark has come."""
    pages = open_shard(sorted((sample_corpus / "records").iterdir())[0]).get_batch(0).column("page_id").to_pylist()
    page = next(page for page in pages if pages.count(page) == 1)
    monkeypatch.setattr(GradientWatch, "done_with_all", lambda self: False)
    found = []
    for name, marks in (("marked", GradientWatch.seen_bad), ("logged", lambda self: False)):
        monkeypatch.setattr(GradientWatch, "seen_bad", marks)
        (tmp_path / name).mkdir()
        settings = (f"model.fail=nan:{page}", "data.held_out=0.0", "log.every=1000", "log.evaluate_every=0")
        failing = command(tmp_path / name, sample_corpus, settings=(*settings, "checkpoints.every=1000"))
        with pytest.raises(WikiprepError, match=r"the loss of step \d+ .*is from before") as error:
            pretrain(failing)
        step, position = map(int, re.findall(r"of step (\d+) .*position (\d+)", error.value.what)[0])
        newest = checkpoints_of(tmp_path / name / "run" / "checkpoints")[0]
        assert (read_header(newest)[0].step, read_header(newest)[0].position) == (step - 1, position)
        found.append((step, read_weights(newest)))
    run(tmp_path / "until", sample_corpus, *settings, max_steps=found[0][0] - 1)
    until = read_weights(checkpoints_of(tmp_path / "until" / "checkpoints")[0])
    for step, weights in found:
        assert step == found[0][0] and all(tensor.equal(until[key]) for key, tensor in weights.items())


def test_weights_that_are_no_numbers_take_the_place_of_no_checkpoint(sample_corpus: Path, tmp_path: Path) -> None:
    settings = ('model.fail="weights:8"', "training.probe=false", "data.micro_batch_tokens=100000")  # a pass a step
    failing = command(tmp_path, sample_corpus, settings=settings)
    with pytest.raises(WikiprepError, match=r"of step 8 .*the checkpoint of step 5 .*parameters are no finite numbers"):
        pretrain(failing)
    assert [path.name for path in checkpoints_of(tmp_path / "run" / "checkpoints")] == ["step-00000005"]


def test_a_first_step_that_fails_leaves_no_checkpoint(sample_corpus: Path, tmp_path: Path) -> None:
    failing = command(tmp_path, sample_corpus, settings=('model.fail="weights:1"', "training.probe=false"))
    with pytest.raises(
        WikiprepError, match=r"the loss of step 1 \(records from position 0 on\).*nothing was trained yet"
    ):
        pretrain(failing)
    assert not checkpoints_of(tmp_path / "run" / "checkpoints")


def test_out_of_memory_says_what_to_lower(sample_corpus: Path, tmp_path: Path) -> None:
    said = start(tmp_path / "run", sample_corpus, "model.fail=memory", world=2).wait(1)
    assert any("out of memory" in text and "data.micro_batch_tokens" in text for text in said)
    assert not any("Traceback" in text for text in said)


def test_a_rank_that_is_gone_ends_the_others(sample_corpus: Path, tmp_path: Path) -> None:
    going = start(tmp_path / "run", sample_corpus, world=2)
    going.until(lambda: len(events(tmp_path / "run", "train")) >= 1)
    going.processes[1].kill()
    said = going.wait(1, -9)
    assert "rank 0: lost the other ranks" in said[0] and "Traceback" not in said[0]


def command(tmp_path: Path, *corpora: Path, settings: tuple[str, ...] = (), config: str = CONFIG) -> Command:
    (tmp_path / "toy.toml").write_text(config)
    return Command(
        corpora=tuple(map(str, corpora)),
        config=str(tmp_path / "toy.toml"),
        output=str(tmp_path / "run"),
        settings=settings,
    )


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (("data.global_batch=0",), "global_batch = 0 is too small"),
        (("data.nothing=1",), r"unknown option 'nothing' in \[data\]"),
        (("global_batch",), "not of the form table.option=value"),
        (("nothing.at=1",), "nothing is not known"),
        (("training.precision=fp8",), "precision = 'fp8' is not known"),
        (("model.entities=3",), r"model.entities = 3, but the corpus has \d+"),
        (("data.held_out=1.0",), r"no record to train on \(all \d+ are held out\)"),
    ],
)
def test_wrong_options_are_told_before_anything_is_written(
    sample_corpus: Path, tmp_path: Path, settings: tuple[str, ...], message: str
) -> None:
    with pytest.raises(WikiprepError, match=message):
        pretrain(command(tmp_path, sample_corpus, settings=settings))
    assert not (tmp_path / "run").exists()


def test_wrong_corpora_and_configurations(sample_corpus: Path, sample_linked: Path, tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match="none: no such folder"):
        pretrain(command(tmp_path, tmp_path / "none"))
    with pytest.raises(WikiprepError, match="its entity ids mean other things than those of"):
        pretrain(command(tmp_path, sample_corpus, sample_linked))
    with pytest.raises(UsageError, match="given twice"):
        pretrain(command(tmp_path, sample_corpus, sample_corpus))
    tiny = Command(
        corpora=(str(sample_corpus),),
        config="tiny",
        output=str(tmp_path / "run"),
        settings=("model.max_positions=100",),
    )
    with pytest.raises(WikiprepError, match=r"has \d+ tokens, the model takes \d+"):
        pretrain(tiny)
    short = CONFIG.replace("warmup_steps = 3", "warmup_steps = 21")
    with pytest.raises(UsageError, match=r"toy\.toml: stage 1 has warmup_steps = 21, but steps = 20"):
        pretrain(command(tmp_path, sample_corpus, config=short))
    with pytest.raises(UsageError, match="no model family 'nobody'"):
        pretrain(command(tmp_path, sample_corpus, config='family = "nobody"\n'))
    with pytest.raises(UsageError, match="not a TOML file"):
        pretrain(command(tmp_path, sample_corpus, config="family ="))
    with pytest.raises(UsageError, match=r"no configuration 'huge'\n.*tiny"):
        pretrain(Command(corpora=(str(sample_corpus),), config="huge", output=str(tmp_path / "run")))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["tokenizer/tokenizer.json", "tables/entity_vocab.parquet"])
def test_files_that_do_not_fit_the_records_are_named(name: str, sample_corpus: Path, tmp_path: Path) -> None:
    """A tokenizer of as many tokens, but others, would train without a word."""
    corpus = Path(shutil.copytree(sample_corpus, tmp_path / "corpus"))
    data = (corpus / name).read_bytes()
    if name.endswith(".json"):
        data = data.replace(b'"a":', b'"_":').replace(b'"b":', b'"a":').replace(b'"_":', b'"b":')
        assert len(data) == (corpus / name).stat().st_size
        (corpus / name).write_bytes(data)
    else:
        (corpus / name).unlink()
    with pytest.raises(WikiprepError, match=rf"{name}: missing, or not what the build wrote"):
        pretrain(command(tmp_path, corpus))
    assert not (tmp_path / "run").exists()


def contents(folder: Path) -> dict[Path, bytes]:
    """All files but the lock, which says who looked last."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "lock"}


def test_a_folder_with_another_run_is_left_alone(sample_corpus: Path, tmp_path: Path) -> None:
    run(tmp_path / "run", sample_corpus, max_steps=1)
    manifest = orjson.loads((sample_corpus / "manifest.json").read_bytes())
    other = Path(shutil.copytree(sample_corpus, tmp_path / "other"))
    for entry in manifest["files"]:
        if entry["path"].startswith("records/"):
            entry["sha256"] = "0" * 64
    (other / "manifest.json").write_bytes(orjson.dumps(manifest))
    before = contents(tmp_path / "run")
    for corpus, settings, message in (
        (sample_corpus, ("data.seed=1",), r"holds a run with data\.seed = 0, and this one has 1"),
        (sample_corpus, ("model.size=8",), r"holds a run with model\.size = \"nothing\", and this one has 8"),
        (other, (), "holds a run on other records"),
    ):
        with pytest.raises(UsageError, match=message):
            pretrain(command(tmp_path, corpus, settings=settings))
    assert contents(tmp_path / "run") == before
    run(tmp_path / "run", sample_corpus, "data.seed=1", max_steps=1, overwrite=True)
    assert [event["step"] for event in events(tmp_path / "run", "train")] == [1]


def test_a_corpus_whose_longest_record_is_held_out_has_a_probe_all_the_same(sample_corpus: Path) -> None:
    corpus = open_corpus(str(sample_corpus), 0.9)
    assert 0 <= corpus.longest < corpus.split.size
