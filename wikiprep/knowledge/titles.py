"""Which entity of a graph of titles (DBpedia, Wikidata's items with their titles) a word means."""

import re
from collections.abc import Sequence

from wikiprep.knowledge.linker import NONE
from wikiprep.tables.mentions.table import MentionTable

_BRACKET = re.compile(r"\s*\([^()]*\)$")
MIN_LINKED = 0.05  # link probability below which a name is seldom one ("of", "was")


class TitleLexicon:
    """By title, exactly, then without case: underscores are spaces, a last part in brackets is left off.

    Of several entities with one name those without brackets come first, then those with more triples (`degrees`), then
    the first row. With the mention table of a corpus (which the ILKA paper has not), a word that is no title means the
    page that it links to most, of those in the graph, if it is a link at one of twenty places at least (`MIN_LINKED`).
    """

    def __init__(self, titles: Sequence[str], degrees: Sequence[int], mentions: MentionTable | None = None) -> None:
        self._mentions = mentions
        self._row_by_name: dict[str, int] = {}
        self._row_by_bare_name: dict[str, int] = {}
        self._row_by_folded_name: dict[str, int] = {}
        names = [title.replace("_", " ") for title in titles]
        bare_names = [_BRACKET.sub("", title) or title for title in names]
        for row in sorted(range(len(titles)), key=lambda row: (bare_names[row] != names[row], -degrees[row], row)):
            if names[row]:
                self._row_by_name.setdefault(names[row], row)
                self._row_by_bare_name.setdefault(bare_names[row], row)
                self._row_by_folded_name.setdefault(bare_names[row].casefold(), row)

    def find(self, word: str, pos: str | None) -> int:
        """The row of the entity, or `linker.NONE`. Titles have no part of speech."""
        row = self._row_by_bare_name.get(word, self._row_by_folded_name.get(word.casefold(), NONE))
        return self._find_by_links(word) if row == NONE and self._mentions is not None else row

    def _find_by_links(self, word: str) -> int:
        assert self._mentions is not None
        if self._mentions.link_probability(word) < MIN_LINKED:
            return NONE
        rows = (self._row_by_name.get(candidate.title, NONE) for candidate in self._mentions.candidates(word))
        return next((row for row in rows if row != NONE), NONE)
