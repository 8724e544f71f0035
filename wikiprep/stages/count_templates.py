"""The templates of one range's documents, counted without writing anything: what the guard's child process does."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.dump.pages import LostRange, RangeReader
from wikiprep.dump.ranges import Range
from wikiprep.dump.site import Site
from wikiprep.guard.guard_pool import borrowed_guard
from wikiprep.guard.shared_memory import Watch
from wikiprep.stages.extract_range import watch_pages
from wikiprep.stages.kinds import KindRules, kind_of
from wikiprep.stages.tables_of_unit import TemplateRows
from wikiprep.units.handovers import to_json
from wikiprep.units.unit import Report, Result, Unit
from wikiprep.wikitext.extract import WITHOUT_FORMULAS
from wikiprep.wikitext.templates.own_table import OwnTable


@dataclass(frozen=True, kw_only=True)
class TemplateFacts:
    """Of a unit: pages by kind, and a row a template."""

    kinds: dict[str, int]
    templates: list[Any]


@dataclass(frozen=True, slots=True)
class CountWork:
    """The payload of a unit."""

    range: Range
    site: Site
    own_templates: OwnTable | None
    keep_damaged: bool


def count_range(work: CountWork, watch: Watch, skip: Mapping[int, str], only: int | None) -> dict[str, Any]:
    """Templates of the documents, and how many pages of each kind there were; with `only`, try that one page."""
    rules = KindRules(work.site, WITHOUT_FORMULAS, lambda page: False, work.own_templates)
    reader = RangeReader(work.range, work.site.siteinfo, keep_damaged=work.keep_damaged)
    kinds, templates = Counter[str](), TemplateRows()
    for ordinal, page in watch_pages(reader, watch, only=only):
        if isinstance(page, LostRange):
            continue
        kind = kind_of(page, skip.get(ordinal), rules)
        kinds[kind.name] += 1
        if kind.extraction is not None:
            templates.add(kind.extraction.templates)
    return to_json(TemplateFacts(kinds=dict(kinds), templates=templates.rows))


def run_unit(unit: Unit, report: Report, options: RunOptions) -> Result:
    """`count_range` of a unit under the guard; its facts are what that returns."""
    with borrowed_guard(options.page_timeout, options.page_bytes) as guard:
        guard_result = guard.run(count_range, unit.work, report, f"{unit.stage}/{unit.name}")
    return Result(unit.name, facts=guard_result.value)
