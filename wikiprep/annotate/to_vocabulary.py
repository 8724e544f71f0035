"""Spans and links of annotation that name the entities of another vocabulary than the corpus's."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from wikiprep.annotate.annotator import Span, Target
from wikiprep.corpus.annotated import BadLine
from wikiprep.tables.carry_titles import LOST, Carrier
from wikiprep.tables.title_source import open_title_source
from wikiprep.tables.vocabulary_entities import open_entities


class ToVocabulary:
    """Carries the spans that `corpus` gives, and links that were there. `counts` grows: carried.links is the sum of
    carried.qid, .title, .redirect and .lost. What is lost is left out."""

    def __init__(self, corpus: str, target: Target) -> None:
        self.counts: Counter[str] = Counter()
        entities = open_entities(target.vocabulary, target.language)
        known = entities.ids, entities.qids, entities.redirects
        self._of_spans = Carrier(*known, open_title_source(corpus))
        self._of_links = (
            Carrier(*known, open_title_source(target.titles_from)) if target.titles_from else self._of_spans
        )

    def spans(self, spans: Sequence[Span]) -> list[Span]:
        """The same with the vocabulary's titles."""
        found = ((span, self._found(self._of_spans, span.target, span.qid)) for span in spans)
        return [replace(span, target=to[0], carried=to[1]) for span, to in found if to is not None]

    def links(self, links: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The same. Raises BadLine for a "qid" that is no string."""
        made = []
        for link in links:
            qid = link.get("qid")
            if not isinstance(qid, str | None):
                raise BadLine("bad link", '"qid" of a link is no string')
            found = self._found(self._of_links, link["target"], qid)
            if found is not None:
                made.append({**link, "target": found[0], "carried": found[1]})
        return made

    def _found(self, carrier: Carrier, title: str, qid: str | None) -> tuple[str, str] | None:
        found = carrier.find(title, qid)
        self.counts["carried.links"] += 1
        self.counts[f"carried.{LOST if found is None else found.way}"] += 1
        return None if found is None else (found.title, found.way)
