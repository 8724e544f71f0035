"""Stage `wikidata_read` (with --wikidata): the items of each range of the dump that have a page in this wiki."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.dump.ranges import Range
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.stages.facts_between_stages import RangeFacts
from wikiprep.stages.side_files import check_wikidata_dump
from wikiprep.units.count_equations import must_close, sum_counts
from wikiprep.units.handovers import from_json, to_json
from wikiprep.units.job import Job, file_identity
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit
from wikiprep.wikidata.item import WikiSelection
from wikiprep.wikidata.json_dump_files import find_files, plan_entity_ranges

FOLDER = "_state/wikidata_read/runs"
_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class ReadWork:
    """The payload of a unit. `part` is `part-00000-of-00431`."""

    range: Range
    part: str
    wanted: WikiSelection
    keep_damaged: bool


class WikidataRead:
    """One unit a range of the Wikidata dump. JSON cannot hang or crash its reader, so there is no guard."""

    name = "wikidata_read"
    needs: tuple[str, ...] = ()

    def content(self, job: Job) -> dict[str, Any]:
        """The files, how they are cut, and whose pages and words are wanted."""
        selection = wanted_of(job)
        check_wikidata_dump(job)
        return {
            "files": [file_identity(file.path) for file in find_files(_dump_path(job))],
            "range_mb": job.config.input.range_mb,
            "wikis": list(selection.wikis),
            "languages": list(selection.languages),
        }

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """Ranges of all files, in their order."""
        ranges = plan_entity_ranges(find_files(_dump_path(job)), int(job.config.input.range_mb * 1e6))
        selection, keep = wanted_of(job), job.config.input.keep_damaged
        names = [f"part-{i:05}-of-{len(ranges):05}" for i in range(len(ranges))]
        return [
            PlannedUnit(name, ReadWork(piece, name, selection, keep), piece.end - piece.start)
            for name, piece in zip(names, ranges, strict=True)
        ]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Read a range."""
        from wikiprep.wikidata.read_range import read_range  # pyarrow: the driver only passes units on

        work: ReadWork = unit.work
        reported_at = time.monotonic()

        def tell(entities: int, bytes_done: int, rejects: int) -> None:
            nonlocal reported_at
            if time.monotonic() - reported_at > _SECONDS:
                report.progress(pages=entities, bytes_done=bytes_done, rejects=rejects)
                reported_at = time.monotonic()

        with store.scratch(f"wikidata-{unit.name}") as folder:
            range_result = read_range(work.range, work.wanted, folder, keep_damaged=work.keep_damaged, tell=tell)
            files = [store.publish(path, f"{FOLDER}/{work.part}/{path.name}") for path in range_result.files]
        counts = {key: n for key, n in sorted(range_result.counts.items()) if n}
        source = PurePosixPath(work.range.path).name
        return Result(
            unit.name,
            files,
            counts,
            to_json(RangeFacts(lines=range_result.lines, size=range_result.size, source=source)),
        )

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """Every line and every entity is used, skipped or rejected for a reason; no dump without items of this wiki."""
        from wikiprep.wikidata import read_range as reader
        from wikiprep.wikidata.statements import REJECTED, STATEMENTS

        counts, equations = sum_counts(results), (reader.LINES, reader.DECODED_ENTITIES, STATEMENTS)
        must_close(self.name, counts, equations)
        names = ", ".join(dict.fromkeys(from_json(RangeFacts, r.facts).source for r in results))
        wiki = wanted_of(job).wikis[0]
        if counts.get(reader.DAMAGED_RANGES) and not job.config.input.keep_damaged:
            raise WikiprepError(
                f"{names}: is damaged in {counts[reader.DAMAGED_RANGES]} places, which an earlier run was told to keep",
                "give --keep-damaged again, or a whole dump with --overwrite",
            )
        if not counts.get(reader.ENTITIES["items"]):
            reject_counts = (reader.ENTITIES_REJECTED, reader.LINES_REJECTED, REJECTED)
            bad = {reason: n for reasons in reject_counts for reason, n in reasons.within(counts).items()}
            rejected = "; rejected: " + ", ".join(f"{key} {n:,}" for key, n in bad.items()) if bad else ""
            raise WikiprepError(
                f"{names}: none of its {counts.get(reader.LINES_READ, 0):,} lines has an item of {wiki}{rejected}",
                "take latest-all.json.bz2 of Wikidata; its first line is [, each other one an item",
            )
        warnings = []
        if damaged := counts.get(reader.DAMAGED_BYTES):
            warnings.append(f"{damaged:,} bytes of {names} were damaged and left out (see rejects/)")
        if rejects := reader.LINES_REJECTED.total(counts) + reader.ENTITIES_REJECTED.total(counts):
            warnings.append(f"{names}: {rejects:,} lines or entities could not be used (see rejects/wikidata.parquet)")
        return Commit(tuple(results), counts, {"wikis": list(wanted_of(job).wikis)}, tuple(warnings), equations)


def wanted_of(job: Job) -> WikiSelection:
    """The wiki of the dump and its language."""
    site = job.parts[0].siteinfo
    if not site.dbname:
        raise UsageError(
            f"{job.parts[0].path}: does not say which wiki it is of, so Wikidata's links cannot be matched",
            "give the dump its name from dumps.wikimedia.org, such as enwiki-2026-11-01-p1p1147431.xml.bz2",
        )
    return WikiSelection((site.dbname,), (job.language,))


def _dump_path(job: Job) -> str:
    assert job.config.wikidata.wikidata is not None
    return job.config.wikidata.wikidata
