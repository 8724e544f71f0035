"""Stage `copies` (where the input is HTML): which lines of a snapshot are older copies of pages (parsoid/copies.py)."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from wikiprep.config import RunOptions
from wikiprep.counts import Count
from wikiprep.files import Store
from wikiprep.parsoid.copies import older_copies
from wikiprep.stages.facts_between_stages import IDS, OLDER, PIECES
from wikiprep.units.count_equations import sum_counts
from wikiprep.units.job import Job
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

OLDER_COPIES = Count("older_copies", "Lines of the snapshot whose page it has again, newer.")


class Copies:
    """One unit."""

    name = "copies"
    needs: tuple[str, ...] = ("snapshot",)

    def content(self, job: Job) -> dict[str, Any]:
        """No options of its own."""
        return {}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """The one unit."""
        files = earlier["snapshot"].files(IDS)
        pieces = [[f.path for f in r.files if f.path.startswith(PIECES)] for r in earlier["snapshot"].results]
        with_ids = [
            piece_paths for piece_paths, r in zip(pieces, earlier["snapshot"].results, strict=True) if _has_ids(r)
        ]
        return [PlannedUnit("copies", (tuple(f.path for f in files), with_ids), sum(f.size for f in files))]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Write the places, by piece."""
        tables, pieces = unit.work
        older_lines = older_copies([store.fetch(path) for path in tables])
        places_by_piece = {pieces[table][piece]: places for (table, piece), places in older_lines.items()}
        file = store.write(OLDER, orjson.dumps(places_by_piece, option=orjson.OPT_SORT_KEYS))
        return Result(unit.name, [file], {OLDER_COPIES: sum(map(len, places_by_piece.values()))})

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """How many there are."""
        return Commit(tuple(results), sum_counts(results))


def _has_ids(result: Result) -> bool:
    return any(file.path.startswith(IDS) for file in result.files)
