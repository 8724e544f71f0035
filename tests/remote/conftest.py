"""A local S3 server (moto), which makes faults where a test asks for them."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from local_s3 import S3
from processes import until
from pyarrow import fs


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """Its port and rules. A process of its own: a stream that pyarrow closes by itself talks with Python's lock."""
    folder = tmp_path_factory.mktemp("s3")
    log, rules = folder / "moto.log", folder / "rules.json"
    rules.write_text("[]")
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    line = [sys.executable, str(Path(__file__).with_name("faulty_moto.py")), str(port), str(rules)]
    with log.open("wb") as file:
        process = subprocess.Popen(line, stdout=file, stderr=file, start_new_session=True)
    try:
        assert until(lambda: _answers(port)), log.read_text()
        yield port, rules
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture
def s3(server: tuple[int, Path], monkeypatch: pytest.MonkeyPatch) -> S3:
    """A bucket of its own. The address is in this process's environment, and so in that of its children."""
    environment = {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server[0]}",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("wikiprep.guard.guard_pool._free", [])  # children that began before have another environment
    bucket = f"wiki-{uuid.uuid4().hex[:12]}"
    made = S3(f"s3://{bucket}", server[1])
    made.faults()
    address = f"127.0.0.1:{server[0]}"
    fs.S3FileSystem(endpoint_override=address, scheme="http", allow_bucket_creation=True).create_dir(bucket)
    return made


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    return False
