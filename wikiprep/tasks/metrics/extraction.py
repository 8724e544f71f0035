"""What is extracted from sentences: P, R and F1 of named entities (conlleval), and of triples in joint extraction.

A named entity is right if start, end and type are, as the conlleval script of the CoNLL shared tasks counts chunks
(Tjong Kim Sang and De Meulder, CoNLL 2003). This is our own: seqeval, in its default mode the same, has had no release
since 2020 and brings scikit-learn and scipy along; tests compare with it.

Triples (subject, relation, object): micro, pooled over sentences. Exact: whole names are compared. Partial: of subject
and object only the first or the last word (which of them, a data set decides): a result must say which.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from wikiprep.tasks.iob import chunks_of
from wikiprep.tasks.metrics.counts import Counts, same_length

TypedSpan = tuple[int, int, str]
Triple = tuple[str, str, str]
Match = Literal["exact", "first", "last"]


def span_counts(
    gold: Sequence[Iterable[TypedSpan]], predicted: Sequence[Iterable[TypedSpan]]
) -> tuple[Counts, dict[str, Counts]]:
    """The counts over all types, and of each type by name, of sentences with spans (start, end, type).

    Raises ValueError where the lists differ in length.
    """
    same_length(gold, predicted)
    by_type: dict[str, Counts] = {}
    for gold_spans, predicted_spans in zip(map(_spans, gold), map(_spans, predicted), strict=True):
        for span in gold_spans | predicted_spans:
            counts = Counts(
                int(span in gold_spans and span in predicted_spans),
                int(span in predicted_spans),
                int(span in gold_spans),
            )
            by_type[span[2]] = by_type.get(span[2], Counts()) + counts
    return sum(by_type.values(), Counts()), dict(sorted(by_type.items()))


def conlleval(
    gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]
) -> tuple[Counts, dict[str, Counts], float]:
    """Of tags a sentence (IOB1 or IOB2): counts over all types, by type, and the share of words with the right tag.

    Raises ValueError where lists or sentences differ in length, and for what is no tag.
    """
    same_length(gold, predicted)
    equal = words = 0
    for gold_tags, predicted_tags in zip(gold, predicted, strict=True):
        same_length(gold_tags, predicted_tags)
        words += len(gold_tags)
        equal += sum(a == b for a, b in zip(gold_tags, predicted_tags, strict=True))
    total, by_type = span_counts([chunks_of(tags) for tags in gold], [chunks_of(tags) for tags in predicted])
    return total, by_type, equal / words if words else 0.0


def _spans(spans: Iterable[TypedSpan]) -> set[TypedSpan]:
    return {(start, end, kind) for start, end, kind in spans}


def triple_counts(
    gold: Sequence[Collection[Triple]], predicted: Sequence[Collection[Triple]], match: Match = "exact"
) -> Counts:
    """Sets of triples a sentence. Under "first" and "last" triples that become equal count once.

    Raises ValueError where the lists differ in length, and for another `match`.
    """
    if match not in ("exact", "first", "last"):
        raise ValueError(f"match is exact, first or last, not {match!r}")
    same_length(gold, predicted)
    counts = Counts()
    for gold_triples, predicted_triples in zip(gold, predicted, strict=True):
        a, b = (
            {(_part(s, match), r, _part(o, match)) for s, r, o in triples}
            for triples in (gold_triples, predicted_triples)
        )
        counts += Counts(len(a & b), len(b), len(a))
    return counts


def _part(name: str, match: Match) -> str:
    words = name.split()
    if match == "exact" or not words:
        return name
    return words[0] if match == "first" else words[-1]
