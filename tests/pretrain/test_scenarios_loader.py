"""What went wrong for others with the order of their data (the report's number is in each name).

More of them: streaming#447 in test_run_failures.py, streaming#573 and data#1337 in test_run_resume.py, streaming#781 in
test_commands.py.
"""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from own_corpus import own_corpus
from running import events, run
from toy_family import make

from wikiprep.pretrain.data.loader import GlobalBatches, shares
from wikiprep.pretrain.data.micro_batches import Cut
from wikiprep.pretrain.data.share import Share, ShareMaker
from wikiprep.pretrain.data.stream import Stream
from wikiprep.records.reader import RecordReader
from wikiprep.records.training_corpus import open_corpus

PLAIN = ("log.evaluate_every=0", "training.probe=false", "data.held_out=0.0")


@pytest.fixture(scope="module")
def thousand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """1,000 records."""
    return own_corpus(tmp_path_factory.mktemp("thousand"), [1] * 1000)


def seen(path: Path) -> Counter[str]:
    """How often a loss was computed of each record (by page: there is one a page)."""
    return Counter(line.split()[0] for line in path.read_text().splitlines())


def an_epoch(folder: Path, corpus: Path, *stops: tuple[int, int]) -> Counter[str]:
    """Train through an epoch of 1,000 records and 8 more, in commands that end at (step, on so many ranks)."""
    settings = (*PLAIN, "data.global_batch=28", f'model.seen="{folder.parent / "seen"}"')
    for step, world in stops:
        said = run(folder, corpus, *settings, world=world, stage=36, max_steps=step)
        assert not any("arning" in text for text in said)
    return seen(folder.parent / "seen")


@pytest.mark.parametrize(
    "stops",
    [((12, 2), (36, 1)), ((15, 8), (36, 3)), ((5, 1), (11, 1), (12, 2), (20, 1), (30, 1), (36, 2))],
    ids=["megatron_bridge_5637_2_to_1", "litdata_251_8_to_3", "nemo_speech_11481_five_resumes"],
)
def test_an_epoch_over_resumes_has_each_record_once(
    stops: tuple[tuple[int, int], ...], thousand: Path, tmp_path: Path
) -> None:
    """Also pytorch-lightning#5325. 36 steps of 28 records: 1,000 of the epoch, 8 of the next, none for padding."""
    found = an_epoch(tmp_path / "run", thousand, *stops)
    assert found.keys() == {str(page) for page in range(1000)}
    assert sum(found.values()) == 1008 and sorted(found.values())[-8:] == [2] * 8
    assert [event["step"] for event in events(tmp_path / "run", "train")] == list(range(1, 37))
    assert sum(event["records"] for event in events(tmp_path / "run", "train")) == 1008


@pytest.mark.filterwarnings("ignore:This DataLoader will create 4 worker processes")  # on fewer cores
def test_torchtitan_291_workers_do_not_hand_out_the_same_records(thousand: Path) -> None:
    """4 workers x 2 ranks over 1,000 records: 1,000 ids, each once."""
    corpus = open_corpus(str(thousand), 0.0)
    stream = Stream.of(0, [corpus.split], 0.7)
    found: list[int] = []
    for rank in range(2):
        maker = ShareMaker(make({}, thousand), (RecordReader(corpus),), 0, rank, 2, Cut(600))
        for share in shares(GlobalBatches(maker, stream, 0, 40), 25, 4, pin=False):
            assert isinstance(share, Share) and sum(share.weights) == len(share.weights)
            found += [record for records in share.records for _, record in records]
    assert sorted(found) == list(range(1000))


def test_torchtitan_409_a_resume_on_four_ranks_is_the_undisturbed_run(thousand: Path, tmp_path: Path) -> None:
    """The next 50 steps have the same losses, and nothing is warned of."""
    settings = (*PLAIN, "model.dropout=0.2")
    run(tmp_path / "whole" / "run", thousand, *settings, world=4, stage=60)
    for step in (10, 60):
        said = run(tmp_path / "run", thousand, *settings, world=4, stage=60, max_steps=step)
        assert not any("arning" in text for text in said)
    folders = tmp_path / "whole" / "run", tmp_path / "run"
    there, here = ([event["loss"] for event in events(folder, "train")] for folder in folders)
    assert len(here) == 60 and np.allclose(there, here, rtol=1e-6)
