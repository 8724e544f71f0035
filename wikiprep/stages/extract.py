"""Stage `extract`: every page of the dump becomes exactly one kind, and the documents among them text with links."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import PurePosixPath
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.counts import Count
from wikiprep.dump.ranges import Range, plan_ranges
from wikiprep.dump.site import Site
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.guard.guard_pool import borrowed_guard
from wikiprep.parsoid.names import FOLDER
from wikiprep.stages.extract_counts import (
    BLANK,
    DAMAGED_BYTES,
    DAMAGED_RANGES,
    EQUATIONS,
    KINDS,
    PAGES_READ,
    PARAGRAPHS,
    QIDS,
    REJECTED,
    REJECTS,
    CallFacts,
    count_articles,
    warnings_of,
)
from wikiprep.stages.extract_work import ExtractedRange, ExtractWork, Piece, extract
from wikiprep.stages.facts_between_stages import OLDER, PIECES, input_names
from wikiprep.stages.wikidata_merged import merged_folder
from wikiprep.tables.qid_counts import BY_TITLE, CONFLICT
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.handovers import LostPages, folder_of, from_json, to_json
from wikiprep.units.job import Job, options_of
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit
from wikiprep.wikitext.variants import require_variant


@dataclass(frozen=True, kw_only=True)
class ExtractFacts:
    """Of a unit: pages that stopped the worker twice, the newest revision, and template calls."""

    lost: list[list[Any]]
    newest: str
    templates: CallFacts


@dataclass(frozen=True, kw_only=True)
class DumpFacts(LostPages):
    """Of all units; it stands in the manifest."""

    newest_revision: str


class Extract:
    """One unit a range of the dump, worked on under the guard."""

    name = "extract"
    needs: tuple[str, ...] = ("inputs", "properties", "wikidata", "definitions", "copies")

    def content(self, job: Job) -> dict[str, Any]:
        """Options of [input] and [extract], but for keep_damaged.

        It changes nothing where nothing is damaged, so that a build that met damage goes on with it. `commit` refuses
        damage without it. allow_missing_parts and allow_other_dates decide whether there is a build, not what is in it.
        """
        options = options_of(job.config.input)
        del options["keep_damaged"], options["allow_missing_parts"], options["allow_other_dates"]
        extract = options_of(replace(job.config.extract, template_table=None))  # read by now, it may be a pipe
        extract["template_table"] = job.own_templates.identity if job.own_templates else None
        parser = {"parser": f"selectolax {version('selectolax')}"} if job.is_html else {}
        return {"input": options, "extract": extract} | parser

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """Ranges of all parts, in dump order; of a snapshot its pieces."""
        config = job.config
        ranges = _pieces(job, earlier) if job.is_html else _ranges(job)
        site = Site.of(job.parts[0].siteinfo, config.input.language)
        text = replace(config.extract, template_table=None)  # whose content is in `job.own_templates`
        if text.variant:
            text = replace(text, variant=require_variant(site.language.code, text.variant))
        tasks = []
        for i, (piece, size) in enumerate(ranges):
            part = f"part-{i:05}-of-{len(ranges):05}"
            work = ExtractWork(
                piece,
                part,
                site,
                text,
                keep_damaged=config.input.keep_damaged,
                own_templates=job.own_templates,
                properties=folder_of(earlier, "properties"),
                definitions=folder_of(earlier, "definitions"),
                wikidata=folder_of(earlier, "wikidata"),
                merged=merged_folder(earlier),
            )
            tasks.append(PlannedUnit(part, work, size))
        return tasks

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Extract a range; pages that stop the worker twice are rejects."""
        with borrowed_guard(options.page_timeout, options.page_bytes) as guard:
            guard_result = guard.run(extract, (unit.work, store), report, f"{unit.stage}/{unit.name}")
        range_result = guard_result.value
        assert isinstance(range_result, ExtractedRange)
        facts = ExtractFacts(
            lost=[page.row for page in guard_result.lost], newest=range_result.newest, templates=range_result.templates
        )
        return Result(unit.name, range_result.files, range_result.counts, to_json(facts))

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Every page one kind, every link kept or dropped for a reason; no dump without pages or without text."""
        counts = sum_counts(results)
        must_close(self.name, counts, EQUATIONS)
        names, facts = ", ".join(input_names(earlier)), [from_json(ExtractFacts, result.facts) for result in results]
        if not counts.get(PAGES_READ):
            raise WikiprepError(f"{names}: no page in it", "is this a dump of articles (mediawiki_content_current)?")
        articles = count_articles(counts)
        if not articles:
            raise _no_article_error(names, counts)
        warnings = []
        if not counts.get(PARAGRAPHS):
            if counts.get(BLANK, 0) < articles:
                raise WikiprepError(
                    f"{names}: no text came of its {articles} articles",
                    "look at a page with `wikiprep inspect`; if readers see text there, please report it",
                )
            warnings.append(f"all {articles} articles of the dump are blank")
        if "properties" in earlier and not counts.get(QIDS):
            name = PurePosixPath(job.config.input.page_props or "").name
            warnings.append(f"{name}: none of its QIDs is of a page of this dump: is it of another wiki?")
        if "wikidata" in earlier:
            warnings += _wikidata_warnings(counts, job.parts[0].siteinfo.dbname)
        if job.config.extract.templates != "drop":
            warnings += warnings_of(unit_facts.templates for unit_facts in facts)
        if counts.get(DAMAGED_RANGES) and not job.config.input.keep_damaged:
            raise WikiprepError(
                f"{names}: is damaged in {counts[DAMAGED_RANGES]} places, which an earlier run was told to keep",
                "give --keep-damaged again, or a whole dump with --overwrite",
            )
        if damaged := counts.get(DAMAGED_BYTES):
            warnings.append(f"{damaged:,} bytes of the dump were damaged and left out (see rejects/)")
        lost_pages = [row for unit_facts in facts for row in unit_facts.lost]
        dump = DumpFacts(lost_pages=lost_pages, newest_revision=max(unit_facts.newest for unit_facts in facts))
        return Commit(tuple(results), counts, to_json(dump), tuple(warnings), EQUATIONS)


def _ranges(job: Job) -> list[tuple[Range | Piece, int]]:
    """The ranges of a dump, each with its bytes."""
    return [(r, r.end - r.start) for r in plan_ranges(job.parts, int(job.config.input.range_mb * 1e6))]


def _pieces(job: Job, earlier: Mapping[str, Commit]) -> list[tuple[Range | Piece, int]]:
    """The pieces of a snapshot or of folders."""
    folders = [part.path if part.form == FOLDER else None for part in job.parts]
    return [
        (Piece(file.path, OLDER, folder), file.size)
        for folder, result in zip(folders, earlier["snapshot"].results, strict=True)
        for file in result.files
        if file.path.startswith(PIECES)
    ]


def _wikidata_warnings(counts: Mapping[Count, int], wiki: str) -> list[str]:
    """Two dumps of one wiki agree about most pages."""
    warnings = []
    if not counts.get(BY_TITLE):
        warnings.append(f"Wikidata: none of its pages of {wiki} is in this dump: is the dump of another date or wiki?")
    if conflicts := counts.get(CONFLICT):
        warnings.append(
            f"{conflicts:,} pages have one QID in page_props and another in Wikidata's dump; page_props counts"
        )
    return warnings


def _no_article_error(names: str, counts: Mapping[Count, int]) -> WikiprepError:
    """What the pages were, where none of them is an article."""
    kinds = {kind: counts.get(KINDS[kind], 0) for kind in ("other_namespace", "redirect")}
    kinds |= REJECTS.within(counts)
    kinds_in_words = ", ".join(f"{kind.replace('_', ' ')} {n}" for kind, n in sorted(kinds.items()) if n)
    hint = "this file does not hold the articles of a wiki: take mediawiki_content_current, or pages-articles"
    if counts.get(REJECTS.of("no text")):
        hint = "a stub dump (pages with sizes but no text) cannot be used: take mediawiki_content_current"
    elif counts.get(REJECTED):
        hint = "rejects/ says why of each page"
    return WikiprepError(f"{names}: none of its {counts[PAGES_READ]} pages is an article ({kinds_in_words})", hint)
