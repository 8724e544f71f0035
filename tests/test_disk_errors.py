"""What a user reads when a disk fails."""

import errno
from pathlib import Path

import pytest

from wikiprep.disk_errors import failed_path, is_full, translate_disk_errors
from wikiprep.errors import UsageError, WikiprepError


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EDQUOT])
def test_errors_of_the_disk_say_what_to_do(code: int, tmp_path: Path) -> None:
    with pytest.raises(WikiprepError) as caught, translate_disk_errors(tmp_path / "file"):
        raise OSError(code, "reason", str(tmp_path / "file"))
    assert "file" in caught.value.what
    assert caught.value.hint


def test_a_copy_that_finds_the_disk_full_names_what_it_wrote(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=r"^target: No space"), translate_disk_errors(tmp_path):
        raise OSError(errno.ENOSPC, "No space left on device", "source", None, "target")


def test_a_full_disk_as_libraries_in_rust_have_it(tmp_path: Path) -> None:
    with (
        pytest.raises(WikiprepError, match=f"^{tmp_path}: No space left on device") as caught,
        translate_disk_errors(tmp_path),
    ):
        raise RuntimeError("Error while serializing: I/O error: No space left on device (os error 28)")
    assert caught.value.what.startswith(f"{tmp_path}: ") and "disk is full" in caught.value.hint
    with pytest.raises(RuntimeError, match="other"), translate_disk_errors(tmp_path):
        raise RuntimeError("another (os error 9)")


def test_an_error_of_ours_that_quotes_one_of_a_library_stays(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=r"own\.json"), translate_disk_errors(tmp_path):
        raise WikiprepError("own.json: cannot be read (Permission denied (os error 13))", "look at it")


@pytest.mark.parametrize("code", [errno.ENOTDIR, errno.EISDIR, errno.EEXIST])
def test_a_path_that_cannot_be_is_a_misuse(code: int, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="choose another"), translate_disk_errors(tmp_path):
        raise OSError(code, "reason", str(tmp_path))


def test_the_path_that_failed() -> None:
    full = OSError(errno.EDQUOT, "reason", "source", None, "target")
    other = OSError(errno.EIO, "reason", "source", None, "target")
    assert (is_full(full), failed_path(full)) == (True, "target")
    assert (is_full(other), failed_path(other)) == (False, "source")
    assert failed_path(OSError(errno.ENOSPC, "reason", "only")) == "only"
    assert failed_path(OSError(errno.ENOSPC, "reason")) is None
    assert failed_path(OSError(errno.EBADF, "reason", 7)) == "7"
    assert failed_path(OSError(errno.EIO, "reason", b"\xff")) == "\ufffd"
