"""`wikiprep.build` and `build-corpus` are one thing: the same options, errors and bytes."""

import importlib.util
from pathlib import Path
from typing import Any, get_args, get_origin

import click
import pytest
from building import TOKENIZER, built, hashes
from inline import write_dump, xml_page

import wikiprep
from wikiprep.api.build_options import BuildOptions
from wikiprep.cli.build_corpus import command

PAGES = [
    xml_page(11, "Oslo", "Oslo is the capital of [[Norway]], as many people know by now."),
    xml_page(12, "Norway", "The country of which [[Oslo]] is the capital has many fjords."),
]


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    return write_dump(tmp_path / "d.xml", *PAGES)


def kind_of(param: click.Parameter) -> set[object]:
    """What an option takes, as a type would say it."""
    if isinstance(param.type, click.Choice):
        return set(param.type.choices)
    if isinstance(param, click.Option) and param.is_flag:
        return {bool}
    number = {"integer": int, "integer range": int, "float": float, "float range": float}
    return {number.get(param.type.name, str)}


def kinds_in(annotation: Any) -> set[object]:
    """The same of an annotation; a path is a text."""
    if isinstance(annotation, str) or get_origin(annotation) is None:
        return set() if annotation is type(None) else {annotation}
    if "PathLike" in str(annotation) or "Sequence" in str(annotation):
        return {str}
    return {kind for part in get_args(annotation) for kind in kinds_in(part)}


def test_options_are_those_of_the_command_with_its_types() -> None:
    known = {}
    for param in command.params:
        name = "config" if param.name == "config_file" else str(param.name).partition("__")[2] or str(param.name)
        known[name] = kind_of(param)
    for of_python in (
        "dumps",
        "output",
        "quiet",
        "dry_run",
    ):  # arguments of their own there; the last one makes no corpus
        del known[of_python]
    said = {name: kinds_in(kind) for name, kind in BuildOptions.__annotations__.items()}
    assert said == known


def test_the_keywords_are_made_from_the_options() -> None:
    root = Path(__file__).parents[2]
    spec = importlib.util.spec_from_file_location("make_build_options", root / "docs" / "make_build_options.py")
    assert spec is not None and spec.loader is not None
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    assert maker.PLACE.read_text(encoding="utf-8") == maker.module(), "run `python docs/make_build_options.py`"


def test_the_corpus_is_the_command_s_byte_for_byte_and_nothing_is_printed(
    tmp_path: Path, dump: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    options: dict[str, Any] = {"tokenizer": TOKENIZER, "vocab_size": 7, "lists": False, "workers": 1}
    corpus = wikiprep.build(dump, output=tmp_path / "python", **options)
    assert capfd.readouterr() == ("", "")
    assert [article.title for article in corpus.articles()] == ["Oslo", "Norway"]
    built(tmp_path / "command", dump, "--tokenizer", TOKENIZER, "--vocab-size", 7, "--no-lists")
    assert hashes(tmp_path / "python") == hashes(tmp_path / "command")
    # Again: it is there, and only opened. Other options are refused, as by the command.
    assert len(wikiprep.build(str(dump), output=tmp_path / "python", **options).records()) == len(corpus.records())
    with pytest.raises(wikiprep.WikiprepError, match="vocab_size"):
        wikiprep.build(dump, output=tmp_path / "python", **{**options, "vocab_size": 8})
    corpus = wikiprep.build(
        dump, output=tmp_path / "python", **{**options, "vocab_size": 8}, update=True, progress=True
    )
    said = capfd.readouterr()
    assert "built" in said.out and "records" in said.err
    assert len(corpus.vocabulary) == 6  # two entities and four special tokens


def test_a_script_without_a_main_guard_builds(tmp_path: Path, dump: Path) -> None:
    import subprocess
    import sys

    script = tmp_path / "script.py"
    script.write_text(
        f"import wikiprep\nprint(len(wikiprep.build({str(dump)!r}, output='out', tokenizer={str(TOKENIZER)!r}, "
        "workers=2).articles()))\n"
    )
    done = subprocess.run([sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("2\n", "")


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"vocab_sise": 5}, "unknown option 'vocab_sise'\n  did you mean 'vocab_size' or 'vocab_targets'?"),
        ({"quiet": True}, "unknown option 'quiet'"),
        ({"vocab_size": "5"}, r"\[vocabulary\] vocab_size = '5' is of the wrong type"),
        ({"vocab_size": 3}, "the least is 4"),
        ({"math": "html"}, "it takes text or tex or drop"),
        ({"workers": 0}, "workers = 0 is too small"),
        ({"workers": 1.5}, "workers = 1.5 is of the wrong type"),
        ({"sample": 1}, "sample = 1 is of the wrong type"),
        ({"date": 20261101}, "date = 20261101 is of the wrong type"),
        ({"layout": "new"}, "it takes any or content or classic"),
        ({"mirror": [3]}, "it takes a list of strings"),
        ({"preset": "bert"}, "unknown preset 'bert'"),
        ({"update": True, "overwrite": True}, "exclude each other"),
        ({"sample": True}, "--sample is a dump of its own"),
        ({"leave_out": [3]}, "it takes a list of file names"),
        ({"page_props": "absent.sql"}, "absent.sql: no such file"),
        ({"date": "latest"}, "without a wiki's name"),
        ({"runner_options": ["--x=1"], "runner": "local"}, "--x=1: no such option"),
        ({"runner": "Slurm", "tokenizer": TOKENIZER}, "no such runner"),
    ],
)
def test_what_cannot_be_is_told_before_any_work(tmp_path: Path, dump: Path, options: dict[str, Any], what: str) -> None:
    with pytest.raises(wikiprep.UsageError, match=what):
        wikiprep.build(dump, output=tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_without_an_output_or_a_dump_it_says_so(tmp_path: Path, dump: Path) -> None:
    with pytest.raises(wikiprep.UsageError, match="no output folder given"):
        wikiprep.build(dump)
    with pytest.raises(wikiprep.UsageError, match="no dump given"):
        wikiprep.build(output=tmp_path / "out")


def test_a_configuration_file_may_say_all(tmp_path: Path, dump: Path) -> None:
    file = tmp_path / "wikiprep.toml"
    file.write_text(f'dumps = ["{dump}"]\noutput = "{tmp_path / "out"}"\n[tokenizer]\ntokenizer = "{TOKENIZER}"\n')
    assert len(wikiprep.build(config=file, workers=1).articles()) == 2


def test_a_layout_that_is_none_is_refused_in_a_configuration_file_too(tmp_path: Path) -> None:
    file = tmp_path / "wikiprep.toml"
    file.write_text('[run]\nlayout = "clasic"\n')
    with pytest.raises(wikiprep.UsageError) as refused:
        wikiprep.build("simplewiki", output=tmp_path / "out", config=file)
    assert refused.value.what == f"{file}: [run] layout = 'clasic' is not known"
    assert refused.value.hint == "it takes any or content or classic"
