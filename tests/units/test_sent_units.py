"""Units as an engine's workers get them: nothing of what the driver planned is lost on the way."""

import importlib
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from entity_dumps import array, item, statement
from inline import job_of
from tiny_wiki import MENTIONS, tiny_dump, tiny_props

from wikiprep.config import RunOptions, Sections
from wikiprep.dump.title_rules import TitleRules
from wikiprep.files import Store
from wikiprep.local.pool import Pool
from wikiprep.runtime.stage_flow import commit_stage, execute, units_of
from wikiprep.stages.build import rests_on, stages_of
from wikiprep.units.fingerprint import plans_of
from wikiprep.units.stage import Commit
from wikiprep.units.unit import NoReport, Report, Result, Unit

Send = Callable[[Any], Any]


def through(pickler: str) -> Send:
    """There and back by an engine's own pickler; the test is skipped where the engine is not installed."""
    try:
        module: Any = importlib.import_module(pickler)
    except ModuleNotFoundError as error:
        pytest.skip(f"{error.name} is not installed")
    return lambda value: module.loads(module.dumps(value))


def said(value: Any) -> Any:
    """All that a value holds, where it is not compared by that itself (a wiki's rules of titles)."""
    if isinstance(value, TitleRules):
        return said(value.__reduce__()[1])
    if is_dataclass(value) and not isinstance(value, type):
        return type(value), {field.name: said(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, list | tuple):
        return type(value), [said(one) for one in value]
    if isinstance(value, dict):
        return {key: said(one) for key, one in value.items()}
    return value


@pytest.mark.parametrize("pickler", ["pickle", "pyspark.cloudpickle", "apache_beam.internal.pickler"])
def test_a_build_of_all_stages_sends_whole_units(pickler: str, tmp_path: Path) -> None:
    """Payloads and what they rest on come through equal, and so do results and what the commits made of them."""
    send = through(pickler)
    (tmp_path / "items.json").write_bytes(array([item(1001, statement("P31", "Q1002"), title="Solar System")]))
    (tmp_path / "list.txt").write_text("AC/DC\n")
    sections: Sections = MENTIONS | {
        "input": {"page_props": str(tiny_props(tmp_path))},
        "wikidata": {"wikidata": str(tmp_path / "items.json")},
        "leave_out": {"leave_out": (str(tmp_path / "list.txt"),)},
        "extract": {"templates": "expand"},
        "records": {"densify": True, "min_sentence_length": 1},
    }
    job = job_of(tmp_path / "out", tiny_dump(tmp_path), sections=sections)
    assert send(job) == job
    stages, commits, store = stages_of(job), dict[str, Commit](), Store(job.output)
    plans = plans_of(stages, job)
    for stage in stages:
        units = units_of(stage, plans[stage.name], job, store, commits)
        sent = send(units)
        assert said(sent) == said(units)
        results = [execute(unit, NoReport(), RunOptions()) for unit in sent]
        assert said(send(results)) == said(results)
        made = commit_stage(stage, job, store, send(results), send(commits))
        assert said(send(made)) == said(made)
        commits[stage.name] = made
    assert len(commits) == len(stages)


def show(unit: Unit, report: Report, options: RunOptions) -> Result:
    """What a worker sees of a unit."""
    return Result(unit.name, facts={"rests_on": unit.rests_on})


class Quiet:
    """An observer of nothing."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_, **__: None


def test_records_made_dense_rest_on_the_mention_table_on_the_worker_too(tmp_path: Path) -> None:
    """Their stage is found by the name `records` there, whose other form reads no mentions."""
    dump = tiny_dump(tmp_path)
    dense = job_of(tmp_path / "out", dump, sections={"records": {"densify": True}})
    plain = job_of(tmp_path / "out", dump, sections=MENTIONS)
    units = []
    for job in (dense, plain):
        stage = stages_of(job)[-1]
        units.append(Unit(stage.name, f"part-{len(units)}", "f", job.output, None, 1, rests_on(stage, job)))
    with Pool(RunOptions(workers=1)) as pool:
        seen = [result.facts["rests_on"] for result in pool.run_units(units, show, Quiet())]  # type: ignore[arg-type]
    before = ("inputs", "template_pages", "definitions", "extract", "pages", "links", "vocabulary")
    assert seen == [
        (*before, "mention_links", "mention_names", "name_table", "mention_texts", "mentions", "tokenizer"),
        (*before, "tokenizer"),
    ]
