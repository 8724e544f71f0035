"""Benchmarks that count tokens, in characters: the tokens with a blank between, and where each stands."""

from collections.abc import Sequence

from wikiprep.tasks.examples import Span


def join_tokens(tokens: Sequence[str]) -> tuple[str, tuple[Span, ...]]:
    """The text and the span of each token in it."""
    spans, at = [], 0
    for token in tokens:
        spans.append((at, at + len(token)))
        at += len(token) + 1
    return " ".join(tokens), tuple(spans)
