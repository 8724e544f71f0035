"""Stage `pages`: pages, redirects and templates of the whole dump as tables, with the title table for look-ups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.counts import Count
from wikiprep.dump.file_names import parse_name
from wikiprep.dump.site import MainNamespace, Site
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.stages.extract_counts import PAGES_READ as EXTRACT_READ
from wikiprep.stages.extract_counts import REJECTED
from wikiprep.stages.facts_between_stages import PropertyFacts
from wikiprep.tables.missing_pages import MissingPages, missing_pages
from wikiprep.tables.page_props import ALL_PAGES as PAGES_OF_PROPERTIES
from wikiprep.tables.page_props import DISAMBIGUATIONS, ITEMS
from wikiprep.tables.page_tables import (
    ALL_PAGES,
    ALL_REDIRECTS,
    OF_KIND,
    PAGES,
    PAGES_READ,
    REDIRECTS,
    REJECTS,
    build_pages,
)
from wikiprep.tables.templates import CALLS, TEMPLATES, merge_templates
from wikiprep.tables.title_lookup import TITLE_ARRAYS, TITLE_TRIE
from wikiprep.tables.title_variants import TitleVariants
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.handovers import Warnings, from_json, to_json
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

FILES = {
    PAGES: f"tables/{PAGES}",
    REDIRECTS: f"tables/{REDIRECTS}",
    TITLE_TRIE: f"tables/{TITLE_TRIE}",
    TITLE_ARRAYS: f"tables/{TITLE_ARRAYS}",
    REJECTS: "rejects/redirects.parquet",
    TEMPLATES: f"tables/{TEMPLATES}",
}
KNOWN = Count("also.page_props.pages", "Pages that --page-props has, of one date with the dump and within its ids.")
LACKING = Count("also.page_props.missing", "Of these, pages that the dump lacks.")
EQUATIONS = (ALL_PAGES, CALLS, ALL_REDIRECTS)


@dataclass(frozen=True, kw_only=True)
class PageTableFacts(Warnings):
    """Beside warnings some ids of pages that page_props has and the dump lacks, where that was looked at."""

    missing: list[int] | None = None


@dataclass(frozen=True, slots=True)
class PagesWork:
    """Partial page and template files, relative to the output, and the wiki they are of."""

    partials: tuple[str, ...]
    templates: tuple[str, ...]
    site: Site
    properties: str | None = None  # folder of page_props, where it is of the dump's date
    spans: tuple[tuple[int, int | None], ...] = ()  # page ids of the dump's files, by their names


class Pages:
    """One unit: numbers for titles need all titles."""

    name = "pages"
    needs: tuple[str, ...] = ("extract",)

    def content(self, job: Job) -> dict[str, Any]:
        """No options of its own."""
        return {}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        files = earlier["extract"].files("_state/extract/pages/")
        site = Site.of(job.parts[0].siteinfo, job.config.input.language)
        templates = earlier["extract"].files("_state/extract/templates/")
        properties = from_json(PropertyFacts, earlier["properties"].facts) if "properties" in earlier else None
        folder = properties.folder if properties and _is_of_one_date(properties.dates) else None
        work = PagesWork(tuple(f.path for f in files), tuple(f.path for f in templates), site, folder, _spans(job))
        return [PlannedUnit("pages", work, sum(f.size for f in files))]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Merge the page files."""
        work: PagesWork = unit.work
        with store.scratch("pages") as folder:
            partials = [store.fetch(path) for path in work.partials]
            tables = build_pages(
                partials,
                folder,
                is_main=MainNamespace(work.site.titles),
                variants=TitleVariants.of_site(work.site),
                tell=lambda step: report.progress(pages=0, bytes_done=0, rejects=0, at=step),
            )
            templates = merge_templates([store.fetch(path) for path in work.templates], folder)
            missing = _find_missing(store, work, partials) if work.properties else None
            files = [store.publish(folder / name, path) for name, path in FILES.items()]
        counts = tables.counts | templates
        if missing:
            counts |= {KNOWN: missing.known, LACKING: missing.missing}
        facts = PageTableFacts(warnings=list(tables.warnings), missing=list(missing.examples) if missing else None)
        return Result(unit.name, files, counts, to_json(facts))

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """The sums of pages close again after redirects were followed."""
        counts = sum_counts(results)
        read, rows = earlier["extract"].counts[EXTRACT_READ], counts[PAGES_READ]
        unreadable = read - rows
        if not 0 <= unreadable <= earlier["extract"].counts.get(REJECTED, 0):
            raise WikiprepError(
                f"the page table has {rows} rows, but {read} pages were read",
                "this is a fault in wikiprep: please report it with these numbers",
            )
        counts[PAGES_READ] += unreadable
        counts[OF_KIND["reject"]] = counts.get(OF_KIND["reject"], 0) + unreadable
        must_close(self.name, counts, EQUATIONS)
        facts = from_json(PageTableFacts, results[0].facts)
        warnings = list(facts.warnings)
        if missing := counts.get(LACKING):
            warnings.append(_missing_pages_warning(missing, counts[KNOWN], facts.missing or []))
        return Commit(tuple(results), counts, {}, tuple(warnings), EQUATIONS)


def _is_of_one_date(dates: Mapping[str, str | None]) -> bool:
    """Whether page_props and dump are of one date, as far as their names tell."""
    return None in dates.values() or len(set(dates.values())) == 1


def _spans(job: Job) -> tuple[tuple[int, int | None], ...]:
    """The page ids that the parts hold; none where a name does not say."""
    names = [parse_name(PurePosixPath(part.path).name) for part in job.parts]
    spans = [(name.first, name.last) for name in names if name and name.first is not None]
    return tuple((first, last) for first, last in spans if first is not None) if len(spans) == len(names) else ()


def _find_missing(store: Store, work: PagesWork, partials: Sequence[Path]) -> MissingPages:
    paths = [store.fetch(f"{work.properties}/{name}") for name in (DISAMBIGUATIONS, ITEMS, PAGES_OF_PROPERTIES)]
    return missing_pages(partials, paths[0].parent, work.spans)


def _missing_pages_warning(missing: int, known: int, examples: Sequence[int]) -> str:
    return (
        f"the dump lacks {missing:,} of the {known:,} pages ({missing / known:.1%}) that page_props has between its "
        f"first and last page, such as page id {', '.join(map(str, examples))}: it is an excerpt, or its export lost "
        "pages (known of mediawiki_content_current up to August 2026): take a newer one"
    )
