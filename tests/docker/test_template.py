"""The flex template of Dataflow: it asks for what the command takes, and its launcher script makes the graph."""

import importlib.util
import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest
from processes import ROOT
from tiny_wiki import tiny_dump

from wikiprep.cli.build_corpus import command
from wikiprep.cli.engine_launcher import main

FOLDER = ROOT / "docker" / "dataflow"
PARAMETERS: list[dict[str, Any]] = json.loads((FOLDER / "metadata.json").read_text(encoding="utf-8"))["parameters"]
NAMES = [it["name"] for it in PARAMETERS]


def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_template", ROOT / "docs" / "make_template.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def values(parameter: dict[str, Any]) -> list[str]:
    """All that its pattern lets through, or one that any option without a pattern takes."""
    found = [re.fullmatch(r"\^\(?([^()]*)\)?\$", it) for it in parameter.get("regexes", [])]
    return found[0][1].split("|") if found and found[0] else ["1000"]


def context(monkeypatch: pytest.MonkeyPatch, *given: str) -> click.Context:
    """What the command makes of a launcher's words."""
    seen: list[list[str]] = []
    monkeypatch.setattr("wikiprep.cli.engine_launcher.run_command", lambda: seen.append(sys.argv[2:]))
    monkeypatch.setattr(sys, "argv", ["launch.py", *given])
    main("--runner=DataflowRunner")
    return command.make_context("build-corpus", seen[0])


def test_the_file_is_made_of_todays_options() -> None:
    made = json.dumps(maker().metadata(), indent=1, ensure_ascii=False) + "\n"
    assert (FOLDER / "metadata.json").read_text(encoding="utf-8") == made, "run `python docs/make_template.py`"


@pytest.mark.parametrize("parameter", PARAMETERS, ids=NAMES)
def test_the_command_takes_every_value_of_every_parameter(
    parameter: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for value in values(parameter):
        made = context(monkeypatch, f"--{parameter['name']}={value}")
        (key,) = [it.name for it in command.params if parameter["name"] == it.name or _is(it, parameter["name"])]
        told = made.params[str(key)]
        expected = {"true": True, "false": False}.get(value, value)
        assert str(told[0] if isinstance(told, tuple) else told).removesuffix(".0") == str(expected)
        assert made.meta["wikiprep.engine_options"] == []


def _is(parameter: click.Parameter, name: str) -> bool:
    return f"--{name}" in parameter.opts


def test_beams_own_options_go_to_beam(monkeypatch: pytest.MonkeyPatch) -> None:
    made = context(monkeypatch, "--dumps=gs://b/a.bz2,gs://b/b.bz2", "--output=gs://b/o", "--job_name=x", "--region=y")
    assert made.params["dumps"] == ("gs://b/a.bz2", "gs://b/b.bz2")
    assert made.meta["wikiprep.engine_options"] == ["--job_name=x", "--region=y"]


def test_what_a_build_cannot_do_without_is_not_optional() -> None:
    assert [it["name"] for it in PARAMETERS if not it["isOptional"]] == ["dumps", "output", "tokenizer"]


def test_dataflows_own_description_of_metadata_knows_every_field() -> None:
    templates = pytest.importorskip("google.cloud.dataflow_v1beta3.types.templates", reason="pip install '.[beam]'")
    from google.protobuf.json_format import ParseDict

    read = ParseDict(maker().metadata(), templates.TemplateMetadata.pb()())  # raises for a field or type it lacks
    assert [it.name for it in read.parameters] == NAMES


def test_the_launchers_script_makes_the_graph(tmp_path: Path) -> None:
    try:
        metadata.version("apache-beam")
    except metadata.PackageNotFoundError:
        pytest.skip("apache-beam is not installed: pip install 'wikiprep[beam]'")
    cloud = "--project=wiki-prep --region=us-central1 --temp_location=gs://wiki-prep/tmp --job_name=enwiki"
    ours = [f"--dumps={tiny_dump(tmp_path)}", "--output=gs://wiki-prep/corpus", "--tokenizer=train:300", "--text=true"]
    line = [sys.executable, FOLDER / "launch.py", *cloud.split(), *ours, "--dry_run=true"]
    done = subprocess.run(line, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "stages is made; nothing was run" in done.stderr
    assert "Traceback" not in done.stderr
