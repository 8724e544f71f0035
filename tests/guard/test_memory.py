"""Private memory of a process."""

import mmap
import os
from pathlib import Path

from wikiprep.guard.child import Meter

SIZE = 64 << 20


def test_own_memory_counts_and_mapped_files_do_not(tmp_path: Path) -> None:
    meter = Meter(os.getpid())
    before = meter.read()
    assert before > 1 << 20
    block = bytearray(os.urandom(1 << 20) * (SIZE >> 20))
    assert meter.read() - before > SIZE * 0.8
    file = tmp_path / "table"
    file.write_bytes(block)
    del block
    with file.open("rb") as handle, mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        low = meter.read()
        assert sum(mapped[:: mmap.PAGESIZE]) > 0
        assert meter.read() - low < SIZE // 4


def test_process_that_is_gone() -> None:
    assert Meter(2**22 + 1).read() == 0


def test_without_proc() -> None:
    meter = Meter(os.getpid())
    assert meter._from_ps() > 1 << 20
