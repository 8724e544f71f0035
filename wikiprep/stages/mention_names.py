"""Stage `mention_names` (with --mentions): the counts of all parts, merged a partition of the names at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.stages.mention_links import FOLDER as PARTS
from wikiprep.stages.mention_links import must_equal, partitions_of
from wikiprep.tables.mentions.link_names import COUNTED
from wikiprep.tables.mentions.merge import ALL_NAMES, ALL_ROWS, LINKS, NAMES, merge_partition
from wikiprep.tables.resolver import open_titles
from wikiprep.units.accounts import must_close, summed
from wikiprep.units.job import Job
from wikiprep.units.run_options import RunOptions
from wikiprep.units.stage import Commit, Task
from wikiprep.units.unit import Report, Result, Unit

FOLDER = "_state/mention_names/partitions"
EQUATIONS = (ALL_NAMES, ALL_ROWS)


@dataclass(frozen=True, slots=True)
class MentionNamesWork:
    """`parts`: files of partial counts, relative to the output."""

    parts: tuple[str, ...]
    index: int
    partitions: int


class MentionNames:
    """One unit a partition."""

    name = "mention_names"
    needs: tuple[str, ...] = ("pages", "mention_links")

    def content(self, job: Job) -> dict[str, Any]:
        """No options of its own."""
        return {}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[Task]:
        """A partition each."""
        files = earlier["mention_links"].files(f"{PARTS}/")
        parts, split = tuple(f.path for f in files), partitions_of(job, earlier)
        weight = sum(f.size for f in files) // split
        names = [f"names-{index:05}-of-{split:05}" for index in range(split)]
        return [Task(name, MentionNamesWork(parts, index, split), weight) for index, name in enumerate(names)]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Merge one partition."""
        work: MentionNamesWork = unit.work
        with store.scratch(unit.name) as folder:
            path = folder / "names.arrow"
            parts = (store.fetch(part) for part in work.parts)
            made = merge_partition(parts, work.index, work.partitions, open_titles(store), path)
            file = store.publish(path, f"{FOLDER}/{unit.name}.arrow")
        return Result(unit.name, [file], made.counts)

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Every counted link is in a row."""
        counts = summed(results)
        must_close(self.name, counts, EQUATIONS)
        counted = earlier["mention_links"].counts[COUNTED]
        must_equal(self.name, "links in rows of names", counts[LINKS], counted)
        if not counts[NAMES]:
            raise WikiprepError("no page title and no link gave a name", "leave out --mentions for this dump")
        return Commit(tuple(results), counts, {}, (), EQUATIONS)
