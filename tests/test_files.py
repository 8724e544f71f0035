import os
import pickle
import time
from pathlib import Path

import pytest
from pyarrow import fs

from wikiprep.errors import WikiprepError
from wikiprep.files import Store, sha256_of, whole_file


def test_a_file_is_published_whole_and_scratch_is_gone(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "out"))
    with store.scratch("unit") as folder:
        (folder / "data").write_bytes(b"hello")
        receipt = store.publish(folder / "data", "articles/part.parquet")
    assert (receipt.path, receipt.size) == ("articles/part.parquet", 5)
    assert receipt.sha256 == sha256_of(tmp_path / "out" / "articles" / "part.parquet")
    assert store.list() == ["articles/part.parquet"]
    assert list((tmp_path / "out" / "_state" / "tmp").iterdir()) == []


def test_a_failed_attempt_leaves_nothing_under_the_final_name(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "out"))
    with pytest.raises(RuntimeError), store.scratch("unit") as folder:
        (folder / "data").write_bytes(b"half")
        raise RuntimeError
    assert store.list() == []


def test_scratch_of_two_attempts_never_meets(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    with store.scratch("unit") as one, store.scratch("unit") as two:
        assert one != two


def test_publishing_again_replaces(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.write("a", b"1")
    store.write("a", b"22")
    assert store.read("a") == b"22"
    assert store.size("a") == 2
    assert store.size("b") is None


def test_remove_and_list(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    store.write("x/b", b"")
    store.write("x/a", b"")
    assert store.list("x") == ["x/a", "x/b"]
    store.remove("x/a")
    store.remove("x/a")
    assert store.list("x") == ["x/b"]
    assert store.list("nothing/there") == []


def test_a_store_travels_by_its_address(tmp_path: Path) -> None:
    store: Store = pickle.loads(pickle.dumps(Store(str(tmp_path))))
    store.write("a", b"1")
    assert store.fetch("a").read_bytes() == b"1"


def test_a_remote_store_uploads_once_and_fetches(tmp_path: Path) -> None:
    # A local file system through pyarrow.fs stands for the object store: what counts is the path through `_remote`.
    (tmp_path / "bucket" / "x").mkdir(parents=True)
    store = Store("s3://bucket/out", scratch=str(tmp_path / "scratch"))
    store.__dict__["_remote"] = (fs.SubTreeFileSystem(str(tmp_path / "bucket"), fs.LocalFileSystem()), "")
    store.write("x/a", b"abc")
    assert store.size("x/a") == 3
    assert store.read("x/a") == b"abc"
    assert store.list("x") == ["x/a"]
    assert store.fetch("x/a").read_bytes() == b"abc"
    store.remove("x/a")
    assert store.size("x/a") is None
    with pytest.raises(WikiprepError, match="no such file"):
        store.fetch("x/a")


def test_a_file_where_a_folder_is_needed(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("I am a file")
    with pytest.raises(WikiprepError, match="out"), Store(str(tmp_path / "out")).scratch("unit"):
        pass


def test_clearing_scratch_leaves_a_users_folders(tmp_path: Path) -> None:
    (tmp_path / "_tmp").mkdir()
    (tmp_path / "_tmp" / "mine.txt").write_text("mine")
    store = Store(str(tmp_path))
    store.clear_scratch()
    assert store.list() == ["_tmp/mine.txt"]


def test_a_rebuilt_remote_file_of_the_same_size_is_fetched_again(tmp_path: Path) -> None:
    (tmp_path / "bucket").mkdir()
    store = Store("s3://bucket/out", scratch=str(tmp_path / "scratch"))
    store.__dict__["_remote"] = (fs.SubTreeFileSystem(str(tmp_path / "bucket"), fs.LocalFileSystem()), "")
    store.write("a", b"abc")
    assert store.fetch("a").read_bytes() == b"abc"
    time.sleep(0.01)
    store.write("a", b"xyz")
    assert store.fetch("a").read_bytes() == b"xyz"


def test_devices_and_pipes_are_not_replaced_by_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "to-pipe").symlink_to("pipe")
    for name in ("pipe", "to-pipe"):
        with pytest.raises(WikiprepError, match=f"{name}: is a device or a pipe"), whole_file(tmp_path / name):
            pass
    assert (tmp_path / "pipe").is_fifo()
    assert (tmp_path / "to-pipe").is_symlink()


def test_a_link_stays_a_link_to_the_new_file(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("far/file")
    with whole_file(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "far" / "file").read_bytes() == b"new"
