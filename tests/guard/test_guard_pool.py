import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from guarded_work import notes, work
from processes import alive

from wikiprep.guard import guard_pool
from wikiprep.guard.guard import Guard
from wikiprep.guard.guard_pool import borrowed_guard

MEMORY = 300 << 20


@pytest.fixture(autouse=True)
def none_yet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    free: list[Guard] = []
    monkeypatch.setattr(guard_pool, "_free", free)
    yield
    for guard in free:
        guard.close()


def in_thread(work: "threading.Thread") -> None:
    work.start()
    work.join()


def test_a_guard_is_lent_again_with_the_limits_of_the_next_unit() -> None:
    with borrowed_guard(1, MEMORY) as first:
        pass
    with borrowed_guard(2, MEMORY) as second:
        assert second is first
        assert second.timeout == 2


def test_two_units_at_once_have_two_and_the_last_given_back_goes_first() -> None:
    with borrowed_guard(1, MEMORY) as first:
        with borrowed_guard(1, MEMORY) as second:
            assert second is not first
        with borrowed_guard(1, MEMORY) as third:
            assert third is second
    with borrowed_guard(1, MEMORY) as fourth:
        assert fourth is first


def test_a_guard_comes_back_from_a_unit_that_fails() -> None:
    with pytest.raises(RuntimeError), borrowed_guard(1, MEMORY) as first:
        raise RuntimeError
    with borrowed_guard(1, MEMORY) as second:
        assert second is first


def test_units_of_threads_that_end_share_a_child(tmp_path: Path) -> None:
    def unit() -> None:
        with borrowed_guard(30, MEMORY) as guard:
            guard.run(work, (tmp_path, ["a", "b"]))

    for _ in range(3):
        in_thread(threading.Thread(target=unit))
    children = {int(line.split()[1]) for line in notes(tmp_path) if line.startswith("start")}
    assert len(children) == 1
    assert os.getpid() not in children
    assert alive(children.pop())
