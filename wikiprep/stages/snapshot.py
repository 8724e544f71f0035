"""Stage `snapshot` (where the input is HTML): its files cut into pieces that workers can take (parsoid/pieces.py).

The pieces stay in `_state/snapshot` for a build that redoes the extraction; without them the stage is done again.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any

from wikiprep.config import RunOptions
from wikiprep.counts import Count
from wikiprep.file_receipt import FileReceipt
from wikiprep.files import Store
from wikiprep.parsoid.copies import IdWriter
from wikiprep.parsoid.folder import list_folder
from wikiprep.parsoid.lines import Block, blocks_of
from wikiprep.parsoid.names import FOLDER as A_FOLDER
from wikiprep.parsoid.pieces import PieceWriter, damage_error
from wikiprep.stages.facts_between_stages import IDS, PIECES
from wikiprep.units.count_equations import sum_counts
from wikiprep.units.job import Job, options_of
from wikiprep.units.stage import Commit, PlannedUnit
from wikiprep.units.unit import Report, Result, Unit

PIECES_MADE = Count("pieces", "Pieces that the snapshot was cut into.")
DAMAGED = Count("damaged.files", "Files with damage, with --keep-damaged.")


@dataclass(frozen=True, slots=True)
class SnapshotWork:
    """One file, or one folder of HTML files. `piece_bytes`: of a piece as it is packed, or of a folder's files."""

    path: str
    form: str
    part: str
    piece_bytes: int
    keep_damaged: bool


class Snapshot:
    """One unit a file, or a folder of HTML."""

    name = "snapshot"
    needs: tuple[str, ...] = ("inputs",)

    def content(self, job: Job) -> dict[str, Any]:
        """How large pieces are; `keep_damaged` as in `extract`."""
        return {"input": {"range_mb": options_of(job.config.input)["range_mb"]}}

    def plan(self, job: Job, earlier: Mapping[str, Commit]) -> list[PlannedUnit]:
        """A file each."""
        size, keep = max(int(job.config.input.range_mb * 1e6), 1), job.config.input.keep_damaged
        names = [f"file-{i:05}-of-{len(job.parts):05}" for i in range(len(job.parts))]
        return [
            PlannedUnit(name, SnapshotWork(part.path, part.form, name, size, keep), part.size)
            for name, part in zip(names, job.parts, strict=True)
        ]

    def run(self, unit: Unit, store: Store, report: Report, options: RunOptions) -> Result:
        """Cut one file."""
        with store.scratch(f"snapshot-{unit.name}") as folder:
            cutter = _Cutter(unit.work, store, folder, report)
            files = cutter.folder() if unit.work.form == A_FOLDER else cutter.lines()
        counts = {PIECES_MADE: sum(file.path.startswith(PIECES) for file in files)}
        return Result(unit.name, files, counts | ({DAMAGED: 1} if cutter.damaged else {}))

    def commit(self, job: Job, results: Sequence[Result], earlier: Mapping[str, Commit]) -> Commit:
        """The pieces in the order of their files. Raises WikiprepError where an earlier run kept damage, not this."""
        counts = sum_counts(results)
        if counts.get(DAMAGED) and not job.config.input.keep_damaged:
            part = next(p for p, r in zip(job.parts, results, strict=True) if r.counts.get(DAMAGED))
            raise damage_error(part.path, "is damaged, which an earlier run was told to keep")
        return Commit(tuple(results), counts)


class _Cutter:
    """The work of a unit."""

    def __init__(self, work: SnapshotWork, store: Store, folder: Path, report: Report) -> None:
        self.damaged = False
        self._work, self._store, self._folder, self._report = work, store, folder, report
        self._files: list[FileReceipt] = []
        self._reported_at = time.monotonic()

    def folder(self) -> list[FileReceipt]:
        """Pieces of the list of files, each of some bytes of HTML."""
        files, size, first = list_folder(self._work.path), 0, 0
        for i, file in enumerate(files, 1):
            size += file.size
            if size >= self._work.piece_bytes or i == len(files):
                piece_files = files[first:i]
                self._write_piece(partial(PieceWriter.add_files, files=piece_files))
                size, first = 0, i
        return self._files

    def lines(self) -> list[FileReceipt]:
        """Pieces of the lines, and the table of which page each of them is."""
        name = PurePosixPath(self._work.path).name
        blocks = self._check_damage(blocks_of(self._work.path, name, self._report_progress))
        with closing(IdWriter(self._folder / "ids")) as ids:
            block = next(blocks, None)
            while block is not None:
                block = self._write_lines_piece(block, blocks, ids)
        self._files.append(self._store.publish(self._folder / "ids", f"{IDS}{self._work.part}.arrow"))
        return self._files

    def _write_lines_piece(self, block: Block, blocks: Iterator[Block], ids: IdWriter) -> Block | None:
        """One piece, from `block` on; the first block of the next one."""
        piece, following = len(self._files), iter([block])

        def fill(writer: PieceWriter) -> None:
            nonlocal following
            for next_block in chain(following, blocks):
                if writer.size >= self._work.piece_bytes:
                    following = iter([next_block])
                    return
                writer.add(next_block)
                ids.add(piece, next_block)
            following = iter([])

        self._write_piece(fill)
        return next(following, None)

    def _check_damage(self, blocks: Iterator[Block]) -> Iterator[Block]:
        for block in blocks:
            if block.what == "damage":
                if not self._work.keep_damaged:
                    raise damage_error(self._work.path, block.data.decode())
                self.damaged = True
            yield block

    def _write_piece(self, fill: Callable[[PieceWriter], None]) -> None:
        path = self._folder / "piece"
        with closing(PieceWriter(path)) as writer:
            fill(writer)
        name = f"{PIECES}{self._work.part}-{len(self._files):05}.zst"
        self._files.append(self._store.publish(path, name))

    def _report_progress(self, bytes_done: int) -> None:
        if time.monotonic() - self._reported_at > 0.5:
            self._report.progress(pages=0, bytes_done=bytes_done, rejects=0)
            self._reported_at = time.monotonic()
