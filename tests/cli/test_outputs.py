"""One rule for outputs: "-" is standard output or refused, a suffix says the form, ~ is opened also in a file."""

from pathlib import Path

import click
import pytest
from building import wikiprep

from wikiprep.cli.main import COMMANDS, GROUPS, cli
from wikiprep.cli.output_types import Output
from wikiprep.config_toml import load
from wikiprep.errors import UsageError
from wikiprep.options.toml import read_setting, read_toml

LINES = (("f.tsv", "export-mentions", "--format", "tsv"), ("f.jsonl", "export-spacy", "--format", "patterns"))


@pytest.mark.parametrize("words", LINES, ids=" ".join)
def test_lines_go_to_standard_output(words: tuple[str, ...], tiny_corpus: Path, tmp_path: Path) -> None:
    file, name, *options = words
    shown = wikiprep(name, tiny_corpus, *options, "-o", "-")
    written = wikiprep(name, tiny_corpus, *options, "-o", tmp_path / file)
    assert shown.returncode == written.returncode == 0
    assert shown.stdout == (tmp_path / file).read_text(encoding="utf-8")
    assert not Path("-").exists()


def test_what_is_no_text_is_refused(tiny_corpus: Path) -> None:
    for words in (("export-mentions", "--format", "rel"), ("coverage", "--svg")):
        done = wikiprep(words[0], tiny_corpus, *words[1:], *(("-o", "-") if "rel" in words else ("-",)))
        assert done.returncode == 2, done.stderr
        assert not Path("-").exists()


def test_a_wrong_suffix_is_refused(tiny_corpus: Path, tmp_path: Path) -> None:
    done = wikiprep("coverage", tiny_corpus, "--svg", tmp_path / "x.png")
    assert (done.returncode, "x.svg" in done.stderr) == (2, True)
    assert not (tmp_path / "x.png").exists()


def test_the_home_folder_is_opened_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    text = 'output = "~/x"\ndumps = ["~/d.xml", "a~b"]\n[tokenizer]\ntokenizer = "~/t"\n[run]\nscratch = "~"\n'
    (tmp_path / "c.toml").write_text(text)
    found = load(tmp_path / "c.toml")
    assert found.top == {"output": "/home/me/x", "dumps": ["/home/me/d.xml", "a~b"]}
    assert (found.sections["tokenizer"]["tokenizer"], found.run["scratch"]) == ("/home/me/t", "/home/me")


STREAMS = {"annotate", "annotate-squad", "export-mentions", "export-relations", "export-spacy"}
OUTPUTS = {
    name: param
    for name in COMMANDS
    for param in cli.get_command(click.Context(cli), name).params  # type: ignore[union-attr]
    if "--output" in param.opts
}


def test_all_outputs_keep_to_the_rule() -> None:
    assert len(OUTPUTS) > 20
    assert [name for name, param in OUTPUTS.items() if not isinstance(param.type, Output)] == []


@pytest.mark.parametrize("name", sorted(OUTPUTS))
def test_a_dash_is_standard_output_or_refused_and_a_tilde_is_opened(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    param, context = OUTPUTS[name], click.Context(cli)
    assert param.type.convert("~/made", param, context) == str(tmp_path / "made")
    if name in STREAMS:
        assert param.type.convert("-", param, context) == "-"
    else:
        with pytest.raises(click.UsageError, match="is written, not standard output"):
            param.type.convert("-", param, context)


def test_what_is_shown_is_shown_to_machines_too() -> None:
    """`report` is HTML, and `wikitext` JSON of itself."""
    shown = {*GROUPS["Look and check"], "evaluate", "predict", "score", "results", "kg-neighbours", "kg-attention"}
    for name in (shown | {"version"}) - {"report", "wikitext"}:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        assert any("--json" in param.opts for param in command.params), name


def test_the_home_folder_is_opened_in_a_trainings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    (tmp_path / "c.toml").write_text('[model]\nstart = "~/roberta"\n[objective]\nword_weights = "a~/b"\n')
    found = read_toml(tmp_path / "c.toml")
    assert found == {"model": {"start": "/home/me/roberta"}, "objective": {"word_weights": "a~/b"}}
    assert read_setting("model.start=~/roberta") == {"model": {"start": "/home/me/roberta"}}  # no shell opens that


@pytest.mark.parametrize(
    ("name", "option", "given", "right"),
    [
        ("annotate", "--output", "x.csv", "x.jsonl"),
        ("annotate", "--output", "x.jsonl.gz", "x.jsonl"),
        ("annotate-squad", "--output", "x.xml", "x.json"),
        ("export-relations", "--output", "x.parquet", "x.jsonl"),
        ("report", "--output", "x.pdf", "x.html"),
        ("kg-weights", "--output", "x.npy", "x.arrow"),
        ("score", "--confusion", "x.svg", "x.png"),
    ],
)
def test_a_name_that_says_another_form_is_refused(name: str, option: str, given: str, right: str) -> None:
    context = click.Context(cli)
    command = cli.get_command(context, name)
    assert command is not None
    (param,) = (param for param in command.params if option in param.opts)
    with pytest.raises(click.UsageError, match=rf"call it {right}$"):
        param.type.convert(given, param, context)
    for good in (right, "out", "out.2026-11-29", "out.v2"):
        assert param.type.convert(good, param, context) == good


def test_the_name_of_mentions_says_their_form(
    tiny_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)

    def export(*words: str) -> None:
        cli.main(["export-mentions", str(tiny_corpus), *words], standalone_mode=False)

    export("-o", "m.tsv")
    export("-o", "m.db")
    assert Path("m.tsv").read_bytes().startswith(b"text\t")
    assert Path("m.db").read_bytes().startswith(b"SQLite format 3")
    for words, hint in (
        (("-o", "m"), "--format rel or tsv"),
        (("-o", "m.jsonl"), "--format rel or tsv"),
        (("-o", "new.db", "--format", "tsv"), r"no db.*call it new\.tsv"),
        (("-o", "new.jsonl", "--format", "tsv"), r"no jsonl.*call it new\.tsv"),
        (("-o", "new.csv", "--format", "tsv"), r"no csv.*call it new\.tsv"),
        (("-o", "new.JSON", "--format", "tsv"), r"no json.*call it new\.tsv"),
        (("-o", "new.tsv.gz", "--format", "tsv"), r"no gz.*call it new\.tsv$"),
        (("-o", "new.tsv", "--format", "rel"), r"no tsv.*call it new\.db"),
        (("-o", "new.parquet", "--format", "rel"), r"no parquet.*call it new\.db"),
        (("-o", "-", "--format", "rel"), r"call it NAME\.db"),
    ):
        with pytest.raises(UsageError, match=f"(?s){hint}"):
            export(*words)
    export("-o", "plain", "--format", "tsv")  # a name without an end promises nothing
    export("-o", "of.2026-11-29", "--format", "rel")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.db", "m.tsv", "of.2026-11-29", "plain"]


def test_the_folder_of_export_hf_is_an_output_too() -> None:
    for words, what in ((("run", "a", "-o", "b"), "OUT a and --output b"), (("run",), "no folder to write is given")):
        with pytest.raises(UsageError, match=what):
            cli.main(["export-hf", *words], standalone_mode=False)
