import re
from dataclasses import fields
from pathlib import Path
from typing import get_origin

import click
import orjson
import pytest
from click.testing import CliRunner

from wikiprep.cli import finetune, pretrain, score
from wikiprep.cli.main import COMMANDS, cli
from wikiprep.config import Config
from wikiprep.errors import UsageError
from wikiprep.pretrain.config_toml import shipped_names
from wikiprep.tasks.task_names import TASKS


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_help(name: str) -> None:
    result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0
    assert "Usage:" in result.output


def test_every_content_option_is_an_option_of_build_corpus() -> None:
    text = CliRunner().invoke(cli, ["build-corpus", "--help"]).output
    for section in fields(Config):
        for option in fields(getattr(Config(), section.name)):
            assert f"--{option.name.replace('_', '-')}" in text


def test_help_names_every_shipped_configuration_of_training() -> None:
    option = next(it for it in pretrain.command.params if it.name == "config")
    assert isinstance(option, click.Option) and option.help is not None
    *names, last = option.help.removesuffix(".").split(", ")
    assert (sorted(names), last) == (shipped_names(), "or a TOML file")


@pytest.mark.parametrize("command", [finetune.command, score.command])
def test_help_names_every_task(command: click.Command) -> None:
    assert command.help is not None
    words = command.help.partition("TASK is ")[2].partition(". ")[0]
    for task in TASKS:
        assert re.search(rf"\b{task.removeprefix('glue/')}\b", words), task


def test_a_command_nearly_right_is_suggested() -> None:
    result = CliRunner().invoke(cli, ["build-corps"])
    assert result.exit_code == 2
    assert "'build-corpus'" in result.output


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--page-timeout", "nan"], "page_timeout = nan is too small"),
        (["--page-memory", "99999999999999999999"], "page_memory = .* is too large"),
        (["--min-sentence-length", "600"], "min_sentence_length = 600: no record can hold it"),
        (["--language", "../../etc"], "no language code"),
        (["--tokenizer", "train:5000000000000"], "train:5000000000000: not a size"),
        (["--white-list", "/missing"], "--white-list /missing: no such file"),
        (["--page-props", "/missing"], "--page-props /missing: no such file"),
    ],
)
def test_values_that_cannot_be_are_refused_before_any_work(tmp_path: Path, words: list[str], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        cli.main(["build-corpus", "--sample", "--output", str(tmp_path / "o"), *words], standalone_mode=False)
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    "option",
    [
        f.name
        for section in fields(Config)
        for f in fields(getattr(Config(), section.name))
        if f.metadata["path"] and get_origin(f.type) is not tuple
    ],
)
def test_a_file_that_is_not_there_is_refused_whichever_option_names_it(tmp_path: Path, option: str) -> None:
    words = ["build-corpus", "--sample", "--output", str(tmp_path / "o"), f"--{option.replace('_', '-')}", "/missing"]
    with pytest.raises(UsageError, match="/missing: no such file"):
        cli.main(words, standalone_mode=False)


@pytest.mark.parametrize(
    "line",
    [
        'workers = "x"',
        "workers = 0",
        "workers = 1.5",
        'page_timeout = "x"',
        "page_memory = 1",
        "scratch = 5",
        "extra = 1",
    ],
)
def test_run_options_of_a_file_are_checked_as_those_of_the_command_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "c.toml").write_text(f"[run]\n{line}\n")
    words = ["build-corpus", "--sample", "--output", str(tmp_path / "o"), "--config", str(tmp_path / "c.toml")]
    with pytest.raises(UsageError, match=f"c.toml: .*{line.split()[0]}"):
        cli.main(words, standalone_mode=False)


def test_an_option_of_content_in_a_file_is_refused_by_the_file_s_name(tmp_path: Path) -> None:
    (tmp_path / "c.toml").write_text('[extract]\nmath = "latex"\n')
    words = ["build-corpus", "--sample", "--output", str(tmp_path / "o"), "--config", str(tmp_path / "c.toml")]
    with pytest.raises(UsageError, match=r"c\.toml: \[extract\] math = 'latex' is not known"):
        cli.main(words, standalone_mode=False)


@pytest.mark.parametrize(
    ("line", "problem", "hint"),
    [
        ('layout = "clasic"', "[run] layout = 'clasic' is not known", "it takes any or content or classic"),
        ("date = 20261101", "[run] date = 20261101 is of the wrong type", "it takes a string or nothing"),
        (
            'mirror = "https://x.org"',
            "[run] mirror = 'https://x.org' is of the wrong type",
            "it takes a list of strings",
        ),
        ('cache = ["x"]', "[run] cache = ['x'] is of the wrong type", "it takes a string or nothing"),
        ('layot = "any"', "unknown option 'layot' in [run]", "did you mean 'layout'?"),
    ],
)
def test_options_of_servers_in_a_file_are_checked_as_all_others(
    tmp_path: Path, line: str, problem: str, hint: str
) -> None:
    (tmp_path / "c.toml").write_text(f"[run]\n{line}\n")
    words = ["build-corpus", "--sample", "--output", str(tmp_path / "o"), "--config", str(tmp_path / "c.toml")]
    with pytest.raises(UsageError) as refused:
        cli.main(words, standalone_mode=False)
    assert refused.value.what == f"{tmp_path / 'c.toml'}: {problem}" and refused.value.hint.startswith(hint)
    assert not (tmp_path / "o").exists()


def test_an_empty_path_is_not_the_working_directory(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="path is empty"):
        cli.main(["extract", "", "--output", str(tmp_path / "o")], standalone_mode=False)


@pytest.mark.parametrize(("asked", "warned"), [("de", True), ("EN", False)])
def test_a_language_that_is_not_the_dump_s_is_warned_of(tmp_path: Path, asked: str, warned: bool) -> None:
    words = ["extract", "--sample", "-q", "--workers", "1", "--language", asked, "-o", str(tmp_path / "o")]
    cli.main(words, standalone_mode=False)
    found = orjson.loads((tmp_path / "o" / "manifest.json").read_bytes())["warnings"]
    assert any(line.startswith("--language de: the dump's header says en") for line in found) == warned
