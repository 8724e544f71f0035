"""Names that a user brings along: a list of a domain (genes, statutes, assets), found in text beside the corpus's.

A line is name<TAB>title. A name is found where text has exactly it, at the borders of whole tokens, the longest first,
as names of a page are (tables/mentions/page_finder.py). A name with two titles means nothing and is left out.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from wikiprep.errors import WikiprepError
from wikiprep.tables.mentions.finder import Spans
from wikiprep.tables.mentions.normalize import folded_name, is_name, normal_name
from wikiprep.tables.mentions.page_finder import PageFinder
from wikiprep.textlines import read_lines

_FORM = "a line is name<TAB>title, such as acetylsalicylic acid<TAB>aspirin"


class OwnNames:
    """The names of a file. `two_titles`: how many were left out since they have two.

    `match_case`: only as the file writes them. Raises WikiprepError that names file and line.
    """

    def __init__(self, path: str, *, match_case: bool = False) -> None:
        form = normal_name if match_case else folded_name
        title_by_name: dict[str, str | None] = {}
        for number, line in read_lines(path):
            name, title = _columns(path, number, line)
            key = form(name)
            title_by_name[key] = title if title_by_name.get(key, title) == title else None
        self._names = [name for name, title in title_by_name.items() if title is not None]
        self._titles = [title for title in title_by_name.values() if title is not None]
        self.two_titles = len(title_by_name) - len(self._names)
        if not self._names:
            raise WikiprepError(f"{Path(path)}: holds no name", _FORM)
        self._finder = PageFinder(self._names, np.zeros(len(self._names), np.int64), folded=not match_case)

    def find(self, texts: Sequence[str], blocked: Sequence[Spans]) -> list[list[tuple[int, int, str]]]:
        """(start, end, title) in each text, in order of place, none over a blocked span."""
        links = [(number, start, end) for number, spans in enumerate(blocked) for start, end in spans]
        columns = np.array(links, np.int64).reshape(-1, 3).T
        matches = self._finder.find(texts, np.zeros(len(texts), np.int64), *columns)
        spans_by_text: list[list[tuple[int, int, str]]] = [[] for _ in texts]
        for text, start, end, name in zip(
            matches.text_index.tolist(),
            matches.start.tolist(),
            matches.end.tolist(),
            matches.name_id.tolist(),
            strict=True,
        ):
            spans_by_text[text].append((start, end, self._titles[name]))
        return spans_by_text


def _columns(path: str, number: int, line: bytes) -> tuple[str, str]:
    name, tab, title = line.decode("utf-8", "replace").partition("\t")
    title = title.strip()
    if not (tab and title):
        raise WikiprepError(f"{path}:{number}: not name<TAB>title", _FORM)
    if not is_name(normal_name(name)):
        raise WikiprepError(f"{path}:{number}: {name!r} is no name", "it needs a letter or a digit")
    return name, title
