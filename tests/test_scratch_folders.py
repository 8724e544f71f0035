import os
import time
from pathlib import Path

import pytest

from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.scratch_folders import CACHE_SECONDS, SCRATCH_SECONDS, USED, own_folder, sweep_once

DEAD, LONG, FRESH = "extract-part-1-0123456789ab", "part-00001-of-00003-22-0123456789ab", "records-3-ffffffffffff"
OUT, IN_USE = "0123456789abcdef", "fedcba9876543210"


def aged(path: Path, seconds: float, content: bytes | None = None) -> Path:
    """A file, or a folder without content, whose last change was so long ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if content is None:
        path.mkdir(exist_ok=True)
    else:
        path.write_bytes(content)
    then = time.time() - seconds
    os.utime(path, (then, then))
    return path


def test_scratch_goes_a_day_after_the_last_write_to_it(tmp_path: Path) -> None:
    aged(tmp_path / "scratch" / DEAD / "data", SCRATCH_SECONDS + 60, b"half")
    working = aged(tmp_path / "scratch" / LONG / "data", 60, b"so far")
    fresh = aged(tmp_path / "scratch" / FRESH, 0)
    for name in (DEAD, LONG):
        aged(tmp_path / "scratch" / name, SCRATCH_SECONDS + 60)
    sweep_once(tmp_path / "scratch", tmp_path / "none")
    assert sorted(path.name for path in (tmp_path / "scratch").iterdir()) == sorted([FRESH, LONG])
    assert working.read_bytes() == b"so far"
    assert fresh.is_dir()


def test_tables_go_a_week_after_they_were_asked_for(tmp_path: Path) -> None:
    for name, age in ((OUT, CACHE_SECONDS + 60), (IN_USE, 60)):
        aged(tmp_path / "cache" / name / "tables" / "titles.trie", CACHE_SECONDS + 60, b"trie")
        aged(tmp_path / "cache" / name / USED, age, b"")
        for folder in ("tables", "."):
            aged(tmp_path / "cache" / name / folder, CACHE_SECONDS + 60)
    sweep_once(tmp_path / "none", tmp_path / "cache")
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [IN_USE]
    assert (tmp_path / "cache" / IN_USE / "tables" / "titles.trie").read_bytes() == b"trie"


def test_half_a_table_of_a_killed_process_goes_after_a_day(tmp_path: Path) -> None:
    aged(tmp_path / "cache" / OUT / USED, 0, b"")
    aged(tmp_path / "cache" / OUT / "titles.trie", SCRATCH_SECONDS + 60, b"whole")
    aged(tmp_path / "cache" / OUT / "titles.trie.0f.part", SCRATCH_SECONDS + 60, b"half")
    aged(tmp_path / "cache" / OUT / "pages.arrow.1a.part", 60, b"on its way")
    sweep_once(tmp_path / "none", tmp_path / "cache")
    left = sorted(path.name for path in (tmp_path / "cache" / OUT).iterdir())
    assert left == [USED, "pages.arrow.1a.part", "titles.trie"]


def test_it_is_done_once_in_a_process_and_folders_may_be_missing(tmp_path: Path) -> None:
    sweep_once(tmp_path / "a", tmp_path / "b")
    dead = aged(tmp_path / "a" / DEAD, SCRATCH_SECONDS + 60)
    sweep_once(tmp_path / "a", tmp_path / "b")
    assert dead.is_dir()


def test_a_checkout_that_lies_there_by_the_same_name_stays(tmp_path: Path) -> None:
    old = 100 * CACHE_SECONDS
    kept = [
        aged(tmp_path / "wikiprep" / "docs" / "formats.md", old, b"mine"),
        aged(tmp_path / "wikiprep" / "run-12-final" / "data", old, b"mine"),
        aged(tmp_path / "wikiprep-cache" / "models" / "weights", old, b"mine"),
    ]
    for path in kept:
        aged(path.parent, old)
    sweep_once(tmp_path / "wikiprep", tmp_path / "wikiprep-cache")
    assert all(path.read_bytes() == b"mine" for path in kept)


def test_each_user_has_his_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = own_folder(str(tmp_path / "new" / "scratch"))
    assert (folder.parent, folder.stat().st_mode & 0o777) == (tmp_path / "new" / "scratch", 0o700)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert own_folder() == tmp_path / f"wikiprep-cache-{os.getuid()}"


def test_scratch_of_a_remote_output_lies_there(tmp_path: Path) -> None:
    with Store("s3://bucket/out", str(tmp_path)).scratch("extract") as folder:
        assert folder.parent == own_folder(str(tmp_path)) / "scratch"
    assert not folder.exists()


def test_another_users_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: other)
    (tmp_path / f"wikiprep-cache-{other}").mkdir()  # by us, not by him
    store = Store("s3://bucket/out", str(tmp_path))
    with pytest.raises(WikiprepError, match="is not a folder of yours"), store.scratch("extract"):
        pass


def test_a_file_of_that_name_is_an_error_of_a_line(tmp_path: Path) -> None:
    (tmp_path / f"wikiprep-cache-{os.getuid()}").write_text("")
    with pytest.raises(WikiprepError), Store("s3://bucket/out", str(tmp_path)).scratch("extract"):
        pass
