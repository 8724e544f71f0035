"""What every command has: -h, -q, -v, --version, colour or none, and a word on names that are nearly right."""

import re
from pathlib import Path
from typing import Any

import pytest
from building import wikiprep
from click.testing import CliRunner, Result

from wikiprep.cli.main import COMMANDS, GROUPS, cli
from wikiprep.config_toml import load
from wikiprep.errors import WikiprepError
from wikiprep.pretrain.config_toml import load_config
from wikiprep.verbosity import TRACEBACK

COLOUR = re.compile(r"\x1b\[[\d;]*(?:3[0-7]|38|9[0-7])[\d;]*m")


def run(*words: object, **extra: Any) -> Result:
    return CliRunner().invoke(cli, list(map(str, words)), **extra)


def error_of(done: Result) -> str:
    return str(done.exception) if isinstance(done.exception, WikiprepError) else done.output


def test_alone_it_says_what_to_do_first() -> None:
    done = run()
    assert done.exit_code == 0
    steps = re.findall(r"^  wikiprep (\S+) (.*)", done.output, re.M)
    assert [name for name, _ in steps] == ["build-corpus", "inspect", "download", "build-corpus"]
    for name, rest in steps:  # they are commands as there are
        flags = set(re.findall(r"--[\w-]+", rest))
        assert all(flag in run(name, "--help").output for flag in flags)


def test_help_shows_each_command_once_and_by_its_purpose() -> None:
    text = run("-h").output
    for name in COMMANDS:
        assert len(re.findall(rf"^  {name}  ", text, re.M)) == 1
        assert sum(name in names for names in GROUPS.values()) == 1
    assert all(f"\n{title}:\n" in text for title in GROUPS)


@pytest.mark.parametrize("name", list(COMMANDS))
def test_every_command_has_the_options_of_all(name: str) -> None:
    text = run(name, "-h").output
    for options in ("-q, --quiet", "-v, --verbose", "--version", "-h, --help"):
        assert text.count(f"\n  {options} ") == 1
    assert run(name, "--version").output == run("--version").output
    assert run(name, "-q", "-v").exit_code == 2


def test_a_build_s_options_are_shown_by_section_each_once() -> None:
    text = run("build-corpus", "--help").output
    titles = re.findall(r"^(\S.*):$", text, re.M)
    assert titles[0] == "Options" and titles[-1] == "As of every command" and len(titles) > 10
    options = re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.M)
    assert len(options) == len(set(options)) > 60
    records = text.partition("Records [records]:\n")[2].partition("\n\n")[0]
    assert "--max-seq-length" in records and "--vocab-size" not in records
    assert "DUMPS" not in text.partition("Options:")[2]


@pytest.mark.parametrize("words", [("-q", "export-mentions"), ("export-mentions", "--quiet")])
def test_quiet_stands_before_or_behind_the_command(tiny_corpus: Path, tmp_path: Path, words: tuple[str, ...]) -> None:
    asked = (*words, tiny_corpus, "--format", "tsv", "--output", tmp_path / "t.tsv")
    assert run(*asked).output == ""
    loud = [word for word in asked if word not in ("-q", "--quiet")]
    assert "names" in run(*loud).stderr
    assert (tmp_path / "t.tsv").stat().st_size > 0


def test_quiet_of_the_group_is_a_build_s_own(tmp_path: Path) -> None:
    done = run("-q", "extract", "--sample", "-o", tmp_path / "out", "--workers", 1)
    assert (done.exit_code, done.output) == (0, "")


def test_verify_says_nothing_but_by_its_exit_code(tiny_corpus: Path) -> None:
    assert run("-q", "verify", tiny_corpus).output == ""


def test_verbose_tells_units_time_and_memory(tmp_path: Path) -> None:
    done = wikiprep("extract", "--sample", "-o", tmp_path / "out", "--workers", 1, "-v")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^extract: part-00000\S*: .* s$", done.stderr, re.M), done.stderr
    assert re.search(r"^wikiprep \S+, Python 3\S+: [\d.]+ s, [\d,]+ MB of memory at most$", done.stderr, re.M)


def test_verbose_shows_where_an_error_arose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(TRACEBACK, raising=False)
    quiet, loud = (wikiprep(*words, "verify", tmp_path / "none") for words in ((), ("-v",)))
    assert "Traceback" not in quiet.stderr and "Traceback" in loud.stderr
    assert quiet.stderr in loud.stderr


def test_no_color_is_honoured(tiny_corpus: Path) -> None:
    words = ("inspect", tiny_corpus, "--page", "Rome")
    coloured = run(*words, env={"FORCE_COLOR": "1", "NO_COLOR": "", "TERM": "xterm-256color", "COLORTERM": ""})
    plain = run(*words, env={"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm-256color", "COLORTERM": ""})
    assert COLOUR.search(coloured.output)
    assert not COLOUR.search(plain.output)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("build-korpus",), "'build-corpus'"),
        (("Verify",), "'verify'"),
        (("build-corpus", "--vocab-sise", "5"), "--vocab-size"),
        (("build-corpus", "--preset", "luk"), "'luke'"),
        (("score", "conll-2003", "a", "b"), "'conll2003'"),
        (("download", "simplewiki", "--with", "page-prop"), "'page_props'"),
        (("build-corpus", "--sample", "-o", "x", "--runner", "prismruner"), "PrismRunner"),
        (("extract", "--sample", "-o", "x", "--language", "egn"), "en"),
    ],
)
def test_what_was_meant_by_a_name_nearly_right(words: tuple[str, ...], meant: str) -> None:
    done = run(*words)
    exception = done.exception
    assert (exception.exit_code if isinstance(exception, WikiprepError) else done.exit_code) == 2
    assert meant in error_of(done)


@pytest.mark.parametrize(
    ("text", "meant"),
    [("outptu = 'x'", "'output'"), ("[recods]\ntext = true", "'records'"), ("preset = 'lukee'", "'luke'")],
)
def test_what_was_meant_in_a_file(tmp_path: Path, text: str, meant: str) -> None:
    (tmp_path / "c.toml").write_text(text)
    with pytest.raises(WikiprepError, match=f"did you mean {meant}"):
        load(tmp_path / "c.toml")
        cli.main(
            ["build-corpus", "--sample", "-o", str(tmp_path / "o"), "--config", str(tmp_path / "c.toml")],
            standalone_mode=False,
        )


def test_what_was_meant_by_a_configuration_of_training() -> None:
    with pytest.raises(WikiprepError, match="did you mean 'luke-base'"):
        load_config("luke-bse")
    with pytest.raises(WikiprepError, match="did you mean 'global_batch'"):
        load_config("tiny", ("data.global_bach=3",))
