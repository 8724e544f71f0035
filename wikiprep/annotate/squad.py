"""Entity spans for question answering data in the format of SQuAD 1.1: passages and questions.

As in appendix C of the LUKE paper, the names of a passage and of its questions are those of the Wikipedia page that the
passage is from. A file is {"data": [{"title", "paragraphs": [{"context", "qas": [{"question", …}]}]}]}; all of it
stays, and each paragraph and each question gets "entities", spans of its "context" and its "question".
"""

from collections import Counter
from typing import Any
from urllib.parse import unquote

import orjson

from wikiprep.annotate.annotator import Annotator, Span
from wikiprep.annotate.to_vocabulary import ToVocabulary
from wikiprep.errors import WikiprepError

FIELD = "entities"
_FORM = 'it is {"data": [{"title", "paragraphs": [{"context", "qas": [{"question"}]}]}]}'


class SquadAnnotator:
    """Annotates files named `name`.

    `counts` grows: titles (also by_page and by_prior), paragraphs, questions, and spans by source. `to_vocabulary`
    carries the spans to another vocabulary, and counts them.
    """

    def __init__(self, annotator: Annotator, name: str, to_vocabulary: ToVocabulary | None = None) -> None:
        self.counts: Counter[str] = Counter()
        self._to_vocabulary = to_vocabulary
        self._annotator, self._name = annotator, name

    def annotate(self, data: bytes) -> dict[str, Any]:
        """The document with its entities. Raises WikiprepError that names the place of what is not as it must be."""
        try:
            document = orjson.loads(data.removeprefix(b"\xef\xbb\xbf"))
        except orjson.JSONDecodeError as error:
            raise WikiprepError(f"{self._name}: not JSON ({error})", _FORM) from error
        for number, article in enumerate(self._list(document, "data", "")):
            self._annotate_article(article, f"data[{number}]")
        annotated_document: dict[str, Any] = document
        return annotated_document

    def _annotate_article(self, article: Any, place: str) -> None:
        title = self._text(article, "title", place) if isinstance(article, dict) and "title" in article else None
        page_id = self._annotator.page_id(title)
        if page_id is None and title is not None:
            page_id = self._annotator.page_id(unquote(title))  # the published files have titles as in addresses
        self.counts["titles"] += 1
        self.counts["titles.by_prior" if page_id is None else "titles.by_page"] += 1
        places: list[tuple[dict[str, Any], str]] = []  # who gets the spans, and of which field
        for number, paragraph in enumerate(self._list(article, "paragraphs", place)):
            inside = f"{place}.paragraphs[{number}]"
            self._text(paragraph, "context", inside)
            places.append((paragraph, "context"))
            self.counts["paragraphs"] += 1
            for nth, question in enumerate(self._list(paragraph, "qas", inside)):
                self._text(question, "question", f"{inside}.qas[{nth}]")
                places.append((question, "question"))
                self.counts["questions"] += 1
        spans = self._annotator.annotate([owner[field] for owner, field in places], page_id)
        for (owner, _), owner_spans in zip(places, spans, strict=True):
            self._put(owner, owner_spans)

    def _put(self, owner: dict[str, Any], corpus_spans: list[Span]) -> None:
        spans = corpus_spans if self._to_vocabulary is None else self._to_vocabulary.spans(corpus_spans)
        owner[FIELD] = [span.as_json() for span in spans]
        self.counts.update(f"spans.{span.source}" for span in spans)

    def _list(self, owner: Any, field: str, place: str) -> list[Any]:
        value = owner.get(field) if isinstance(owner, dict) else None
        if not isinstance(value, list):
            raise WikiprepError(f'{self._name}: {place or "the file"} has no list "{field}"', _FORM)
        return value

    def _text(self, owner: Any, field: str, place: str) -> str:
        value = owner.get(field) if isinstance(owner, dict) else None
        if not isinstance(value, str):
            raise WikiprepError(f'{self._name}: {place} has no text "{field}"', _FORM)
        return value
