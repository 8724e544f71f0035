"""Users of one machine do not meet in its TMPDIR, nor in a scratch folder that they share."""

import os
from pathlib import Path

import pytest

from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.own_folder import own_folder


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
