"""Long texts in pieces: every span is in one, as it was, or fits nowhere."""

from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from wikiprep.inference.annotate_by_model import fitting_pieces
from wikiprep.pretrain.trained import BadText, MarkedText, Trained


class Short:
    """Takes texts of so many letters, and no span of spaces alone."""

    def __init__(self, most: int) -> None:
        self.most = most

    def check(self, text: MarkedText) -> None:
        if len(text.text) > self.most or any(not text.text[start:end].strip() for start, end in text.spans):
            raise BadText("too long")


@given(st.text("ab  \n", min_size=1, max_size=80), st.integers(1, 30), st.data())
def test_spans_keep_their_words(text: str, most: int, data: st.DataObject) -> None:
    edges = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = list(zip(edges[::2], edges[1::2], strict=False))
    model = cast(Trained, Short(most))
    found = list(fitting_pieces(model, text, spans))
    assert found == list(fitting_pieces(model, text, spans))
    seen = []
    for first, piece in found:
        model.check(piece)
        assert piece.text in text
        for number, (start, end) in enumerate(piece.spans, first):
            assert piece.text[start:end] == text[spans[number][0] : spans[number][1]]
            seen.append(number)
    assert seen == sorted(set(seen)), "each span once, in order"


@given(st.lists(st.text("ab", min_size=1, max_size=3), min_size=1, max_size=30), st.integers(4, 12), st.data())
def test_words_that_fit_are_all_there(words: list[str], most: int, data: st.DataObject) -> None:
    text, spans = "", []
    for word in words:
        if data.draw(st.booleans()):
            spans.append((len(text), len(text) + len(word)))
        text += f"{word} "
    found = list(fitting_pieces(cast(Trained, Short(most)), text, spans))
    assert [number for first, piece in found for number in range(first, first + len(piece.spans))] == [
        *range(len(spans))
    ]


def test_a_text_that_fits_is_one_piece() -> None:
    assert list(fitting_pieces(cast(Trained, Short(9)), "a bc d", [(2, 4)])) == [(0, MarkedText("a bc d", ((2, 4),)))]
    assert list(fitting_pieces(cast(Trained, Short(9)), "a bc d", [])) == []
