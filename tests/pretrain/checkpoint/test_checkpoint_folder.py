"""Which checkpoints are kept."""

from pathlib import Path

from wikiprep.pretrain.checkpoint.folder import checkpoints_of, folder_name, remove_old


def test_damaged_ones_of_later_steps_take_no_whole_one_s_place(tmp_path: Path) -> None:
    for step in (10, 20, 25, 30, 40):  # 30 and 40 are damaged: the run went on from 20 and has just saved 25
        (tmp_path / folder_name(step)).mkdir()
    (tmp_path / ".step-00000007-0123").mkdir()
    remove_old(tmp_path, 25, 2)
    assert [path.name for path in checkpoints_of(tmp_path)] == [folder_name(step) for step in (40, 30, 25, 20)]
    (tmp_path / folder_name(45)).mkdir()
    remove_old(tmp_path, 45, 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == [folder_name(40), folder_name(45)]
