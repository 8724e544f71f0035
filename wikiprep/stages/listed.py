"""Stage `listed` (with --leave-out): which pages of the dump, which sentences and which facts the lists name."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.config import RunOptions
from wikiprep.counts import Count, Equation, declare_counts
from wikiprep.dump.site import Site
from wikiprep.files import Store
from wikiprep.leave_out.lists import FACT_KINDS, PAGE_KINDS, Entry, fact_entries, read_lists, strange_facts
from wikiprep.leave_out.pages import EQUATIONS as PAGES_LISTED
from wikiprep.leave_out.pages import LEFT_OUT, READ, UNMATCHED, write_left_out
from wikiprep.stages.wikidata_merged import merged_folder, open_merged
from wikiprep.tables.page_tables import PAGES
from wikiprep.tables.resolver import open_titles
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.handovers import folder_of, from_json, to_json
from wikiprep.units.job import Job, options_of
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit
from wikiprep.wikidata.items_table import ITEMS

SENTENCES = "_state/listed/sentences.parquet"
TABLE = f"tables/{LEFT_OUT}"
ENTRIES = Count("listed.read", "What the lists of --leave-out name.")
NAMED = declare_counts("listed.", sentence="Sentences.", pair="Pairs of items.", triple="Triples.")
WITHOUT_PAGE = Count("also.listed.facts.without page", "Pairs and triples with an item without a page in this wiki.")
EQUATIONS = (Equation("listed", ENTRIES, (*READ.values(), *NAMED.values())), *PAGES_LISTED)
_EXAMPLES = 5


@dataclass(frozen=True, kw_only=True)
class ListedFacts:
    """Some of the pages that the dump lacks, and of the facts whose items have no page."""

    unmatched: list[str]
    strange: list[str]


@dataclass(frozen=True, slots=True)
class ListedWork:
    """`paths` of the lists; titles in them are made like those of links.

    `merged`: folder of the merged items, or None; `items`: Wikidata's table of items, relative to the output, or None.
    """

    paths: tuple[str, ...]
    site: Site
    merged: str | None
    items: str | None


class Listed:
    """One unit."""

    name = "listed"
    needs: tuple[str, ...] = ("pages", "wikidata", "wikidata_merged")

    def content(self, job: Job) -> dict[str, Any]:
        """The lists."""
        return options_of(job.config.leave_out)

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        site = Site.of(job.parts[0].siteinfo, job.config.input.language)
        folder = folder_of(earlier, "wikidata")
        items = f"{folder}/{ITEMS}" if folder else None
        return [PlannedUnit("listed", ListedWork(job.config.leave_out.leave_out, site, merged_folder(earlier), items))]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Look up the pages; keep the sentences for the next stage."""
        work: ListedWork = unit.work
        entries = list(read_lists(work.paths))
        counts = Counter({ENTRIES: len(entries)})
        for kind, key in NAMED.items():
            counts[key] = sum(entry.kind == kind for entry in entries)
        with store.scratch("listed") as folder:
            path = folder / LEFT_OUT
            titles, pages = open_titles(store), store.fetch(f"tables/{PAGES}")
            counts += write_left_out(
                entries,
                titles,
                pages,
                lambda title: work.site.titles.parse(title).title or title,
                path,
                open_merged(store, work.merged),
            )
            unmatched = _unmatched_examples(path)
            strange = strange_facts(fact_entries(path), store.fetch(work.items)) if work.items else []
            if strange:
                counts[WITHOUT_PAGE] = len(strange)
            sentences = [entry for entry in entries if entry.kind == "sentence"]
            pq.write_table(_table(sentences), folder / "sentences.parquet")
            files = [store.publish(path, TABLE), store.publish(folder / "sentences.parquet", SENTENCES)]
        examples = [f"{e.value} ({e.place})" for e in strange[:_EXAMPLES]]
        facts = ListedFacts(unmatched=unmatched, strange=examples)
        return Result(unit.name, files, dict(sorted(counts.items())), to_json(facts))

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """What matches nothing is told."""
        counts = sum_counts(results)
        must_close(self.name, counts, EQUATIONS)
        warnings = []
        if unmatched_count := sum(counts.get(key, 0) for key in UNMATCHED.values()):
            total = sum(counts.get(key, 0) for key in READ.values())
            unmatched = from_json(ListedFacts, results[0].facts).unmatched
            warnings.append(
                f"{unmatched_count:,} of {total:,} pages that --leave-out lists are not in this dump, such as: "
                f"{'; '.join(unmatched)}"
            )
        if strange := counts.get(WITHOUT_PAGE):
            total = sum(counts.get(NAMED[kind], 0) for kind in FACT_KINDS)
            examples = "; ".join(from_json(ListedFacts, results[0].facts).strange)
            hint = "" if "wikidata_merged" in earlier else "; --wikidata-redirect resolves those that were merged"
            warnings.append(
                f"{strange:,} of {total:,} facts that --leave-out lists name an item without a page in this wiki, "
                f"such as: {examples}{hint}"
            )
        return Commit(tuple(results), counts, {}, tuple(warnings), EQUATIONS)


def has_listed_facts(earlier: Mapping[str, Commit]) -> bool:
    """Whether the lists name pairs or triples."""
    return "listed" in earlier and any(earlier["listed"].counts.get(NAMED[kind]) for kind in FACT_KINDS)


def read_sentences(store: Store) -> list[Entry]:
    """The sentences that the lists name."""
    rows = pq.read_table(store.fetch(SENTENCES)).to_pylist()
    return [Entry(row["file"], row["line"], "sentence", row["value"]) for row in rows]


def _table(entries: Sequence[Entry]) -> pa.Table:
    columns = {
        "file": pa.array([e.file for e in entries], pa.string()),
        "line": pa.array([e.line for e in entries], pa.int64()),
        "value": pa.array([e.value for e in entries], pa.string()),
    }
    return pa.table(columns)


def _unmatched_examples(path: Any) -> list[str]:
    """The first pages that match nothing, for a warning."""
    table = pq.read_table(path, columns=["file", "line", "kind", "value", "page_id"])
    unmatched: list[str] = []
    for row in table.to_pylist():
        if row["page_id"] is None and row["kind"] in PAGE_KINDS and len(unmatched) < _EXAMPLES:
            hint = ' (an item is written {"qid": …})' if row["kind"] == "title" and row["value"][1:].isdigit() else ""
            unmatched.append(f"{row['value']!r} ({row['file']}, line {row['line']}){hint}")
    return unmatched
