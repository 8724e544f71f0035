"""Spans and links of annotation that name the entities of another vocabulary than the corpus's."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from wikiprep.annotate.annotator import Span, TargetVocabulary
from wikiprep.corpus.annotated_text import BadLine
from wikiprep.tables.title_source import open_title_source
from wikiprep.tables.titles_to_vocabulary import LOST, Carrier
from wikiprep.tables.vocabulary_entities import open_entities


class ToVocabulary:
    """Carries the spans that `corpus` gives, and links that were there.

    `counts` grows: carried.links is the sum of carried.qid, .title, .redirect and .lost. What is lost is left out.
    """

    def __init__(self, corpus: str, target: TargetVocabulary) -> None:
        self.counts: Counter[str] = Counter()
        entities = open_entities(target.vocabulary, target.language)
        lookups = entities.ids, entities.qids, entities.redirects
        self._span_carrier = Carrier(*lookups, open_title_source(corpus))
        self._link_carrier = (
            Carrier(*lookups, open_title_source(target.titles_from)) if target.titles_from else self._span_carrier
        )

    def spans(self, spans: Sequence[Span]) -> list[Span]:
        """The same with the vocabulary's titles."""
        carried_pairs = ((span, self._find_title(self._span_carrier, span.target, span.qid)) for span in spans)
        return [
            replace(span, target=carried[0], carried=carried[1])
            for span, carried in carried_pairs
            if carried is not None
        ]

    def links(self, links: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The same. Raises BadLine for a "qid" that is no string."""
        carried_links = []
        for link in links:
            qid = link.get("qid")
            if not isinstance(qid, str | None):
                raise BadLine("bad link", '"qid" of a link is no string')
            carried = self._find_title(self._link_carrier, link["target"], qid)
            if carried is not None:
                carried_links.append({**link, "target": carried[0], "carried": carried[1]})
        return carried_links

    def _find_title(self, carrier: Carrier, title: str, qid: str | None) -> tuple[str, str] | None:
        match = carrier.find(title, qid)
        self.counts["carried.links"] += 1
        self.counts[f"carried.{LOST if match is None else match.way}"] += 1
        return None if match is None else (match.title, match.way)
