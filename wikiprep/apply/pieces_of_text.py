"""Long texts in pieces that a model can take, with the spans in them."""

from collections.abc import Iterator, Sequence

from wikiprep.pretrain.trained import BadText, MarkedText, Trained


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
