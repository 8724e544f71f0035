"""Which templates a dump uses most, and what becomes of them: counted from the dump, or read from a finished build."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from wikiprep.config import RunOptions
from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.ranges import plan_ranges
from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import Siteinfo
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.languages.language import content_language
from wikiprep.local.pool import run_units
from wikiprep.manifest import MANIFEST, read_manifest
from wikiprep.stages.count_templates import CountWork, TemplateFacts, run_unit
from wikiprep.stages.extract_counts import count_articles
from wikiprep.stages.inputs import other_language
from wikiprep.storage.parquet_files import read_parquet
from wikiprep.storage.tables import check_schema
from wikiprep.tables.templates import TEMPLATES, TEMPLATES_SCHEMA
from wikiprep.terminal.build_display import observer_for
from wikiprep.units.handovers import from_json
from wikiprep.units.unit import Unit
from wikiprep.verbosity import warn
from wikiprep.wikitext.templates.own_table import OwnTable
from wikiprep.wikitext.templates.template_table import TemplateTable, load_table

Status = Literal["rendered", "dropped", "unknown", "no name"]

_LARGEST, _SMALLEST = 32_000_000, 500_000  # bytes of a unit: nothing is written, so that they do not show


@dataclass(frozen=True, slots=True)
class Use:
    """What became of the calls of a template.

    Calls in documents that became text and that did not, documents that call it, and what the tables say of its name.
    "no name": a parser function, or a name that is itself computed; no table can have it.
    """

    name: str
    rendered: int
    dropped: int
    pages: int
    status: Status

    @property
    def uses(self) -> int:
        """Calls in documents, those that stand in arguments of rendered templates too."""
        return self.rendered + self.dropped


@dataclass(frozen=True, slots=True)
class Uses:
    """All templates of a dump, most used first."""

    language: str
    documents: int
    templates: list[Use]


def is_build(path: str) -> bool:
    """Whether a folder or address is an output of wikiprep, finished or not."""
    if "://" not in path and not Path(path).is_dir():
        return False
    store = Store(path)
    return store.size(MANIFEST) is not None or bool(store.list("_state"))


def uses_of_build(path: str, own: OwnTable | None) -> Uses:
    """The counts of a finished build; the status is by the tables of now. Raises WikiprepError where they are not."""
    store = Store(path)
    manifest = read_manifest(store)
    place = f"tables/{TEMPLATES}"
    if store.size(place) is None:
        raise UsageError(f"{store.url}: has no {place}", "give the dump itself, or go on with `wikiprep tables`")
    table = read_parquet(store, place)
    check_schema(table.schema, TEMPLATES_SCHEMA, f"{store.url}/{place}")
    rows = zip(*(table[name].to_pylist() for name in ("name", "rendered", "dropped", "pages")), strict=True)
    documents = count_articles(manifest.counts["extract"])
    inputs = manifest.inputs
    project = "wikipedia" if inputs.site is None else Siteinfo(**inputs.site, namespaces=()).project
    return _sum_uses(content_language(inputs.language), documents, rows, own, project)


def uses_of_dump(
    dumps: Sequence[str], language: str | None, own: OwnTable | None, keep_damaged: bool, options: RunOptions
) -> Uses:
    """The counts of every document of the dump, by all workers. Raises WikiprepError as a build would."""
    parts = find_parts(list(dumps), None if options.quiet else lambda line: click.echo(line, err=True))
    site = Site.of(parts[0].siteinfo, language)
    for line in other_language(parts[0].siteinfo, language):
        warn(f"wikiprep: {line}")
    size = sum(piece.end - piece.start for piece in plan_ranges(parts, _LARGEST))
    ranges = plan_ranges(parts, min(_LARGEST, max(_SMALLEST, size // (4 * options.workers))))
    units = [
        Unit("templates", f"range-{i:05}", "", "", CountWork(piece, site, own, keep_damaged), piece.end - piece.start)
        for i, piece in enumerate(ranges)
    ]
    with observer_for(options) as observer:
        observer.stage_started("templates", len(units), sum(unit.weight for unit in units))
        results = run_units(units, run_unit, options, observer)
        observer.stage_finished("templates")
    kinds = Counter[str]()
    for result in results:
        kinds.update(from_json(TemplateFacts, result.facts).kinds)
    if not kinds.total():
        raise WikiprepError(
            f"{', '.join(dumps)}: no page in it", "is this a dump of articles (mediawiki_content_current)?"
        )
    documents = kinds["article"] + kinds["disambiguation"]
    if not documents:
        kind_counts = ", ".join(f"{kind.replace('_', ' ')} {n}" for kind, n in sorted(kinds.items()))
        raise WikiprepError(
            f"{', '.join(dumps)}: none of its pages is an article ({kind_counts})",
            "take mediawiki_content_current, or pages-articles",
        )
    rows = (tuple(row[:4]) for result in results for row in from_json(TemplateFacts, result.facts).templates)
    return _sum_uses(site.language.code, documents, rows, own, site.siteinfo.project)


def _sum_uses(
    language: str, documents: int, rows: Iterable[tuple[str, int, int, int]], own: OwnTable | None, project: str
) -> Uses:
    sums: dict[str, tuple[int, int, int]] = {}
    for name, rendered, dropped, pages in rows:
        old = sums.get(name, (0, 0, 0))
        sums[name] = (old[0] + rendered, old[1] + dropped, old[2] + pages)
    table = load_table(language, own, project)
    uses = [Use(name, *counts, _status(name, counts[0], table)) for name, counts in sums.items()]
    return Uses(language, documents, sorted(uses, key=lambda use: (-use.uses, use.name)))


def _status(name: str, rendered: int, table: TemplateTable) -> Status:
    rule = table.rule(name)
    if rule == "unknown" and rendered:  # the build had another table, or the dump's own Template pages
        return "rendered"
    return "no name" if rule == "unknown" and name.startswith(("#", "(")) else rule
