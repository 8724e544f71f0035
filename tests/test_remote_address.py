from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.source import is_file, open_bytes
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.remote_address import open_filesystem
from wikiprep.textlines import read_lines

HERE = "?endpoint_override=127.0.0.1:1&scheme=http&region=us-east-1"  # then pyarrow asks nobody for the bucket's region


@pytest.mark.parametrize(
    ("address", "path"),
    [
        ("s3://wiki/in/my dümp.xml", "wiki/in/my dümp.xml"),
        ("s3://wiki/東京/[a] {b}#1", "wiki/東京/[a] {b}#1"),
        ("s3://wiki/as%20encoded", "wiki/as encoded"),
        ("s3://wiki/plain_-.~(1),+x", "wiki/plain_-.~(1),+x"),
    ],
)
def test_a_name_is_taken_as_it_is(address: str, path: str) -> None:
    assert open_filesystem(address + HERE)[1] == path


def test_a_file_of_such_a_name_is_read(tmp_path: Path) -> None:
    (tmp_path / "ein Ä").write_bytes(b"1")
    assert open_bytes(f"file://{tmp_path}/ein Ä").read() == b"1"


@pytest.mark.parametrize("address", ["gopher://host/a.xml", "://", "s3://two words/x"])
@pytest.mark.parametrize(
    "use",
    [
        lambda it: open_bytes(it),
        lambda it: is_file(it),
        lambda it: Store(it).list(),
        lambda it: find_parts([it]),
        lambda it: find_parts([f"{it}/*.bz2"]),
        lambda it: list(read_lines(it)),
    ],
)
def test_what_is_no_address_is_a_line(address: str, use: Callable[[str], Any]) -> None:
    with pytest.raises(WikiprepError) as caught:
        use(address)
    assert address in str(caught.value)
    assert "s3://" in caught.value.hint
