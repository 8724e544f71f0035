"""One range of the dump becomes runs of items, triples, properties and rejects, and counts that close."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from wikiprep.dump.pages import LostRange
from wikiprep.dump.ranges import Range
from wikiprep.wikidata.decode import Undecodable, core, decode
from wikiprep.wikidata.item import BadEntity, Entity, Redirect, Wanted, read_entity, redirect_beside
from wikiprep.wikidata.lines import BadLine, Line, LineReader
from wikiprep.wikidata.prefilter import Prefilter
from wikiprep.wikidata.runs import ROWS, RunWriter

DUPLICATE = "duplicate"
# Told every so many lines: (entities so far, compressed bytes, rejects).
Tell = Callable[[int, int, int], None]
_EVERY = 2000


class RangeResult:
    """`files` of the runs; `lines` and `size` of the range, for the numbers of the lines of later ranges.

    Counts: lines.read is the sum of lines.{brackets,skipped,decoded,rejected.REASON}; entities.read, of decoded lines,
    of entities.{items,without page,properties,lexemes,redirects,rejected.REASON}; statements as in `triples_of`.
    also.redirects.of items are the pairs in the runs.
    """

    def __init__(self) -> None:
        self.files: list[Path] = []
        self.counts: Counter[str] = Counter()
        self.lines = 0
        self.size = 0


def read_range(
    range_: Range,
    wanted: Wanted,
    folder: Path,
    *,
    keep_damaged: bool = False,
    tell: Tell = lambda entities, bytes_done, rejects: None,
    rows: int = ROWS,
) -> RangeResult:
    """Read a range and write its runs into `folder`. Raises WikiprepError for a damaged or cut file."""
    made = RangeResult()
    reader = LineReader(range_, keep_damaged)
    skipped = Prefilter(wanted.wikis).skipped
    counts, runs = made.counts, RunWriter(folder, rows)
    for line in reader:
        if isinstance(line, LostRange):
            counts["damaged.ranges"] += 1
            counts["damaged.bytes"] += line.end - line.start
            detail = f"bytes {line.start} to {line.end} of the file as it is: {line.detail}"
            runs.reject(0, 0, None, "damaged range", detail)
            continue
        counts["lines.read"] += 1
        if line.number % _EVERY == 0:
            rejects = sum(n for key, n in counts.items() if key.startswith(("lines.rejected.", "entities.rejected.")))
            tell(counts["lines.skipped"] + counts["entities.read"], reader.bytes_read, rejects)
        if isinstance(line, BadLine):
            counts[f"lines.rejected.{line.reason}"] += 1
            runs.reject(line.number, line.offset, None, line.reason, line.detail)
            continue
        text = core(line.data)
        if not text:
            counts["lines.brackets"] += 1
            continue
        number = skipped(text)
        if number is not None and number < 1 << 32:
            counts["lines.skipped"] += 1
            runs.saw(number)
            continue
        _decoded(line, text, wanted, runs, counts)
    runs.close()
    made.files, made.lines, made.size = runs.files, reader.lines, reader.size
    return made


def _decoded(line: Line, text: bytes, wanted: Wanted, runs: RunWriter, counts: Counter[str]) -> None:
    entities = decode(text)
    if isinstance(entities, Undecodable):
        counts[f"lines.rejected.{entities.reason}"] += 1
        runs.reject(line.number, line.offset, None, entities.reason, entities.detail)
        return
    counts["lines.decoded"] += 1
    for found in entities:
        counts["entities.read"] += 1
        own: Counter[str] = Counter()
        entity = read_entity(found, wanted, own)
        if isinstance(entity, BadEntity):
            counts[f"entities.rejected.{entity.reason}"] += 1
            runs.reject(line.number, line.offset, entity.id, entity.reason, entity.detail)
        elif isinstance(entity, Redirect):
            counts["entities.redirects"] += 1
            _add_redirect(entity, runs, counts)
        elif entity.kind == "lexeme":
            counts["entities.lexemes"] += 1
        elif entity.kind == "item" and not entity.sitelinks:
            counts["entities.without page"] += 1
            runs.saw(entity.number)
        elif runs.has(entity):
            counts[f"entities.rejected.{DUPLICATE}"] += 1
            runs.reject(line.number, line.offset, _name(entity), DUPLICATE, "an earlier line has it")
        else:
            counts.update(own)
            if entity.kind == "item":
                counts["entities.items"] += 1
                counts["sitelinks"] += len(entity.sitelinks)
                runs.saw(entity.number)
            else:
                counts["entities.properties"] += 1
            runs.add(entity, line.number, line.offset)
        if "redirects" in found and isinstance(beside := redirect_beside(found), Redirect):
            _add_redirect(beside, runs, counts)


def _add_redirect(redirect: Redirect, runs: RunWriter, counts: Counter[str]) -> None:
    if redirect.old:
        counts["also.redirects.of items"] += 1
        runs.add_redirect(redirect.old, redirect.new)


def _name(entity: Entity) -> str:
    return f"{'Q' if entity.kind == 'item' else 'P'}{entity.number}"
