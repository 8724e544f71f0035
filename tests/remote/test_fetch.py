"""Tables of a remote output on a worker's disk: fetched once for all of its processes and threads, never seen half."""

import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

from local_s3 import S3
from processes import until

SIZE = 40_000_000  # bytes
FETCH = """
import hashlib, sys, threading
from concurrent.futures import ThreadPoolExecutor
from wikiprep.files import Store
store = Store(sys.argv[1], sys.argv[2], trusted=("pages",))
print("ready", flush=True)
sys.stdin.readline()
with ThreadPoolExecutor(4) as pool:
    paths = [*pool.map(lambda _: store.fetch("tables/titles.trie"), range(4))]
print({hashlib.sha256(path.read_bytes()).hexdigest() for path in paths})
"""


def table(s3: S3, folder: Path) -> str:
    """Put a table into the bucket as its stage would; returns its sha256."""
    store = s3.store(folder)
    made = store.write("tables/titles.trie", os.urandom(1000) * (SIZE // 1000))
    store.write("_state/pages/commit.json", b'{"sha256":{"tables/titles.trie":"%s"}}' % made.sha256.encode())
    return made.sha256


def fetching(s3: S3, worker: Path) -> "subprocess.Popen[str]":
    line = [sys.executable, "-c", FETCH, f"{s3.url}/out", str(worker)]
    process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def requests(s3: S3) -> int:
    """GETs of the table that the server has answered."""
    log = s3.rules.with_name("moto.log").read_text()
    return sum("GET" in line and f"{s3.url[5:]}/out/tables/titles.trie" in line for line in log.splitlines())


def copies(worker: Path) -> list[Path]:
    return [path for path in worker.rglob("titles.trie*") if path.suffix not in (".lock", ".stamp")]


def test_processes_and_threads_at_once_fetch_one_whole_file_once(s3: S3, tmp_path: Path) -> None:
    sha256 = table(s3, tmp_path / "driver")
    alone = fetching(s3, tmp_path / "alone")
    alone.communicate("go\n", timeout=60)
    once = requests(s3)
    assert once > 0
    workers = [fetching(s3, tmp_path / "worker") for _ in range(4)]
    for process in workers:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    seen: set[int] = set()
    while any(process.poll() is None for process in workers):
        seen |= {path.stat().st_size for path in copies(tmp_path / "worker") if path.suffix == ".trie"}
    answers = [process.communicate()[0].strip() for process in workers]
    assert answers == [str({sha256})] * 4
    assert seen <= {SIZE}
    assert requests(s3) == 2 * once
    assert [path.suffix for path in copies(tmp_path / "worker")] == [".trie"]


def test_a_process_that_is_killed_while_it_fetches_stops_nobody(s3: S3, tmp_path: Path) -> None:
    sha256 = table(s3, tmp_path / "driver")
    s3.faults(("GET", 99, "slow"))
    killed = fetching(s3, tmp_path / "worker")
    assert killed.stdin is not None
    killed.stdin.write("go\n")
    killed.stdin.flush()
    assert until(lambda: any(path.suffix == ".part" for path in copies(tmp_path / "worker")))
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    s3.faults()
    assert not [path for path in copies(tmp_path / "worker") if path.suffix == ".trie"]
    said, _ = fetching(s3, tmp_path / "worker").communicate("go\n", timeout=60)
    assert said.strip() == str({sha256})
    (whole,) = [path for path in copies(tmp_path / "worker") if path.suffix == ".trie"]
    assert hashlib.sha256(whole.read_bytes()).hexdigest() == sha256
