"""Text as token ids for a task: pieces encoded on their own, markers between them, and the part that fits the model.

A piece is encoded as it stands behind a space, unless told otherwise; a marker is one token of its own. A long passage
goes in overlapping windows, a token being best seen in one of them (Devlin et al. 2019, their code).
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tokenizers import Tokenizer

from wikiprep.corpus.tokenizers import plain_copy
from wikiprep.pretrain.luke.words import Words, words_of

Span = tuple[int, int]
_WORD = re.compile(r"\S+")


@dataclass(frozen=True)
class MarkedPieces:
    """Token ids without the special ones at both ends, and of each span asked for its tokens [start, end).

    `offsets`: of each token its characters [start, end) of the text; of a marker an empty span."""

    ids: list[int]
    spans: list[Span]
    offsets: list[Span]


class Pieces:
    """One tokenizer, with the markers of a task behind its last id."""

    def __init__(self, tokenizer: Tokenizer, markers: Sequence[str], where: str) -> None:
        self._plain = plain_copy(tokenizer)
        self.words: Words = words_of(tokenizer, where)
        self.markers: Mapping[str, int] = {name: self.words.size + n for n, name in enumerate(markers)}
        unknown = tokenizer.token_to_id("<unk>") or tokenizer.token_to_id("[UNK]")
        self.unknown = self.words.mask if unknown is None else int(unknown)
        # RoBERTa parts two texts by two marks, BERT by one.
        self.between = [self.words.last] * (2 if tokenizer.token_to_id("<s>") is not None else 1)

    def encode(self, text: str, *, space: bool = True) -> list[int]:
        """Ids of `text` without white space at its ends; `space`: as behind a space."""
        text = " ".join(text.split())
        if not text:
            return []
        ids: list[int] = self._plain.encode(" " + text if space else text, add_special_tokens=False).ids
        return ids

    def located(self, text: str, start: int, end: int, *, space: bool = True) -> tuple[list[int], list[Span]]:
        """The ids that `encode` gives of `text[start:end]`, and of each its characters [start, end) of `text`."""
        words = [(match.start(), match.end()) for match in _WORD.finditer(text, start, end)]
        if not words:
            return [], []
        squeezed = " ".join(text[a:b] for a, b in words)
        places = [place for a, b in words for place in range(a, b + 1)]  # the blank behind a word is its end
        lead = 1 if space else 0
        encoded = self._plain.encode(" " * lead + squeezed, add_special_tokens=False)
        offsets = []
        for first, last in encoded.offsets:
            first, last = max(0, first - lead), max(0, last - lead)
            while first < last and squeezed[first] == " ":
                first += 1
            offsets.append((places[first], places[last - 1] + 1) if first < last else (places[first], places[first]))
        return encoded.ids, offsets

    def encode_with_offsets(self, text: str) -> tuple[list[int], list[Span]]:
        """Ids of the whole text, as behind a space, and of each token its place [start, end) without white space."""
        encoded = self._plain.encode(" " + text, add_special_tokens=False)
        offsets = []
        for start, end in encoded.offsets:
            start, end = max(0, start - 1), max(0, end - 1)
            while start < end and text[start].isspace():
                start += 1
            offsets.append((start, end))
        return encoded.ids, offsets

    def encode_at(self, text: str, start: int, end: int) -> list[int]:
        """Ids of `text[start:end]`, behind a space where one stands there, or where the text begins."""
        while start < end and text[start].isspace():
            start += 1
        return self.encode(text[start:end], space=start == 0 or text[start - 1].isspace())

    def marked(
        self,
        text: str,
        spans: Sequence[Span],
        marks: Sequence[str | None],
        *,
        spaced: bool = True,
        replaced: Mapping[str, str] = MappingProxyType({}),
    ) -> MarkedPieces:
        """`text` with a marker before and behind each span, where `marks` names one; the tokens of a span include them.

        `spaced`: each piece is encoded as behind a space; else only where the text has one. `replaced`: strings that
        become a marker. Spans of one text (none empty) may be in any order and within each other; where two begin (or
        end) at one place, the longer is the outer one.
        """
        cuts: list[tuple[int, int, int, int]] = []  # (place, 0 end or 1 start, order, span)
        for number, (start, end) in enumerate(spans):
            cuts += [(start, 1, -(end - start), number), (end, 0, end - start, number)]
        ids: list[int] = []
        offsets: list[Span] = []
        first, last = [0] * len(spans), [0] * len(spans)
        last_place = 0
        for place, is_start, _, number in sorted(cuts):
            self._between(text, last_place, place, spaced, replaced, ids, offsets)
            last_place = place
            mark = marks[number]
            mark_ids = [self.markers[mark]] if mark is not None else []
            offsets += [(place, place)] * len(mark_ids)
            if is_start:
                first[number] = len(ids)
                ids += mark_ids
            else:
                ids += mark_ids
                last[number] = len(ids)
        self._between(text, last_place, len(text), spaced, replaced, ids, offsets)
        return MarkedPieces(ids, list(zip(first, last, strict=True)), offsets)

    def _between(
        self,
        text: str,
        start: int,
        end: int,
        spaced: bool,
        replaced: Mapping[str, str],
        ids: list[int],
        offsets: list[Span],
    ) -> None:
        """Add the tokens of `text[start:end]` to `ids` and `offsets`."""
        for match in re.compile("|".join(map(re.escape, replaced))).finditer(text, start, end) if replaced else ():
            self._piece(text, start, match.start(), spaced, ids, offsets)
            ids.append(self.markers[replaced[match[0]]])
            offsets.append((match.start(), match.start()))
            start = match.end()
        self._piece(text, start, end, spaced, ids, offsets)

    def _piece(self, text: str, start: int, end: int, spaced: bool, ids: list[int], offsets: list[Span]) -> None:
        while start < end and text[start].isspace():
            start += 1
        space = spaced or start == 0 or text[start - 1].isspace()
        piece_ids, piece_offsets = self.located(text, start, end, space=space)
        ids += piece_ids
        offsets += piece_offsets


def question_room(published: int, most: int) -> int:
    """Tokens of a question at most: as published, but no more than half of a short sequence: the passage needs room."""
    return min(published, (most - 4) // 2)


def window(length: int, spans: Sequence[Span], most: int) -> Span | None:
    """The part [start, end) of `length` tokens, at most `most`, that holds all spans, with as much on either side.

    What one side does not need goes to the other. None where the spans alone are too long.
    """
    if length <= most:
        return 0, length
    low, high = min(start for start, _ in spans), max(end for _, end in spans)
    free = most - (high - low)
    if free < 0:
        return None
    before = min(low, free // 2)
    behind = min(length - high, free - before)
    before = min(low, free - behind)
    return low - before, high + behind


def windows_of(length: int, room: int, stride: int) -> list[Span]:
    """[start, end) of windows of `room` tokens, each `stride` behind the one before, until the passage is covered.

    Where the room is less than the stride, each begins where the one before ends: no token is passed over.
    """
    windows = []
    for start in range(0, max(1, length), min(room, stride)):
        windows.append((start, min(start + room, length)))
        if start + room >= length:
            break
    return windows


def best_window(windows: Sequence[Span], token: int) -> int:
    """The window in which the token has most context on its poorer side; of equal ones the longer, then the first."""

    def context(number: int) -> tuple[float, int]:
        start, end = windows[number]
        return min(token - start, end - 1 - token) + 0.01 * (end - start), -number

    return max((n for n, (start, end) in enumerate(windows) if start <= token < end), key=context)
