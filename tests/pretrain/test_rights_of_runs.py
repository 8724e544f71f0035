"""A run, its export and its vectors can be read by whom the umask says: safetensors alone would keep 0600."""

import os
import stat
from pathlib import Path

import pytest
from click.testing import CliRunner

from wikiprep.cli.main import cli


@pytest.mark.parametrize("umask", [0o027, 0o002])
def test_a_run_and_what_comes_of_it(umask: int, sample_corpus: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    texts, run, hf = tmp_path / "texts.jsonl", tmp_path / "run", tmp_path / "hf"
    texts.write_text('{"text": "On [Mars]"}\n')
    small = ("--set", "data.global_batch=4", "--set", "log.evaluate_every=0", "--max-steps", "1", "--quiet")
    commands = (
        ("pretrain", "--corpus", sample_corpus, "--config", "tiny", "--output", run, *small),
        ("export-hf", run, hf, "--quiet"),
        ("embed", run, "--of", "words", "--input", texts, "--output", hf / "vectors.npy", "--quiet"),
        ("embed", run, "--of", "table", "--output", hf / "table.arrow", "--quiet"),
    )
    before = os.umask(umask)
    try:
        for words in commands:
            done = CliRunner().invoke(cli, [str(word) for word in words])
            assert done.exit_code == 0, (words, done.output, done.exception)
    finally:
        os.umask(before)
    written = [path for folder in (run, hf) for path in (folder, *folder.rglob("*"))]
    assert len([path for path in written if path.suffix == ".safetensors"]) == 3
    for path in written:
        assert stat.S_IMODE(path.stat().st_mode) == (0o777 if path.is_dir() else 0o666) & ~umask, path
