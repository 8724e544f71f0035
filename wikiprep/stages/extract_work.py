"""What a unit of `extract` is given, apart from the code that does it.

Driver and worker only pass it on to the guard's child: that one alone loads pyarrow and the extractor, which take most
of the start-up time of a process.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass

from wikiprep.config import ExtractConfig
from wikiprep.counts import Count
from wikiprep.dump.ranges import Range
from wikiprep.dump.site import Site
from wikiprep.file_receipt import FileReceipt
from wikiprep.files import Store
from wikiprep.guard.shared_memory import Watch
from wikiprep.stages.extract_counts import CallFacts
from wikiprep.wikitext.templates.own_table import OwnTable


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a snapshot (`pieces.py`) and the list of older copies, relative to the output.

    `folder`: where the files of a folder lie.
    """

    path: str
    older: str
    folder: str | None


@dataclass(frozen=True, slots=True)
class ExtractWork:
    """The payload of a unit: a range of a dump or a piece of a snapshot.

    `part` is `part-00000-of-00431`; `text`: how pages become text. `properties`, `definitions`, `wikidata` and `merged`
    are folders relative to the output.
    """

    range: Range | Piece
    part: str
    site: Site
    text: ExtractConfig
    _: KW_ONLY
    keep_damaged: bool
    own_templates: OwnTable | None
    properties: str | None
    definitions: str | None
    wikidata: str | None
    merged: str | None


@dataclass(frozen=True, slots=True)
class ExtractedRange:
    """What came of a range: files that are published, counts, the time of the newest revision, template calls."""

    files: list[FileReceipt]
    counts: dict[Count, int]
    newest: str
    templates: CallFacts


def extract(
    payload: tuple[ExtractWork, Store], watch: Watch, skip: Mapping[int, str], only: int | None
) -> ExtractedRange | None:
    """See `extract_range`; for the guard's child."""
    from wikiprep.stages.extract_range import extract_range

    return extract_range(payload, watch, skip, only)
