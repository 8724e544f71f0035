"""`wikiprep annotate --model`: which of its candidates a name means in this text, to a trained model."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from wikiprep.annotate.annotator import MODEL, PRIOR, Annotator, Rule, Span
from wikiprep.applications.annotate_files import annotate_lines
from wikiprep.errors import UsageError
from wikiprep.pretrain.open_checkpoint import open_model
from wikiprep.pretrain.ranks import Ranks, join_ranks
from wikiprep.pretrain.trained import BadText, MarkedText, Trained
from wikiprep.tables.title_source import open_title_source

_TEXTS = 16  # pieces of text at once
_REMEMBERED = 1 << 17  # titles whose entities are kept


def annotate_by_model(
    model: str,
    corpus: str,
    source: str,
    target: str,
    rule: Rule,
    page_field: str,
    *,
    with_candidates: bool,
    **options: Any,
) -> None:
    """`annotate_lines` (which says what the options are), with `model` choosing what names mean.

    Raises as that does, and as `Chooser`.
    """
    with join_ranks(timeout_minutes=1) as ranks:
        chooser = partial(Chooser, model, corpus, ranks=ranks, with_candidates=with_candidates)
        annotate_lines(corpus, source, target, rule, page_field, chooser=chooser, **options)


class Chooser:
    """Chooses among the candidates of spans by a model.

    `counts` grows: chosen.spans is the sum of chosen.as_prior, .another, and of those that the prior decides:
    .one_known (one of the candidates is an entity of the model), .none_known, and .unfit (the model cannot take the
    text around it).
    """

    def __init__(
        self, model: str, corpus: str, annotator: Annotator, ranks: Ranks, *, with_candidates: bool = True
    ) -> None:
        """`model`: see `open_model`; `corpus`: whose titles the candidates are; `annotator`: that found them;
        `with_candidates`: whether spans keep their candidates. Raises UsageError where the model knows no entities.
        """
        self._with_candidates = with_candidates
        self.counts: Counter[str] = Counter()
        self._trained = open_model(model, ranks).trained
        if not self._trained.ranks_entities:
            raise UsageError(f"{model}: has no entities to choose from", "give a run that was trained with entities")
        self._carrier = self._trained.carrier(open_title_source(corpus))
        self._annotator = annotator
        self._entity_titles: dict[str, str | None] = {}

    def choose(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> list[list[Span]]:
        """The same spans, some with the meaning that the model finds likeliest.

        These are spans that the prior decided, and that can mean several entities of the model. Their candidates must
        be there (`Rule.candidates`).
        """
        new_spans = [list(text_spans) for text_spans in spans]
        queries: list[
            tuple[int, int, MarkedText, list[list[str]]]
        ] = []  # number of the text, of the first span there, …
        for number, (text, text_spans) in enumerate(zip(texts, new_spans, strict=True)):
            for first, piece in fitting_pieces(self._trained, text, [(span.start, span.end) for span in text_spans]):
                part = text_spans[first : first + len(piece.spans)]
                queries.append((number, first, piece, [self._titles(span) for span in part]))
        queries = [query for query in queries if any(len(titles) > 1 for titles in query[3])]
        for begin in range(0, len(queries), _TEXTS):
            batch = queries[begin : begin + _TEXTS]
            scores = self._trained.scores_of([piece for *_, piece, _ in batch], [titles for *_, titles in batch])
            for (number, first, _, titles), piece_scores in zip(batch, scores, strict=True):
                for place, (span_titles, candidate_scores) in enumerate(zip(titles, piece_scores, strict=True)):
                    if len(span_titles) > 1:
                        span = new_spans[number][first + place]
                        new_spans[number][first + place] = self._with_meaning(
                            span, span_titles[int(candidate_scores.argmax())]
                        )
        self._count(spans, new_spans)
        return (
            new_spans
            if self._with_candidates
            else [[replace(span, candidates=None) for span in text_spans] for text_spans in new_spans]
        )

    def _titles(self, span: Span) -> list[str]:
        """The model's titles of what the span can mean."""
        if span.source != PRIOR:
            return []
        titles = (self._title(it["title"], it["qid"]) for it in span.candidates or ())
        return list(dict.fromkeys(title for title in titles if title is not None))

    def _title(self, title: str, qid: str | None) -> str | None:
        if title not in self._entity_titles:
            if len(self._entity_titles) >= _REMEMBERED:
                self._entity_titles.clear()
            entity = self._carrier.find(title, qid)
            self._entity_titles[title] = None if entity is None else entity.title
        return self._entity_titles[title]

    def _with_meaning(self, span: Span, title: str) -> Span:
        """With the first candidate that is this entity of the model."""
        candidate = next(
            candidate
            for candidate in span.candidates or ()
            if self._title(candidate["title"], candidate["qid"]) == title
        )
        return self._annotator.meaning(span, candidate)

    def _count(self, before: Sequence[Sequence[Span]], after: Sequence[Sequence[Span]]) -> None:
        for old, new in ((a, b) for one, two in zip(before, after, strict=True) for a, b in zip(one, two, strict=True)):
            if old.source != PRIOR:
                continue
            self.counts["chosen.spans"] += 1
            if new.source == MODEL:
                self.counts["chosen.as_prior" if new.target == old.target else "chosen.another"] += 1
            else:
                known_count = min(len(self._titles(old)), 2)
                self.counts[f"chosen.{('none_known', 'one_known', 'unfit')[known_count]}"] += 1


def fitting_pieces(
    trained: Trained, text: str, spans: Sequence[tuple[int, int]], first: int = 0
) -> Iterator[tuple[int, MarkedText]]:
    """Pieces of the text with spans in them, each with the number of its first span; offsets are those of the piece.

    A text that is too long is halved at a space that is in no span, again and again: the same text gives the same
    pieces. What cannot be halved and does not fit, such as a span without a word, is left out.
    """
    if not spans:
        return
    piece = MarkedText(text, tuple(spans))
    try:
        trained.check(piece)
    except BadText:
        cut = _middle(text, spans)
        if cut is not None:
            left = [span for span in spans if span[1] <= cut]
            right = [(start - cut, end - cut) for start, end in spans if start >= cut]
            yield from fitting_pieces(trained, text[:cut], left, first)
            yield from fitting_pieces(trained, text[cut:], right, first + len(left))
        return
    yield first, piece


def _middle(text: str, spans: Sequence[tuple[int, int]]) -> int | None:
    """The place nearest to the middle behind a space, in no span, with text on both sides; None where there is none."""
    inside = {place for start, end in spans for place in range(start + 1, end)}
    cuts = (
        place
        for place in range(1, len(text))
        if text[place - 1].isspace() and place not in inside and not text[place].isspace()
    )
    return min(cuts, key=lambda place: (abs(2 * place - len(text)), place), default=None)
