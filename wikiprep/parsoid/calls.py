"""Which templates a page calls, and which of them a reader sees text of: by the marks that Parsoid leaves.

The first element that a call makes has `typeof="mw:Transclusion"` and the call in `data-mw`; all of its elements have
one `about`. A template's style sheet mostly comes first, so a call is shown where any of its elements is.
"""

import re
from collections import Counter
from collections.abc import Mapping
from urllib.parse import unquote

from wikiprep.wikitext.templates.template_table import canonical

_TEMPLATE = re.compile(r'"target":\{"wt":"(?:[^"\\]|\\.)*","href":"\./([^"]*)"')
_CALL = "mw:Transclusion"


class Calls:
    """The calls of one page."""

    def __init__(self) -> None:
        self._open: dict[str, tuple[str, ...]] = {}  # about -> names, of calls that nothing has been seen of
        self._rendered: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()

    def enter(self, types: str, attributes: Mapping[str, str | None]) -> str | None:
        """The `about` of an element that a call made, None once the call is known to be shown."""
        about = attributes.get("about") or ""
        if _CALL in types:
            self._open[about] = _names(attributes)
        return about if about in self._open else None

    def mark_seen(self, about: str | None) -> None:
        """Text of the call has been seen."""
        if about is not None:
            self._rendered.update(self._open.pop(about, ()))

    def unseen(self, types: str, attributes: Mapping[str, str | None]) -> None:
        """An element in what is left out."""
        if _CALL in types:
            self._dropped.update(_names(attributes))

    @property
    def counts(self) -> Counter[tuple[str, str]]:
        """As `Extraction.templates`; the page is at its end."""
        dropped = self._dropped.copy()
        for names in self._open.values():
            dropped.update(names)
        totals = Counter({(name, "rendered"): n for name, n in self._rendered.items()})
        totals.update({(name, "dropped"): n for name, n in dropped.items()})
        return totals


def name_of(title: str) -> str:
    """A template's name as accounts have it, of the title of its page."""
    return canonical(title.partition(":")[2] or title)


def _names(attributes: Mapping[str, str | None]) -> tuple[str, ...]:
    return tuple([name_of(unquote(href)) for href in _TEMPLATE.findall(attributes.get("data-mw") or "")])
