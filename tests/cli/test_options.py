from dataclasses import fields

import pytest
from click.testing import CliRunner

from wikiprep.cli.main import COMMANDS, cli
from wikiprep.config import Config


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


def test_a_command_nearly_right_is_suggested() -> None:
    result = CliRunner().invoke(cli, ["build-corps"])
    assert result.exit_code == 2
    assert "'build-corpus'" in result.output
