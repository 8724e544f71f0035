"""Stage `template_pages` (with --templates expand, the default): the dump's own Template pages."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.counts import Count, Equation, Reasons, declare_counts
from wikiprep.disk_errors import translate_disk_errors
from wikiprep.dump.pages import Page, RangeReader
from wikiprep.dump.range_bytes import read_chunks
from wikiprep.dump.ranges import Range, plan_ranges
from wikiprep.dump.site import Site
from wikiprep.dump.unpacked import copy_chunks, worth_keeping
from wikiprep.file_receipt import FileReceipt
from wikiprep.files import Store
from wikiprep.guard.guard_pool import borrowed_guard
from wikiprep.guard.shared_memory import GIVEN_UP_FOR, Watch
from wikiprep.stages.extract_range import watch_pages
from wikiprep.stages.facts_between_stages import copy_of
from wikiprep.tables.template_definitions import write_template_pages
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.job import Job, options_of
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit
from wikiprep.wikitext.templates.definition import KINDS, prepare
from wikiprep.wikitext.templates.template_table import canonical

FOLDER = "_state/template_pages/parts"
TEMPLATES = 10  # the namespace
READ = Count("template_pages.read", "Template pages of the dump.")
KEPT = declare_counts(
    "template_pages.",
    simple="Templates that are read: they are made of text and parameters.",
    script="Templates that are read as far as wikiprep knows the Lua modules that they call.",
)
REDIRECTS = Count("template_pages.redirect", "Redirects between templates.")
LEFT_OUT = Reasons(
    "template_pages.left_out.",
    "Templates that give no text.",
    empty="They show nothing.",
    box="They are tables, boxes or navigation.",
    long="They are too long to be read.",
    script="They are made of parts of other pages.",
    **GIVEN_UP_FOR,
)
EQUATIONS = (Equation("template pages", READ, (*KEPT.values(), REDIRECTS, LEFT_OUT)),)


@dataclass(frozen=True, slots=True)
class TemplatePagesWork:
    """The payload of a unit. `part`: relative to the output."""

    range: Range
    part: str
    site: Site
    keep_damaged: bool


class TemplatePages:
    """One unit a range of the dump, as in `extract`: Template pages lie anywhere, and articles need them all."""

    name = "template_pages"
    needs: tuple[str, ...] = ("inputs",)

    def content(self, job: Job) -> dict[str, Any]:
        """Options of [input], as in `extract`."""
        options = options_of(job.config.input)
        return {"input": {name: options[name] for name in ("language", "range_mb")}}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The same ranges as those of `extract`."""
        ranges = plan_ranges(job.parts, int(job.config.input.range_mb * 1e6))
        site = Site.of(job.parts[0].siteinfo, job.config.input.language)
        tasks = []
        for i, piece in enumerate(ranges):
            part = f"part-{i:05}-of-{len(ranges):05}"
            work = TemplatePagesWork(piece, f"{FOLDER}/{part}.arrow", site, job.config.input.keep_damaged)
            tasks.append(PlannedUnit(part, work, piece.end - piece.start))
        return tasks

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Read a range. A page that stops the worker twice is left out; `extract` makes it a reject if it can."""
        with borrowed_guard(options.page_timeout, options.page_bytes) as guard:
            guard_result = guard.run(read_templates, (unit, store), report, f"{unit.stage}/{unit.name}")
        file, counts = guard_result.value
        return Result(unit.name, [file] if file else [], counts)

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Every Template page is used or left out for a reason."""
        counts = sum_counts(results)
        must_close(self.name, counts, EQUATIONS)
        return Commit(tuple(results), counts, equations=EQUATIONS)


def read_templates(
    payload: tuple[Unit, Store], watch: Watch, skip: Mapping[int, str], only: int | None
) -> tuple[FileReceipt | None, dict[Count, int]]:
    """The guarded work of a unit: the published file and its counts."""
    unit, store = payload
    work: TemplatePagesWork = unit.work
    rows: list[tuple[str | None, ...]] = []
    counts: Counter[Count] = Counter()
    with store.scratch(f"templates-{unit.name}") as folder:
        unpacked = folder / "unpacked" if only is None and store.root and worth_keeping(work.range) else None
        chunks = read_chunks(work.range)
        reader = RangeReader(
            work.range,
            work.site.siteinfo,
            keep_damaged=work.keep_damaged,
            chunks=copy_chunks(chunks, unpacked) if unpacked else chunks,
            namespace=TEMPLATES,
        )
        for ordinal, page in watch_pages(reader, watch, only=only):
            if not isinstance(page, Page) or page.namespace != TEMPLATES:
                continue
            counts[READ] += 1
            if ordinal in skip:
                counts[LEFT_OUT.of(skip[ordinal])] += 1
                continue
            rows.append(definition_row(page, work.site, counts))
        if only is not None:
            return None, {}
        if unpacked and store.root:
            target = store.root / copy_of(unit.name)
            with translate_disk_errors(target):
                target.parent.mkdir(parents=True, exist_ok=True)
                unpacked.replace(target)
        path = folder / "templates.arrow"
        write_template_pages(rows, path)
        return store.publish(path, work.part), dict(sorted(counts.items()))


def definition_row(page: Page, site: Site, counts: Counter[Count]) -> tuple[str | None, ...]:
    """Name, kind, body, target of a Template page; see `template_page_schema`."""
    name = canonical(page.title.partition(":")[2])
    if page.redirect is not None:
        counts[REDIRECTS] += 1
        target = site.titles.parse(page.redirect)
        return name, None, None, canonical(target.title.partition(":")[2]) if target.namespace == TEMPLATES else None
    body, reason = prepare(page.text)
    has_text = reason == "simple" or (reason == "script" and body)
    counts[KEPT[reason] if has_text else LEFT_OUT.of(reason)] += 1
    return name, KINDS[reason], body if has_text else None, None
