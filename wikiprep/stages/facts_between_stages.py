"""Facts and places of files that one stage leaves and another reads.

Apart from both, so that neither's code is among the other's rules, and that planning loads nothing of what reads HTML.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from wikiprep.input_facts import InputFile
from wikiprep.units.handovers import Folder, from_json
from wikiprep.units.stage import Commit

COPIES = "_state/template_pages/unpacked"  # so that `extract` need not unpack the dump once more
PIECES = "_state/snapshot/pieces/"
IDS = "_state/snapshot/ids/"
OLDER = "_state/copies/older.json"


def copy_of(part: str) -> str:
    """Where a range's unpacked bytes wait for `extract`, which takes them away; relative to an output on local disk.

    No receipt knows them: where they are gone the dump is read again.
    """
    return f"{COPIES}/{part}.zst"


def input_names(earlier: Mapping[str, Commit]) -> list[str]:
    """The names of the input's files, in order."""
    return [from_json(InputFile, result.facts).name for result in earlier["inputs"].results]


@dataclass(frozen=True, kw_only=True)
class PropertyFacts(Folder):
    """Where the tables lie, and the dates in the names of the dump (`dump`) and of `page_props`; None: without one."""

    dates: dict[str, str | None]


@dataclass(frozen=True, kw_only=True)
class RangeFacts:
    """Of a unit: how many lines and uncompressed bytes its range has, and the file it is of."""

    lines: int
    size: int
    source: str


@dataclass(frozen=True, kw_only=True)
class WikidataFacts(Folder):
    """Of the stage `wikidata`. `merged`: the folder of merged items, where the dump itself has them."""

    merged: str | None = None
