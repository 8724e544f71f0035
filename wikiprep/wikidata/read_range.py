"""One range of the dump becomes runs of items, triples, properties and rejects, and counts that close.

A filter tells, from bytes alone, that an item has no page in the chosen wikis: nine of ten items are never decoded. It
is never wrong, since a line is skipped only where its bytes have the dump's own compact form: it begins as an item
does, and its end, from the last `,"sitelinks":` on, is nothing but sitelinks with plain keys, and revision fields.
Where JSON is valid, a letter after `,"` or `},"` begins a key, so no string can pose as one; and as the line ends with
the outermost object, the braces of that end can only balance if these are the item's own sitelinks. Any other line is
decoded. What is skipped is not checked to be valid JSON: that is what makes it quick.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from wikiprep.counts import Count, Equation, Reasons
from wikiprep.dump.pages import LostRange
from wikiprep.dump.ranges import Range
from wikiprep.wikidata.item import BadEntity, MergedEntity, WikidataEntity, WikiSelection, read_entity, redirect_beside
from wikiprep.wikidata.lines import Line, LineReader, Undecodable, UnusableLine, core, decode
from wikiprep.wikidata.sorted_runs import ROWS, RunWriter

# Of the filter: Special:EntityData writes the page's fields first; a dump may.
_START = re.compile(
    rb'\{(?:"pageid":\d++,"ns":\d++,"title":"[^"\\]*+",(?:"lastrevid":\d++,"modified":"[^"\\]*+",)?)?'
    rb'"type":"item","id":"Q([1-9]\d{0,17})","'
)
_LINKS = b',"sitelinks":'
_LINK = rb'"[a-z_-]++":\{[^}]*+\}'
_END = re.compile(
    _LINKS + rb"(?:\[\]|\{(?:" + _LINK + rb"(?:," + _LINK + rb')*+)?\})(?:,"(?:lastrevid|modified)":[\w"+:.-]++)*+\}',
    re.DOTALL,
)
DUPLICATE = "duplicate"
LINES_READ = Count("lines.read", "Lines of Wikidata's dump.")
BRACKETS = Count("lines.brackets", "Lines with the brackets around all, or with nothing.")
SKIPPED = Count("lines.skipped", "Lines of items that cannot have a page in this wiki; they are not decoded.")
DECODED = Count("lines.decoded", "Lines whose JSON was read.")
LINES_REJECTED = Reasons(
    "lines.rejected.",
    "Lines that could not be used (`rejects/wikidata.parquet` names each).",
    **{
        "NUL byte": "With zeros, as a disk leaves them.",
        "cut line": "Without its end.",
        "not JSON": "Not JSON.",
        "not an object": "JSON, but no entity.",
        "damaged file": "The file is damaged there.",
    },
)
LINES = Equation("lines of Wikidata", LINES_READ, (BRACKETS, SKIPPED, DECODED, LINES_REJECTED))
ENTITIES_READ = Count("entities.read", "Entities of the lines that were decoded.")
ENTITIES = {
    "items": Count("entities.items", "Items with a page in this wiki."),
    "without page": Count("entities.without page", "Items without one."),
    "properties": Count("entities.properties", "Properties."),
    "lexemes": Count("entities.lexemes", "Lexemes."),
    "redirects": Count("entities.redirects", "Lines that say of an entity that it was merged into another."),
}
ENTITIES_REJECTED = Reasons(
    "entities.rejected.",
    "Entities that could not be used (`rejects/wikidata.parquet` names each).",
    **{
        DUPLICATE: "An earlier line has it.",
        "no id": "Without an id.",
        "bad id": "The id is not Q, P or L with a number.",
        "unknown type": "Type and id do not go together.",
        "id too large": "The id is larger than those that are understood.",
        "bad redirect": "It was merged into what is no entity of its kind.",
    },
)
DECODED_ENTITIES = Equation("entities of Wikidata, decoded", ENTITIES_READ, (*ENTITIES.values(), ENTITIES_REJECTED))
OF_ITEMS = Count("also.redirects.of items", "Items that the dump says were merged into others.")
SITELINKS = Count("sitelinks", "Pages of this wiki that items name.")
DAMAGED_RANGES = Count("damaged.ranges", "Places where the dump is damaged, with --keep-damaged.")
DAMAGED_BYTES = Count("damaged.bytes", "Bytes of the dump that were left out there.")
# Told every so many lines: (entities so far, compressed bytes, rejects).
Tell = Callable[[int, int, int], None]
_EVERY = 2000


class Prefilter:
    """Skips items without a sitelink to any of `wikis` (such as "enwiki"); an empty list skips every compact item."""

    def __init__(self, wikis: Sequence[str]) -> None:
        self._keys = [b'"' + wiki.encode() + b'":' for wiki in wikis]

    def skipped(self, line: bytes) -> int | None:
        """The number of the item on `line` (without a comma at its end), if it can be skipped; else None."""
        end = line.rfind(_LINKS)
        if end < 0:
            return None
        for key in self._keys:
            if line.find(key, end) >= 0:
                return None
        start = _START.match(line)
        if start is None or _END.fullmatch(line, end) is None:
            return None
        return int(start[1])


class RangeResult:
    """`files` of the runs; `lines` and `size` of the range, for the numbers of the lines of later ranges.

    Counts close by LINES, DECODED_ENTITIES and `statements.STATEMENTS`; OF_ITEMS are the pairs in the runs.
    """

    def __init__(self) -> None:
        self.files: list[Path] = []
        self.counts: Counter[Count] = Counter()
        self.lines = 0
        self.size = 0


def read_range(
    range_: Range,
    selection: WikiSelection,
    folder: Path,
    *,
    keep_damaged: bool = False,
    tell: Tell = lambda entities, bytes_done, rejects: None,
    rows: int = ROWS,
) -> RangeResult:
    """Read a range and write its runs into `folder`. Raises WikiprepError for a damaged or cut file."""
    result = RangeResult()
    reader = LineReader(range_, keep_damaged)
    skipped = Prefilter(selection.wikis).skipped
    counts, runs = result.counts, RunWriter(folder, rows)
    for line in reader:
        if isinstance(line, LostRange):
            counts[DAMAGED_RANGES] += 1
            counts[DAMAGED_BYTES] += line.end - line.start
            detail = f"bytes {line.start} to {line.end} of the file as it is: {line.detail}"
            runs.reject(0, 0, None, "damaged range", detail)
            continue
        counts[LINES_READ] += 1
        if line.number % _EVERY == 0:
            rejects = LINES_REJECTED.total(counts) + ENTITIES_REJECTED.total(counts)
            tell(counts[SKIPPED] + counts[ENTITIES_READ], reader.bytes_read, rejects)
        if isinstance(line, UnusableLine):
            counts[LINES_REJECTED.of(line.reason)] += 1
            runs.reject(line.number, line.offset, None, line.reason, line.detail)
            continue
        text = core(line.data)
        if not text:
            counts[BRACKETS] += 1
            continue
        number = skipped(text)
        if number is not None and number < 1 << 32:
            counts[SKIPPED] += 1
            runs.saw(number)
            continue
        _add_entities(line, text, selection, runs, counts)
    runs.close()
    result.files, result.lines, result.size = runs.files, reader.lines, reader.size
    return result


def _add_entities(line: Line, text: bytes, selection: WikiSelection, runs: RunWriter, counts: Counter[Count]) -> None:
    entities = decode(text)
    if isinstance(entities, Undecodable):
        counts[LINES_REJECTED.of(entities.reason)] += 1
        runs.reject(line.number, line.offset, None, entities.reason, entities.detail)
        return
    counts[DECODED] += 1
    for fields in entities:
        counts[ENTITIES_READ] += 1
        statement_counts: Counter[Count] = Counter()
        entity = read_entity(fields, selection, statement_counts)
        if isinstance(entity, BadEntity):
            counts[ENTITIES_REJECTED.of(entity.reason)] += 1
            runs.reject(line.number, line.offset, entity.id, entity.reason, entity.detail)
        elif isinstance(entity, MergedEntity):
            counts[ENTITIES["redirects"]] += 1
            _add_redirect(entity, runs, counts)
        elif entity.kind == "lexeme":
            counts[ENTITIES["lexemes"]] += 1
        elif entity.kind == "item" and not entity.sitelinks:
            counts[ENTITIES["without page"]] += 1
            runs.saw(entity.number)
        elif runs.has(entity):
            counts[ENTITIES_REJECTED.of(DUPLICATE)] += 1
            runs.reject(line.number, line.offset, _name(entity), DUPLICATE, "an earlier line has it")
        else:
            counts.update(statement_counts)
            if entity.kind == "item":
                counts[ENTITIES["items"]] += 1
                counts[SITELINKS] += len(entity.sitelinks)
                runs.saw(entity.number)
            else:
                counts[ENTITIES["properties"]] += 1
            runs.add(entity, line.number, line.offset)
        if "redirects" in fields and isinstance(redirect := redirect_beside(fields), MergedEntity):
            _add_redirect(redirect, runs, counts)


def _add_redirect(redirect: MergedEntity, runs: RunWriter, counts: Counter[Count]) -> None:
    if redirect.old:
        counts[OF_ITEMS] += 1
        runs.add_redirect(redirect.old, redirect.new)


def _name(entity: WikidataEntity) -> str:
    return f"{'Q' if entity.kind == 'item' else 'P'}{entity.number}"
