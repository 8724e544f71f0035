"""A standalone Spark cluster on loopback: one master, two workers on two addresses, which makes them two hosts."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from processes import ROOT, until

_MASTER, _WORKER = "org.apache.spark.deploy.master.Master", "org.apache.spark.deploy.worker.Worker"


class Cluster:
    """`url` is what --master takes; `environment` what a driver on loopback needs."""

    def __init__(self, folder: Path, url: str) -> None:
        self.folder = folder
        self.url = url
        self.environment = {"SPARK_LOCAL_IP": "127.0.0.1", "PYTHONPATH": str(ROOT)}

    def executors(self) -> list[int]:
        """Process ids of the executors' JVMs, in the order of their age."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (process / "cmdline").read_bytes()
                if b"CoarseGrainedExecutorBackend" in words and self.url.encode() in (process / "environ").read_bytes():
                    found.append(int(process.name))
        return sorted(found)


@contextlib.contextmanager
def cluster(folder: Path, cores: int = 1) -> Iterator[Cluster]:
    """Started, and ended with all that it started. `cores`: of each worker."""
    port = free_port()
    made = Cluster(folder, f"spark://127.0.0.1:{port}")
    started: list[subprocess.Popen[bytes]] = []
    try:
        started.append(_start(made, "master", _MASTER, "--host", "127.0.0.1", "--port", port, "--webui-port", 0))
        assert until(lambda: answers(port)), (folder / "master.log").read_text()
        for i in (1, 2):
            words = ("--host", f"127.0.0.{i}", "--cores", cores, "--memory", "1g", "--webui-port", 0)
            started.append(_start(made, f"worker-{i}", _WORKER, *words, "-d", folder / f"work-{i}", made.url))
        logs = [folder / f"worker-{i}.log" for i in (1, 2)]
        assert until(lambda: all("Successfully registered" in log.read_text() for log in logs)), logs
        yield made
    finally:
        for process in started:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _start(made: Cluster, name: str, main: str, *words: object) -> "subprocess.Popen[bytes]":
    spec = find_spec("pyspark")
    assert spec is not None and spec.submodule_search_locations is not None
    program = Path(spec.submodule_search_locations[0]) / "bin" / "spark-class"
    # The address of the master in the environment is how a test knows its own executors.
    env = {**os.environ, **made.environment, "PYSPARK_PYTHON": sys.executable, "WIKIPREP_TEST_CLUSTER": made.url}
    with (made.folder / f"{name}.log").open("wb") as log:
        return subprocess.Popen(
            [str(program), main, *map(str, words)], env=env, stdout=log, stderr=log, start_new_session=True
        )


def free_port() -> int:
    """A port that nobody has now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def answers(port: int) -> bool:
    """Whether somebody listens there."""
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    return False
