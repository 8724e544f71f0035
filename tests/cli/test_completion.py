"""Completion: what click is asked by the scripts, what a real shell makes of it, and that Tab is quick."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest
from building import command
from click.shell_completion import BashComplete
from click.testing import CliRunner
from test_imports import NEVER, SLOW

from wikiprep.cli.completion import COMPLETE_VAR, SHELLS
from wikiprep.cli.main import COMMANDS, cli

HEAVY = {*NEVER, *SLOW}


def completions(*words: str) -> list[str]:
    """Of the last word, which may be empty."""
    asked = BashComplete(cli, {}, "wikiprep", COMPLETE_VAR)
    return [item.value for item in asked.get_completions(list(words[:-1]), words[-1]) if item.type == "plain"]


def test_commands_and_their_options_are_completed() -> None:
    assert completions("export-") == [name for name in COMMANDS if name.startswith("export-")]
    assert completions("build-corpus", "--vocab-") == ["--vocab-size", "--vocab-targets"]
    assert {"--quiet", "--verbose", "--version", "--help"} <= set(completions("version", "--"))


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("build-corpus", "--preset", ""), ["luke", "spot"]),
        (("pretrain", "--config", "luke-l"), ["luke-large", "luke-large-paper"]),
        (("finetune", "glue/s"), ["glue/sst2", "glue/stsb"]),
        (("finetune", "copa", "--config", "open-e"), ["open-entity"]),
        (("score", "wnut"), ["wnut17"]),
        (("completion", ""), list(SHELLS)),
    ],
)
def test_names_are_completed(words: tuple[str, ...], found: list[str]) -> None:
    assert completions(*words) == found


def test_a_path_is_left_to_the_shell() -> None:
    asked = BashComplete(cli, {}, "wikiprep", COMPLETE_VAR)
    for words in (["coverage"], ["pretrain", "--config"]):
        assert asked.get_completions(words, "some/pa")[-1].type == "file"


@pytest.mark.parametrize("line", ["wikiprep in", "wikiprep build-corpus --mention"])
def test_tab_imports_nothing_slow(line: str) -> None:
    code = (
        "import sys\n"
        "from wikiprep.cli.main import main\n"
        "sys.argv[0] = 'wikiprep'\n"
        "try: main()\n"
        "except SystemExit: print('MODULES', *sys.modules)\n"
    )
    asking = {COMPLETE_VAR: "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | asking, capture_output=True, text=True, check=True
    )
    found, _, modules = done.stdout.partition("MODULES")
    assert f"plain,{'inspect' if line.endswith('in') else '--mentions'}" in found.splitlines()
    assert not {name.partition(".")[0] for name in modules.split()} & HEAVY


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_is_one_that_the_shell_reads(shell: str, tmp_path: Path) -> None:
    made = CliRunner().invoke(cli, ["completion", shell])
    assert made.exit_code == 0
    assert f"{COMPLETE_VAR}={shell}_complete" in made.output
    if which(shell) is None:
        pytest.skip(f"{shell} is not installed: its script was printed, and not read by it")
    script = tmp_path / "script"
    script.write_text(made.stdout)
    subprocess.run([shell, "-n", script], check=True)


def test_bash_completes_with_it(tmp_path: Path) -> None:
    program = tmp_path / "wikiprep"
    program.write_text(f'#!/bin/sh\nexec {" ".join(command())} "$@"\n')
    program.chmod(0o755)
    lines = (
        'eval "$(wikiprep completion bash)"',
        "COMP_WORDS=(wikiprep build-); COMP_CWORD=1; COMPREPLY=()",
        "_wikiprep_completion wikiprep; echo ${COMPREPLY[@]}",
    )
    done = subprocess.run(
        ["bash", "-c", "\n".join(lines)],
        env=os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["build-corpus"]


def test_another_shell_is_refused() -> None:
    done = CliRunner().invoke(cli, ["completion", "tcsh"])
    assert done.exit_code == 2
