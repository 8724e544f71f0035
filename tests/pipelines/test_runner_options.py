import sys
from pathlib import Path
from typing import Any

import pytest

from wikiprep.cli.building import _split
from wikiprep.cli.engine_launcher import main
from wikiprep.config import Config, apply
from wikiprep.errors import UsageError
from wikiprep.pipelines.options import local_paths, with_absolute_paths
from wikiprep.units.job import Job


def test_paths_become_absolute_and_names_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "titles.txt").write_text("Oslo\n")
    sections: dict[str, Any] = {
        "vocabulary": {"white_list": "titles.txt"},
        "leave_out": {"leave_out": ["titles.txt", "gs://bucket/list.jsonl"]},
        "tokenizer": {"tokenizer": "train:300"},
        "input": {"page_props": "gs://bucket/page_props.sql.gz"},
    }
    job = with_absolute_paths(
        Job(output="out", config=apply(Config(), sections), dumps=("dumps/*.bz2", "s3://bucket/x.bz2"))
    )
    assert job.output == f"{tmp_path}/out"
    assert job.dumps == (f"{tmp_path}/dumps/*.bz2", "s3://bucket/x.bz2")
    assert job.config.vocabulary.white_list == f"{tmp_path}/titles.txt"
    assert job.config.tokenizer.tokenizer == "train:300"
    assert job.config.input.page_props == "gs://bucket/page_props.sql.gz"
    assert job.config.leave_out.leave_out == (f"{tmp_path}/titles.txt", "gs://bucket/list.jsonl")
    assert local_paths(job) == [job.output, job.dumps[0], *[f"{tmp_path}/titles.txt"] * 2]


def test_the_engines_words_are_told_from_ours() -> None:
    words = ["a.xml", "-o", "out", "--runner", "prism", "--job_port=7", "--quiet", "--dry_run", "--workers=2"]
    ours, engine = _split(words, {"--runner", "--quiet", "--workers"})
    assert ours == ["a.xml", "-o", "out", "--runner", "prism", "--quiet", "--workers=2"]
    assert engine == ["--job_port=7", "--dry_run"]


def test_words_after_two_dashes_are_dumps() -> None:
    assert _split(["--x=1", "--", "--odd.xml"], set()) == (["--", "--odd.xml"], ["--x=1"])


def test_a_flag_before_a_word_could_be_either() -> None:
    with pytest.raises(UsageError, match="--region=us"):
        _split(["--region", "us"], set())


def test_a_launchers_flags_become_the_commands_words(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    monkeypatch.setattr("wikiprep.cli.engine_launcher.run_command", lambda: seen.append(sys.argv[1:]))
    given = ["--dumps=gs://a,gs://b", "--mentions=true", "--text=false", "--dry_run=true", "--quiet=false", "-o", "x"]
    monkeypatch.setattr(sys, "argv", ["beam.py", *given])
    main("--runner=DataflowRunner")
    ours = ["gs://a", "gs://b", "--mentions", "--no-text", "--dry_run=true", "-o", "x"]
    assert seen == [["build-corpus", "--runner=DataflowRunner", *ours]]


def test_an_engines_own_command_never_builds_here_because_no_runner_was_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("wikiprep.cli.engine_launcher.run_command", lambda: pytest.fail("it built"))
    monkeypatch.setattr(sys, "argv", ["beam.py", "--dumps=a.xml", "-o", "x"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert "no runner given" in (said := capsys.readouterr().err)
    assert "FnApiRunner" in said
    assert "local" not in said
