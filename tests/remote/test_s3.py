"""An output on S3: what a user sees of a store that fails, and that nothing half-written ever has a final name."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from building import command, hashes, wikiprep
from local_s3 import S3
from tiny_wiki import tiny_dump, tiny_props

from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.sample import tokenizer_path
from wikiprep.scratch_folders import own_folder

BIG = 60_000_000  # bytes: several parts of an upload
UPLOAD = """
import sys
from pathlib import Path
from wikiprep.files import Store
store = Store(sys.argv[1], sys.argv[2])
with store.scratch("unit") as folder:
    (folder / "data").write_bytes(b"x" * int(sys.argv[3]))
    print("ready", flush=True)
    store.publish(folder / "data", "articles/part.parquet")
"""


def uploading(s3: S3, scratch: Path) -> "subprocess.Popen[str]":
    line = [sys.executable, "-c", UPLOAD, f"{s3.url}/out", str(scratch), str(BIG)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def test_what_is_published_is_there_whole(s3: S3, tmp_path: Path) -> None:
    store = s3.store(tmp_path)
    for name, data in {"tables/a": b"x" * BIG, "tables/empty": b"", "tables/\N{SNOWMAN} +%.json": b"{}"}.items():
        receipt = store.write(name, data)
        assert receipt.sha256 == hashlib.sha256(data).hexdigest()
        assert store.read(name) == data
        assert store.fetch(name).read_bytes() == data
    assert store.list("tables") == ["tables/a", "tables/empty", "tables/\N{SNOWMAN} +%.json"]
    assert store.size("tables/b") is None
    with pytest.raises(FileNotFoundError):
        store.read("tables/b")
    assert list((own_folder(str(tmp_path)) / "scratch").iterdir()) == []


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_worker_that_is_ended_in_the_middle_of_an_upload_leaves_nothing_or_all(
    how: signal.Signals, s3: S3, tmp_path: Path
) -> None:
    running = uploading(s3, tmp_path)
    assert running.stdout is not None
    assert running.stdout.readline() == "ready\n"
    time.sleep(0.05)
    running.send_signal(how)
    running.communicate(timeout=60)
    assert s3.store(tmp_path).size("articles/part.parquet") in (None, BIG)


def test_a_table_that_is_not_what_its_stage_made_is_refused(s3: S3, tmp_path: Path) -> None:
    store = s3.store(tmp_path / "driver")
    made = store.write("tables/a", b"as it was made")
    store.write("_state/pages/commit.json", b'{"sha256":{"tables/a":"%s"}}' % made.sha256.encode())
    worker = Store(store.url, str(tmp_path / "worker"), trusted=("pages", "links"))
    assert worker.fetch("tables/a").read_bytes() == b"as it was made"
    store.write("tables/a", b"as it lies now")
    assert worker.fetch("tables/a").read_bytes() == b"as it was made"  # the copy that was checked
    other = Store(store.url, str(tmp_path / "other"), trusted=("pages",))
    with pytest.raises(WikiprepError, match="its stage made"):
        other.fetch("tables/a")
    kept = [path for path in (tmp_path / "other").rglob("a*") if path.is_file()]  # the folder is named by a hash
    assert not [path for path in kept if path.suffix != ".lock"]


def test_a_stream_that_an_error_cuts_publishes_nothing(s3: S3, tmp_path: Path) -> None:
    store = s3.store(tmp_path)
    with pytest.raises(RuntimeError), store.scratch("unit") as folder:
        (folder / "data").write_bytes(b"x" * BIG)
        raise RuntimeError
    assert store.list() == []


def test_a_store_that_is_not_there_is_named(s3: S3, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    with pytest.raises(WikiprepError) as caught:
        s3.store(tmp_path).write("a", b"1")
    assert "credentials" in caught.value.hint
    assert s3.url in caught.value.what


def test_a_build_from_a_bucket_into_a_bucket(s3: S3, tmp_path: Path) -> None:
    dump = tiny_dump(tmp_path)
    options = ("--page-props", tiny_props(tmp_path), "--mentions", "--range-mb", "0.002", "--quiet")
    words = (*options, "--tokenizer", tokenizer_path(), "--scratch", tmp_path / "scratch")
    here = wikiprep("build-corpus", dump, *words, "--output", tmp_path / "here")
    assert here.returncode == 0, here.stderr
    Store(s3.url, str(tmp_path)).write(dump.name, dump.read_bytes())
    other = tmp_path / "never with --scratch"
    there = wikiprep("build-corpus", f"{s3.url}/{dump.name}", *words, "--output", f"{s3.url}/out", TMPDIR=str(other))
    assert there.returncode == 0, there.stderr
    assert not other.exists()
    store = s3.store(tmp_path)
    found = {path: hashlib.sha256(store.read(path)).hexdigest() for path in store.list()}
    assert {path: it for path, it in found.items() if path.split("/")[0] not in ("_state", "run.json")} == hashes(
        tmp_path / "here"
    )
    again = wikiprep("build-corpus", f"{s3.url}/{dump.name}", *words, "--output", f"{s3.url}/out")
    assert again.returncode == 0, again.stderr


def test_a_build_that_is_killed_goes_on(s3: S3, tmp_path: Path) -> None:
    words = ("build-corpus", tiny_dump(tmp_path), "--tokenizer", tokenizer_path(), "--range-mb", "0.002", "--quiet")
    line = command(*words, "--output", f"{s3.url}/out")
    running = subprocess.Popen(line, start_new_session=True)
    store, end = s3.store(tmp_path), time.monotonic() + 60
    while not store.list("_state/extract/units") and time.monotonic() < end:
        time.sleep(0.1)
    os.killpg(running.pid, signal.SIGKILL)
    running.wait()
    finished = {path: store.read(path) for path in store.list("_state/extract/units")}
    assert finished
    done = wikiprep(*words, "--output", f"{s3.url}/out")
    assert done.returncode == 0, done.stderr
    assert {path: store.read(path) for path in finished} == finished
    assert wikiprep("verify", f"{s3.url}/out").returncode == 0
