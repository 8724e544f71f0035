"""From marks in a page's paragraphs to places of links, for all of them at once: links are most of what a page has."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import itemgetter

from wikiprep.compiled import fast_path
from wikiprep.wikitext.article import ParagraphKind
from wikiprep.wikitext.article_columns import ParagraphColumns
from wikiprep.wikitext.control_marks import END, LINK, NOTHING, PLACEHOLDER, unshield
from wikiprep.wikitext.link_meanings import Meaning

# A block as the lines of a page give it: its section, kind, depth and its text, which is not empty and has its marks.
Block = tuple[tuple[str, ...], ParagraphKind, int, str]

_title, _fragment = itemgetter(1), itemgetter(2)  # of a Meaning, in half the time of an attribute
_SPACE_IN = re.compile(f"{LINK}[{PLACEHOLDER}{NOTHING}]* ")
_SPACE_OUT = re.compile(f" [{PLACEHOLDER}{NOTHING}]*{END}")


def read_spans(
    blocks: Sequence[Block], targets: Sequence[Meaning], links: Counter[str], *, shielded: bool
) -> ParagraphColumns:
    """The paragraphs of a page; the n-th LINK in them leads to `targets[n]`. Counts links as kept or empty."""
    if not blocks:
        return ParagraphColumns()
    split = _split([block[3] for block in blocks])
    if split is None:
        blocks, targets = _mend(blocks, targets, links)
        if not blocks:
            return ParagraphColumns()
        split = _split_at_marks([block[3] for block in blocks])
    if targets:
        links["kept"] += len(targets)
    texts, counts, starts, ends = split
    sections, kinds, depths, _ = zip(*blocks, strict=True)
    return ParagraphColumns(
        sections,
        kinds,
        depths,
        [unshield(text) for text in texts] if shielded else texts,
        counts,
        starts,
        ends,
        list(map(_title, targets)),
        list(map(_fragment, targets)),
    )


_Split = tuple[list[str], list[int], list[int], list[int]]  # texts, links a text, starts, ends


def _regular_split(texts: Sequence[str]) -> _Split | None:
    """As `_split_at_marks`, None unless all marks are in pairs around mentions without space at their ends."""
    counts = [text.count(LINK) for text in texts]
    mentions = _parts(texts)[1::2]
    # Asking each mention is quicker than a search of the text for marks beside spaces.
    if [text.count(END) for text in texts] != counts or "" in mentions or list(map(str.strip, mentions)) != mentions:
        return None
    return _split_at_marks(texts)


_split: Callable[[Sequence[str]], _Split | None] = fast_path("spans", "split_marks") or _regular_split


def _split_at_marks(texts: Sequence[str]) -> _Split:
    parts = _parts(texts)
    bounds = list(accumulate(map(len, parts)))
    return "".join(parts).split("\n"), [text.count(LINK) for text in texts], bounds[0:-1:2], bounds[1::2]


def _parts(texts: Sequence[str]) -> list[str]:
    """What stands between links and what is linked, in turn. No block holds a line end."""
    return "\n".join(texts).replace(END, LINK).split(LINK)


def _mend(
    blocks: Sequence[Block], targets: Sequence[Meaning], links: Counter[str]
) -> tuple[list[Block], list[Meaning]]:
    """The blocks with mentions of one character or more, without spaces at their ends, and all marks in pairs."""
    mended_blocks: list[Block] = []
    kept_targets: list[Meaning] = []
    at = 0
    for section, kind, depth, text in blocks:
        count = text.count(LINK)
        own = list(targets[at : at + count])
        at += count
        if _split([text]) is None:
            text, own = _make_regular(text, own, links)
            if not text.strip(LINK + END):
                links["empty"] += len(own)
                continue
        mended_blocks.append((section, kind, depth, text))
        kept_targets += own
    return mended_blocks, kept_targets


def _make_regular(text: str, targets: list[Meaning], links: Counter[str]) -> tuple[str, list[Meaning]]:
    if "\x01 " in text or " \x02" in text:
        text = single_spaced(_SPACE_OUT.sub("\x02 ", _SPACE_IN.sub(" \x01", text)))
    if "\x01\x02" in text:
        text, kept_targets = _without_empty(text, targets)
        links["empty"] += len(targets) - len(kept_targets)
        return _make_regular(text, kept_targets, links) if _split([text]) is None else (text, kept_targets)
    return (text if text.count(LINK) == text.count(END) else _pair_marks(text)), targets


def _without_empty(text: str, targets: list[Meaning]) -> tuple[str, list[Meaning]]:
    """Mentions that hold nothing go, and the space on one of their sides too."""
    first, *pieces = text.split(LINK)
    kept_pieces: list[str] = [first]
    kept_targets: list[Meaning] = []
    for piece, target in zip(pieces, targets, strict=True):
        if piece.startswith(END):
            kept_pieces[-1] += piece[1:]
        else:
            kept_targets.append(target)
            kept_pieces.append(piece)
    return single_spaced(LINK.join(kept_pieces)), kept_targets


def _pair_marks(text: str) -> str:
    """A mention whose END is lost ends at the block's end; a lone END goes."""
    first, *pieces = text.split(LINK)
    parts = [first.replace(END, "")]
    for piece in pieces:
        mention, _, rest = piece.partition(END)
        parts.append(mention + END + rest.replace(END, ""))
    return LINK.join(parts)


def single_spaced(text: str) -> str:
    """The text with single spaces, and none at its ends."""
    while "  " in text:
        text = text.replace("  ", " ")
    return text.strip(" ")
