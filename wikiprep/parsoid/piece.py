"""What a unit of `extract` is given where its pages are HTML, as a range of a dump where they are wikitext."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a snapshot (`pieces.py`) and the list of older copies, relative to the output; `folder`: where the
    files of a folder lie."""

    path: str
    older: str
    folder: str | None
