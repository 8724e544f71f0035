"""A local S3 server (moto)."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from processes import until
from pyarrow import fs

from wikiprep.files import Store


@dataclass(frozen=True)
class S3:
    """`url` of an empty bucket."""

    url: str

    def store(self, scratch: Path) -> Store:
        """A store in the bucket."""
        return Store(f"{self.url}/out", str(scratch))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Its port. A process of its own: a stream that pyarrow closes by itself holds Python's lock while it talks."""
    log = tmp_path_factory.mktemp("s3") / "moto.log"
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    line = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with log.open("wb") as file:
        process = subprocess.Popen(line, stdout=file, stderr=file, start_new_session=True)
    try:
        assert until(lambda: _answers(port)), log.read_text()
        yield port
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture
def s3(server: int, monkeypatch: pytest.MonkeyPatch) -> S3:
    """A bucket of its own. The address is in this process's environment, and so in that of its children."""
    environment = {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server}",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    bucket = f"wiki-{uuid.uuid4().hex[:12]}"
    made = S3(f"s3://{bucket}")
    address = f"127.0.0.1:{server}"
    fs.S3FileSystem(endpoint_override=address, scheme="http", allow_bucket_creation=True).create_dir(bucket)
    return made


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    return False
