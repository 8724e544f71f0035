"""For tests of stages: a build in this process, stage by stage, without the pool; and pages and dumps of some lines."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from building import TOKENIZER

from wikiprep.config import Config, RunOptions, Sections, apply
from wikiprep.files import Store
from wikiprep.runtime.stage_flow import commit_stage, execute, units_of
from wikiprep.runtime.write_manifest import write_manifest
from wikiprep.stages.build import stages_of
from wikiprep.units.fingerprint import plans_of
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit
from wikiprep.units.unit import NoReport

_HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="{language}">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <dbname>{language}wiki</dbname>
    <base>https://{language}.wikipedia.org/wiki/Main_Page</base>
    <case>first-letter</case>
  </siteinfo>
"""


def xml_page(
    number: int, title: str, text: str, *, ns: int = 0, redirect: str | None = None, model: str = "wikitext"
) -> str:
    """A page of a dump; `redirect` is the full title that it leads to."""
    element = f"<redirect title={quoteattr(redirect)} />" if redirect else ""
    text = text or (f"#REDIRECT [[{redirect}]]" if redirect else "")
    return (
        f"  <page><title>{escape(title)}</title><ns>{ns}</ns><id>{number}</id>{element}"
        f"<revision><id>{number + 1000}</id><timestamp>2026-01-02T03:04:05Z</timestamp>"
        f"<model>{model}</model><format>text/x-wiki</format>"
        f'<text bytes="{len(text.encode())}" xml:space="preserve">{escape(text)}</text></revision></page>\n'
    )


def write_dump(path: Path, *pages: str, language: str = "en") -> Path:
    """A plain XML dump of these pages; the language's default namespaces hold."""
    path.write_text(_HEAD.format(language=language) + "".join(pages) + "</mediawiki>\n", encoding="utf-8")
    return path


def job_of(
    output: Path, *dumps: Path, sections: Sections | None = None, until: str | None = None, **parameters: Any
) -> Job:
    """A job with the sample's tokenizer, unless the sections name another."""
    config = apply(Config(), {"tokenizer": {"tokenizer": str(TOKENIZER)}})
    return Job(
        output=str(output),
        config=apply(config, sections or {}),
        dumps=tuple(map(str, dumps)),
        until=until,
        **parameters,
    )


def run_stages(job: Job) -> dict[str, Commit]:
    """Every stage of the job in order; what is finished is not done again. Writes the manifest too."""
    stages, commits = stages_of(job), dict[str, Commit]()
    plans, store = plans_of(stages, job), Store(job.output)
    for stage in stages:
        units = units_of(stage, plans[stage.name], job, store, commits)
        results = [execute(unit, NoReport(), RunOptions()) for unit in units]
        commits[stage.name] = commit_stage(stage, job, store, results, commits)
    write_manifest(store, job, plans, commits, "luke")
    return commits


def build(output: Path, *dumps: Path, sections: Sections | None = None, **parameters: Any) -> dict[str, Commit]:
    """`run_stages` of a job made on the spot."""
    return run_stages(job_of(output, *dumps, sections=sections, **parameters))


def rows(output: Path, folder: str) -> list[dict[str, Any]]:
    """All rows of `articles`, `rejects` or `records`, or of one table such as `tables/pages.parquet`."""
    path = output / folder
    found: list[dict[str, Any]] = []
    for file in sorted(path.iterdir()) if path.is_dir() else [path]:
        if file.suffix == ".arrow":
            with pa.memory_map(str(file)) as source:
                found += pa.ipc.open_file(source).read_all().to_pylist()
        else:
            found += pq.read_table(file).to_pylist()
    return found


def vocabulary(output: Path) -> dict[str, int]:
    """entity_vocab.json: title -> id."""
    found: dict[str, int] = orjson.loads((output / "tokenizer" / "entity_vocab.json").read_bytes())
    return found


def kinds(commits: Mapping[str, Commit], stage: str = "extract") -> dict[str, int]:
    """The counts of page kinds after a stage, those of zero left out."""
    counts = commits[stage].counts
    return {
        k.removeprefix("pages."): n for k, n in counts.items() if k.startswith("pages.") and k != "pages.read" and n
    }


def mentions(output: Path) -> list[tuple[str, str]]:
    """(mention, target) of every link of the articles, in order."""
    return [
        (p["text"][link["start"] : link["end"]], link["target"])
        for article in rows(output, "articles")
        for p in article["paragraphs"]
        for link in p["links"]
    ]
