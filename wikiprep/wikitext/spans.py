"""From marks in a page's paragraphs to places of links, for all of them at once: links are most of what a page has."""

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter

from wikiprep.compiled import fastest
from wikiprep.compiled.link_marks import split_marks
from wikiprep.wikitext.article import ParagraphKind
from wikiprep.wikitext.article_columns import ParagraphColumns
from wikiprep.wikitext.control_marks import END, LINK, collapse, unshield
from wikiprep.wikitext.link_meanings import Meaning

# A block as the lines of a page give it: its section, kind, depth and its text, which is not empty and has its marks.
Block = tuple[tuple[str, ...], ParagraphKind, int, str]

_split = fastest(split_marks)
_title, _fragment = itemgetter(1), itemgetter(2)  # of a Meaning, in half the time of an attribute


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
        split = _split([block[3] for block in blocks])
        assert split is not None, "mended"
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
            text, own = _make_regular(text, own)
            if len(own) < count:
                links["empty"] += count - len(own)
            if not text:
                continue
        mended_blocks.append((section, kind, depth, text))
        kept_targets += own
    return mended_blocks, kept_targets


def _make_regular(text: str, targets: list[Meaning]) -> tuple[str, list[Meaning]]:
    """One block: white space at a mention's ends stands beside it, a mention of nothing else goes."""
    first, *pieces = _pair_marks(text).split(LINK)
    out = [first]
    kept_targets: list[Meaning] = []
    for piece, target in zip(pieces, targets, strict=True):
        inside, _, rest = piece.partition(END)
        mention = inside.strip()
        if mention:
            before, behind = inside.split(mention, 1)
            out += (before, LINK, mention, END, behind, rest)
            kept_targets.append(target)
        else:
            out += (inside, rest)
    return single_spaced("".join(out)), kept_targets


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
    return collapse(text).strip(" ")
