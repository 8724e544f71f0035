"""Stage `mentions` (with --mentions): the mention table and its look-up files, from all that was counted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.files import Store
from wikiprep.stages.mention_links import must_equal
from wikiprep.stages.mention_names import FILE
from wikiprep.stages.mention_texts import FOLDER as TEXTS
from wikiprep.stages.mention_texts import open_names
from wikiprep.stages.name_table import FOLDER
from wikiprep.tables.mentions.lookups import BY_NAME, CANDIDATES, FOLDED, MISSING
from wikiprep.tables.mentions.merge_counts import LINKS, ROWS
from wikiprep.tables.mentions.text_counts import FOUND
from wikiprep.tables.mentions.write_table import MENTIONS, NAMES_OCCURRENCES, ROWS_LINKS, write_mentions
from wikiprep.tables.resolver import open_titles
from wikiprep.units.count_equations import sum_counts
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

FILES = {MENTIONS: f"tables/{MENTIONS}"} | {name: f"{FOLDER}/{name}" for name in (BY_NAME, CANDIDATES, FOLDED, MISSING)}


@dataclass(frozen=True, slots=True)
class MentionsWork:
    """Files of the stages before, relative to the output, and how many rows there are."""

    names: str
    texts: tuple[str, ...]
    rows: int


class Mentions:
    """One unit: rows are in order of name."""

    name = "mentions"
    needs: tuple[str, ...] = ("pages", "mention_names", "name_table", "mention_texts")

    def content(self, job: Job) -> dict[str, Any]:
        """No options of its own."""
        return {}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        (names,) = earlier["mention_names"].files(FILE)
        texts = earlier["mention_texts"].files(f"{TEXTS}/")
        rows = earlier["mention_names"].counts[ROWS]
        work = MentionsWork(names.path, tuple(f.path for f in texts), rows)
        return [PlannedUnit("mentions", work, names.size)]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Write the table."""
        work: MentionsWork = unit.work
        with store.scratch("mentions") as folder:
            texts = [store.fetch(path) for path in work.texts]
            table = write_mentions(
                store.fetch(work.names),
                texts,
                work.rows,
                open_names(store),
                open_titles(store),
                folder,
                tell=lambda step: report.progress(pages=0, bytes_done=0, rejects=0, at=step),
            )
            files = [store.publish(folder / name, path) for name, path in FILES.items()]
        return Result(unit.name, files, table.counts)

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """What is in the table is what was counted."""
        counts = sum_counts(results)
        name_counts, text_counts = earlier["mention_names"].counts, earlier["mention_texts"].counts
        must_equal(self.name, "links in the table", counts[ROWS_LINKS], name_counts[LINKS])
        in_table, in_text = counts[NAMES_OCCURRENCES], text_counts[FOUND]
        must_equal(self.name, "occurrences in the table", in_table, in_text)
        return Commit(tuple(results), counts)
