"""How many template calls gave text, and what is lost where most gave none: told in a warning of the build."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from wikiprep.wikitext.article import Extraction

_MOST_OF_UNIT = 50  # templates that a unit names; what is large in the dump is large in some unit
_MOST_NAMED = 3


class TemplateCalls:
    """The calls of a unit's documents."""

    def __init__(self) -> None:
        self._calls: Counter[str] = Counter()
        self._words: Counter[str] = Counter()

    def add(self, extraction: Extraction) -> None:
        """Those of a page."""
        for (_, outcome), n in extraction.templates.items():
            self._calls[outcome] += n
        self._words.update(extraction.lost_words)

    @property
    def facts(self) -> dict[str, Any]:
        """JSON values: calls that gave text and that gave none; by template of which nothing is known, the words that
        its calls were given."""
        largest = sorted(self._words.items(), key=lambda item: (-item[1], item[0]))[:_MOST_OF_UNIT]
        return {"rendered": self._calls["rendered"], "dropped": self._calls["dropped"], "words": dict(largest)}


def warnings_of(facts: Iterable[Mapping[str, Any]]) -> list[str]:
    """One where over half of the calls gave no text, and not because tables or definitions say that they have none."""
    rendered = dropped = 0
    words: Counter[str] = Counter()
    for unit in facts:
        rendered, dropped = rendered + unit["rendered"], dropped + unit["dropped"]
        words.update(unit["words"])
    largest = sorted(((name, n) for name, n in words.items() if n), key=lambda item: (-item[1], item[0]))[:_MOST_NAMED]
    if dropped <= rendered or not largest:
        return []
    examples = ", ".join(f"{name} ({n:,})" for name, n in largest)
    share = 100 * dropped // (rendered + dropped)
    return [
        f"{dropped:,} of {rendered + dropped:,} template calls ({share} %) gave no text; of those that nothing here "
        f"knows, these were given the most words: {examples} (`wikiprep templates`, `wikiprep docs templates`)"
    ]
