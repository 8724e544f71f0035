"""Shards of a corpus at an address: fetched when they are read, whole, within the limit, by many at once."""

import os
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import torch
from pyarrow import fs

from wikiprep import files
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.inference.evaluation import run
from wikiprep.inference.evaluation.relations import targets_of as relation_targets_of
from wikiprep.pretrain.baselines import targets as guessing
from wikiprep.pretrain.baselines.targets import MaskedRecords, Targets, guess_figures
from wikiprep.pretrain.data.micro_batches import Cut
from wikiprep.pretrain.data.source import readers_of
from wikiprep.pretrain.evaluate import held_out_records
from wikiprep.pretrain.ranks import Ranks
from wikiprep.pretrain.start_training import check_room
from wikiprep.records import shard_cache
from wikiprep.records.reader import RecordReader
from wikiprep.records.record import Record
from wikiprep.records.shard_cache import RemoteShard, ShardCache
from wikiprep.records.training_corpus import TrainingCorpus, open_corpus


class Far:
    """A folder of this disk under an address, and how often each file of it was asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked = folder, list[str]()
        self.faults = list[Exception | bytes]()  # of the next shards that are asked for

    def __call__(self, address: str) -> tuple["Far", str]:
        return self, str(self.folder)

    def open_input_stream(self, path: str) -> object:
        name = Path(path).relative_to(self.folder).as_posix()
        self.asked.append(name)
        fault = self.faults.pop(0) if self.faults and name.startswith("records/") else None
        if isinstance(fault, Exception):
            raise fault
        if fault is not None:
            return pa.BufferReader(fault)
        return fs.LocalFileSystem().open_input_stream(path)

    def get_file_info(self, path: str) -> object:
        return fs.LocalFileSystem().get_file_info(path)

    @property
    def shards(self) -> list[str]:
        return [name for name in self.asked if name.startswith("records/")]


@pytest.fixture
def far(sample_corpus: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Far:
    made = Far(sample_corpus)
    monkeypatch.setattr(files, "open_filesystem", made)
    monkeypatch.setattr(shard_cache, "FIRST_WAIT", 0.0)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return made


def sizes(corpus: TrainingCorpus) -> list[int]:
    return [shard.size for shard in corpus.shards]


def kept(folder: Path) -> list[Path]:
    """Shards, whole or on their way; an index that is being written has more to its name."""
    return sorted(path for path in folder.iterdir() if path.suffix in (".arrow", ".part") and "." not in path.stem)


def test_records_are_those_of_the_local_corpus_and_opening_again_fetches_nothing(far: Far, sample_corpus: Path) -> None:
    local = open_corpus(str(sample_corpus), 0.1)
    corpus = open_corpus("s3://far/corpus", 0.1)
    assert sorted(far.shards) == [shard.name for shard in corpus.shards] and len(corpus.shards) > 3
    assert (corpus.shards, corpus.longest, corpus.entity_ids) == (local.shards, local.longest, local.entity_ids)
    assert corpus.split.held_out.tolist() == local.split.held_out.tolist()
    far.asked.clear()
    again = RecordReader(open_corpus("s3://far/corpus", 0.1))
    for number in range(len(again)):
        assert again.row(number) == RecordReader(local).row(number)
    assert not far.shards


@pytest.mark.parametrize("by", ["page", "pair"])
def test_no_more_than_the_limit_lies_on_the_disk(
    far: Far, sample_spot: Path, tmp_path: Path, by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    far.folder = sample_spot
    local = open_corpus(str(sample_spot), 0.3, "sentence", by)
    limit = sum(sorted(sizes(local))[-2:]) / 1e9
    folder = tmp_path / "cache"
    seen = []
    download = files.Store.download

    def watched(store: files.Store, rel: str, file: object) -> None:
        with ShardCache(store.url, folder)._held(""), suppress(FileNotFoundError):  # nobody makes room just now
            seen.append(sum({path.stem: path.stat().st_size for path in kept(folder)}.values()))
        download(store, rel, file)  # type: ignore[arg-type]

    monkeypatch.setattr(files.Store, "download", watched)
    corpus = open_corpus("s3://far/corpus", 0.3, "sentence", by, str(folder), limit)
    assert corpus.facts == local.facts and corpus.split.held_out.tolist() == local.split.held_out.tolist()
    reader, plain = RecordReader(corpus), RecordReader(local)
    order = np.random.default_rng(0).permutation(len(reader))[:60].tolist()
    for number in order:
        assert reader.read(number).word_ids.tolist() == plain.read(number).word_ids.tolist()
        assert reader.read(number).relations.tolist() == plain.read(number).relations.tolist()
    assert max(seen) <= limit * 1e9
    assert len(far.shards) > 2 * len(corpus.shards)
    mapped = [line for line in Path("/proc/self/maps").read_text().splitlines() if str(folder) in line]
    assert sum("(deleted)" in line for line in mapped) <= 1  # what was taken away is let go when another is opened


def test_a_shard_that_is_taken_away_as_soon_as_it_is_open_is_read_all_the_same(
    far: Far, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = open_corpus("s3://far/corpus", 0.1, "", "page", str(tmp_path / "own"))
    open_one = ShardCache.open

    def taken_away(cache: ShardCache, shard: RemoteShard) -> tuple[object, int]:
        found = open_one(cache, shard)
        cache.path(shard).unlink()
        return found

    monkeypatch.setattr(ShardCache, "open", taken_away)
    reader = RecordReader(corpus)
    for number in (0, len(reader) - 1, 1, len(reader) - 2, 0):
        assert reader.read(number).ordinal >= 0
    assert sum("own" in line for line in Path("/proc/self/maps").read_text().splitlines()) <= 2


def test_records_of_an_evaluation_hold_no_shard_that_was_taken_away(
    far: Far, sample_spot: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them live at once, and come from all over the corpus."""
    far.folder = sample_spot
    local = open_corpus(str(sample_spot), 0.3, "sentence")
    limit = sum(sorted(sizes(local))[-2:]) / 1e9
    corpora = [open_corpus("s3://far/corpus", 0.3, "sentence", "page", str(tmp_path / "own"), limit)]
    held_out = held_out_records([corpora[0].split], 10**6)
    readers = readers_of(corpora, held_out.places)
    held: list[int] = []

    def look(*_: object) -> None:
        lines = Path("/proc/self/maps").read_text().splitlines()
        held.append(sum("(deleted)" in line and str(tmp_path / "own") in line for line in lines))

    def targets(masked: MaskedRecords, pieces: pa.StringArray) -> Targets:
        look()
        assert len(masked.records) > 20
        return Targets(np.zeros(0, np.int64), [], np.zeros(0, np.int64))

    def ranks_of(records: list[Record]) -> np.ndarray:  # type: ignore[type-arg]
        look()
        return np.zeros(sum(len(relation_targets_of(record)) for record in records), np.int64)

    family: Any = SimpleNamespace(
        masked_entities=lambda record, rng: np.arange(len(record.entity_ids)), sizes=lambda record: (1, 0)
    )
    monkeypatch.setattr(guessing, "targets_of", targets)
    assert guess_figures(family, corpora, readers, held_out.places, 0, Ranks(0, 1, torch.device("cpu"))) == {}
    cut, far.asked = Cut(512, 0), []
    batches = list(run._masked_batches(family, readers, held_out, 0, cut))
    look()
    monkeypatch.setattr(run, "count_relations", lambda corpora, targets: None)
    monkeypatch.setattr(run, "relation_rows", lambda targets, ranks, counts: ["rows"] * len(targets))
    trained: Any = SimpleNamespace(relation_ranks=ranks_of)
    rows = run._relations(trained, family, corpora, readers, held_out, cut)
    assert len(batches) and len(rows) and len(held) >= 3
    assert max(held) <= 1 and not far.shards  # read once for all that an evaluation asks
    plain = RecordReader(corpora[0])
    views = [plain.read(number) for number in held_out.places.record.tolist()]
    look()
    assert held[-1] > 1 and len(views) == len(held_out)  # as it would be without copies


def test_what_was_not_asked_for_the_longest_goes_first(far: Far, sample_corpus: Path, tmp_path: Path) -> None:
    corpus = open_corpus("s3://far/corpus", 0.1)
    a, b, c = corpus.shards[:3]
    cache = ShardCache.of(corpus.url, str(tmp_path / "own"), (a.size + b.size + c.size - 1) / 1e9)
    for shard in (a, b, a):
        cache.fetch(shard)
        time.sleep(0.01)
    cache.fetch(c)
    assert {path.stem for path in kept(cache.folder)} == {a.sha256, c.sha256}


def test_faults_are_tried_again_and_then_told(far: Far, tmp_path: Path) -> None:
    corpus = open_corpus("s3://far/corpus", 0.1)
    shard = corpus.shards[0]
    cache = ShardCache.of(corpus.url, str(tmp_path / "own"))
    far.faults = [OSError("reset"), b"short", b"x" * shard.size]
    cache.fetch(shard)
    assert [path.stem for path in kept(cache.folder)] == [shard.sha256]
    other = corpus.shards[1]
    for faults, said in (
        ([OSError("reset\nmore")] * 5, r"reset \(tried 5 times\)"),
        ([b"short"] * 5, r"5 bytes, the manifest says [\d,]+ \(tried"),
        ([b"x" * other.size] * 5, r"its sha256 is \w+, the manifest says \w+ \(tried"),
        ([FileNotFoundError("gone")], "no such file"),
    ):
        far.faults = list(faults)
        with pytest.raises(WikiprepError, match=f"s3://far/corpus/{other.name}: {said}"):
            cache.fetch(other)
    assert [path.stem for path in kept(cache.folder)] == [shard.sha256]


def test_a_shard_is_on_the_disk_before_it_has_its_name(
    far: Far, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = open_corpus("s3://far/corpus", 0.1)
    shard, cache, synced = corpus.shards[0], ShardCache.of(corpus.url, str(tmp_path / "own")), []
    sync = os.fsync

    def watched(number: int) -> None:
        name = str(Path(f"/proc/self/fd/{number}").readlink())
        synced.append((name, os.fstat(number).st_size, cache.path(shard).exists()))
        sync(number)

    monkeypatch.setattr(os, "fsync", watched)
    cache.fetch(shard)
    assert synced == [(str(cache.folder / f"{shard.sha256}.part"), shard.size, False)]


@pytest.mark.parametrize("left", [b"", b"cut short"])
def test_a_shard_that_was_cut_short_is_fetched_again(far: Far, tmp_path: Path, left: bytes) -> None:
    corpus = open_corpus("s3://far/corpus", 0.1)
    shard, cache = corpus.shards[0], ShardCache.of(corpus.url, str(tmp_path / "own"))
    cache.fetch(shard)
    whole = cache.path(shard).read_bytes()
    cache.path(shard).write_bytes(left)
    assert not cache.here(shard)
    far.asked.clear()
    assert cache.open(shard)[0].num_record_batches == len(shard.batches)
    assert (far.shards, cache.path(shard).read_bytes()) == ([shard.name], whole)


def test_a_damaged_file_of_the_cache_is_named(far: Far, tmp_path: Path) -> None:
    """Its size is right, so that only reading finds it."""
    corpus = open_corpus("s3://far/corpus", 0.1)
    assert corpus.cache is not None
    shard, path = corpus.shards[0], corpus.cache.path(corpus.shards[0])
    whole = path.read_bytes()
    words = RecordReader(corpus).read(0).word_ids.tobytes()
    path.write_bytes(whole.replace(words, bytes(len(words)), 1))
    said = rf"(?s)s3://far/corpus/{shard.name}.*kept as {path}"
    with pytest.raises(WikiprepError, match=rf"{said}.*wrong checksum") as found:
        RecordReader(corpus).read(0)
    assert f"remove {path}, and it is fetched again" in str(found.value.hint)
    path.write_bytes(bytes(shard.size))
    with pytest.raises(WikiprepError, match=rf"{said}.*cannot be read"):
        RecordReader(corpus).read(0)
    for index in path.parent.glob(f"{shard.sha256}*.npz"):
        index.unlink()
    with pytest.raises(WikiprepError, match=rf"{said}.*cannot be read"):
        open_corpus("s3://far/corpus", 0.1)
    path.unlink()
    assert RecordReader(open_corpus("s3://far/corpus", 0.1)).read(0).word_ids.tobytes() == words


def test_a_full_disk_says_what_to_do(far: Far, tmp_path: Path) -> None:
    corpus = open_corpus("s3://far/corpus", 0.1)
    cache = ShardCache.of(corpus.url, str(tmp_path / "own"))
    far.faults = [OSError(28, "No space left on device")]
    with pytest.raises(WikiprepError, match="own: the disk is full"):
        cache.fetch(corpus.shards[0])


def test_what_a_killed_process_left_is_taken_away(far: Far, tmp_path: Path) -> None:
    corpus = open_corpus("s3://far/corpus", 0.1)
    one, two = corpus.shards[:2]
    cache = ShardCache.of(corpus.url, str(tmp_path / "own"), (one.size + two.size) / 1e9)
    (cache.folder / f"{one.sha256}.part").write_bytes(b"half")
    (cache.folder / f"{'0' * 64}.part").write_bytes(b"0" * two.size)
    (cache.folder / "mine.arrow").write_bytes(b"0")
    cache.fetch(one)
    cache.fetch(two)
    assert {path.name for path in kept(cache.folder)} == {
        "mine.arrow", f"{one.sha256}.arrow", f"{two.sha256}.arrow",
    }  # fmt: skip


def test_many_at_once_fetch_each_shard_once(far: Far, sample_corpus: Path, tmp_path: Path) -> None:
    corpus = open_corpus("s3://far/corpus", 0.1)
    cache = ShardCache.of(corpus.url, str(tmp_path / "own"))
    far.asked.clear()
    failed = []

    def read() -> None:
        try:
            for shard in corpus.shards:
                assert cache.open(shard)[0].num_record_batches == len(shard.batches)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed and sorted(far.shards) == [shard.name for shard in corpus.shards]


def test_many_at_once_with_room_for_few_come_through(far: Far, tmp_path: Path) -> None:
    """None of them waits for ever, and what one opens is not taken away before it has it."""
    corpus = open_corpus("s3://far/corpus", 0.1)
    cache = ShardCache.of(corpus.url, str(tmp_path / "own"), max(sizes(corpus)) / 1e9)
    failed = []

    def read(seed: int) -> None:
        try:
            for place in np.random.default_rng(seed).permutation(len(corpus.shards)).tolist():
                shard = corpus.shards[place]
                assert cache.open(shard)[0].num_record_batches == len(shard.batches)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=read, args=(seed,), daemon=True) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failed and not any(thread.is_alive() for thread in threads)


def test_records_that_are_coming_are_fetched_in_the_background(far: Far, tmp_path: Path) -> None:
    corpus = open_corpus("s3://far/corpus", 0.1, "", "page", str(tmp_path / "own"), 1.0)
    for path in kept(tmp_path / "own"):
        path.unlink()
    reader = RecordReader(corpus)
    assert reader.fetches
    reader.coming(np.arange(len(reader)))
    end = time.monotonic() + 60
    wanted = {shard.sha256 for shard in corpus.shards if shard.batches}
    while not wanted <= {path.stem for path in kept(tmp_path / "own") if path.suffix == ".arrow"}:
        assert time.monotonic() < end
        time.sleep(0.01)
    far.asked.clear()
    for number in range(len(reader)):
        reader.read(number)
    assert not far.shards


def test_old_shards_in_tmpdir_go_and_those_in_ones_own_folder_stay(far: Far, tmp_path: Path) -> None:
    for folder in ("", str(tmp_path / "own")):
        corpus = open_corpus("s3://far/corpus", 0.1, "", "page", folder)
        assert corpus.cache is not None
        for path in kept(corpus.cache.folder):
            os.utime(path, (0, 0))
        ShardCache.of(corpus.url, folder)
        assert bool(kept(corpus.cache.folder)) == bool(folder)


def test_the_default_folder_is_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    folder = ShardCache.of("s3://far/corpus").folder
    own = tmp_path / "tmp" / f"wikiprep-cache-{os.getuid()}"
    assert (folder, own.stat().st_mode & 0o777) == (own / "records", 0o700)
    own.chmod(0o755)
    assert ShardCache.of("s3://far/corpus").folder == folder and own.stat().st_mode & 0o777 == 0o700


def test_a_folder_in_tmpdir_that_is_not_the_users_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / f"wikiprep-cache-{os.getuid()}").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(WikiprepError, match="is not a folder of yours"):
        ShardCache.of("s3://far/corpus")
    other = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: other)
    (tmp_path / f"wikiprep-cache-{other}").mkdir()  # by us, not by him
    with pytest.raises(WikiprepError, match="is not a folder of yours"):
        ShardCache.of("s3://far/corpus")


def test_all_that_is_old_goes_and_what_is_held_or_used_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    cache = ShardCache.of("s3://far/corpus")
    old, held, fresh = (digit * 64 for digit in "abc")
    for name in (old, held, fresh):
        for end in (".arrow", ".lock", ".npz", "-pairs-0.01.npz"):
            (cache.folder / f"{name}{end}").write_bytes(b"")
    (cache.folder / "mine.npz").write_bytes(b"")
    for path in cache.folder.iterdir():
        os.utime(path, None if path.name.startswith(fresh) else (0, 0))
    with cache._held(held):
        os.utime(cache.folder / f"{held}.lock", (0, 0))
        ShardCache.of("s3://far/corpus")
    left = {path.name[:8] for path in cache.folder.iterdir()}
    assert left == {"b" * 8, "c" * 8, "mine.npz"}
    assert len(list(cache.folder.iterdir())) == 9


def test_a_lock_that_is_swept_away_while_others_wait_is_held_by_one(tmp_path: Path) -> None:
    cache, name = ShardCache.of("s3://far/corpus", str(tmp_path)), "a" * 64

    def holding() -> None:
        with cache._held(name):
            first.set()
            waiting.wait(60)
            (cache.folder / f"{name}.lock").unlink()  # as `_sweep` does, at its end

    first, waiting = threading.Event(), threading.Event()
    holder = threading.Thread(target=holding)
    holder.start()
    first.wait(60)
    got = []

    def late() -> None:
        with cache._held(name):
            got.append((cache.folder / f"{name}.lock").exists())

    waiter = threading.Thread(target=late)
    waiter.start()
    time.sleep(0.2)
    waiting.set()
    for thread in (holder, waiter):
        thread.join(60)
    assert got == [True]  # it holds the lock that the next one will ask for


def test_a_damaged_index_is_made_anew(far: Far, tmp_path: Path) -> None:
    first = open_corpus("s3://far/corpus", 0.1)
    assert first.cache is not None
    for path in first.cache.folder.glob("*.npz"):
        path.write_bytes(path.read_bytes()[:50])
    assert open_corpus("s3://far/corpus", 0.1).longest == first.longest


def test_a_cache_that_each_step_would_empty_is_refused(tmp_path: Path) -> None:
    shards = [RemoteShard(f"records/{n}", 10**9, f"{n:064}") for n in range(20)]

    def check(gigabytes: float, width: int, corpora: int = 1) -> None:
        check_room([(ShardCache("s3://far", tmp_path, int(gigabytes * 1e9)), shards)] * corpora, width)

    for gigabytes, width, corpora in ((0, 0, 1), (20, 0, 1), (8, 4, 1), (40, 0, 2), (8, 2, 2)):
        check(gigabytes, width, corpora)
    check_room([(None, shards)], 0)
    with pytest.raises(UsageError, match=r"(?s)20 GB, data.cache_gb = 8, and all shards .*shuffle_shards = 4 or less"):
        check(8, 0)
    with pytest.raises(UsageError, match=r"(?s)data.shuffle_shards = 3: each step .*shuffle_shards = 2 or less"):
        check(8, 3, 2)
    with pytest.raises(UsageError, match=r"data.cache_gb = 1 is less than two shards of each corpus, 2 GB"):
        check(1, 1)


def test_a_shard_that_is_larger_than_the_cache_is_named(far: Far, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"records/.*bytes, and data.cache_gb allows 1,000"):
        open_corpus("s3://far/corpus", 0.1, "", "page", str(tmp_path / "own"), 1e-6)
