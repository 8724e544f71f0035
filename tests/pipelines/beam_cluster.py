"""Prism as a job server and a pool of Beam workers, each in processes of its own: what a cluster is, on loopback."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from engine_build import prism
from processes import ROOT, until
from spark_cluster import answers, free_port


@dataclass(frozen=True)
class Portable:
    """`words` are the runner and its options."""

    folder: Path
    words: list[str]

    def workers(self) -> list[int]:
        """Process ids of the pool's workers."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                mine = f"WIKIPREP_TEST_POOL={self.folder}".encode() in (process / "environ").read_bytes()
                if mine and b"SdkHarness" in (process / "cmdline").read_bytes():
                    found.append(int(process.name))
        return sorted(found)


@contextlib.contextmanager
def portable(folder: Path, **environment: str) -> Iterator[Portable]:
    """Started, and ended with all that it started. `environment`: of the workers."""
    jobs, pool = free_port(), free_port()
    started: list[subprocess.Popen[bytes]] = []
    try:
        server = [str(prism()), "--job_port", str(jobs), "--serve_http=false", "--log_level", "warn"]
        started.append(_start(folder, "prism", server))
        module = "apache_beam.runners.worker.worker_pool_main"
        started.append(_start(folder, "pool", [sys.executable, "-m", module, f"--service_port={pool}"], **environment))
        assert until(lambda: answers(jobs) and answers(pool)), (folder / "pool.log").read_text()
        words = [f"--job_endpoint=localhost:{jobs}", "--environment_type=EXTERNAL"]
        yield Portable(folder, ["--runner=PortableRunner", *words, f"--environment_config=localhost:{pool}"])
    finally:
        for process in started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _start(folder: Path, name: str, line: list[str], **environment: str) -> "subprocess.Popen[bytes]":
    # The pool starts `python` from PATH.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {"PATH": path, "PYTHONPATH": str(ROOT), "WIKIPREP_TEST_POOL": str(folder)}
    with (folder / f"{name}.log").open("wb") as log:
        return subprocess.Popen(
            line, env={**os.environ, **own, **environment}, stdout=log, stderr=log, start_new_session=True
        )
