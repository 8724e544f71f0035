"""Where two readings of a page differ: runs of words that one has and the other has not, and links."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.mwparserfromhell_text import Reading

# Runs of letters and digits; a script without spaces is cut into single characters.
_WORD = re.compile(r"[぀-ヿ㐀-鿿가-힯฀-๿]|[^\W_぀-ヿ㐀-鿿가-힯฀-๿]+")
_AROUND = 6  # words shown on each side
_MOST = 4_000  # words of a run that are compared one by one


@dataclass(frozen=True, slots=True)
class Difference:
    """`what` is "words", "spacing" (the same letters, parted otherwise) or "link"; "" where a side has nothing."""

    what: str
    ours: str
    theirs: str
    before: str = ""


def reading_of(extraction: Extraction) -> Reading:
    """The extractor's paragraphs and links in the form of a second opinion."""
    links: Counter[tuple[str, str, str | None]] = Counter()
    for paragraph in extraction.paragraphs:
        links.update((paragraph.text[k.start : k.end], k.target, k.fragment) for k in paragraph.links)
    return Reading([paragraph.text for paragraph in extraction.paragraphs], links)


def differences(ours: Reading, theirs: Reading) -> list[Difference]:
    """All differences, words in the order of the page, then links. Punctuation and white space are not compared."""
    return [*_compare_words(ours.blocks, theirs.blocks), *_compare_links(ours.links, theirs.links)]


def _compare_words(ours: Sequence[str], theirs: Sequence[str]) -> Iterator[Difference]:
    left, right = ([tuple(_WORD.findall(block)) for block in blocks] for blocks in (ours, theirs))
    left, right = [words for words in left if words], [words for words in right if words]
    for tag, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag != "equal":
            mine, other = ([word for block in side for word in block] for side in (left[a:b], right[c:d]))
            yield from _compare_runs(mine, other)


def _compare_runs(mine: list[str], other: list[str]) -> Iterator[Difference]:
    if mine == other:  # blocks cut otherwise
        return
    for a, b, c, d in [_middle_range(mine, other)] if len(mine) + len(other) > _MOST else _changed_ranges(mine, other):
        same = "".join(mine[a:b]) == "".join(other[c:d])
        before = " ".join(mine[max(0, a - _AROUND) : a])
        yield Difference("spacing" if same else "words", " ".join(mine[a:b]), " ".join(other[c:d]), before)


def _changed_ranges(mine: list[str], other: list[str]) -> list[tuple[int, int, int, int]]:
    opcodes = SequenceMatcher(None, mine, other, autojunk=False).get_opcodes()
    return [(a, b, c, d) for tag, a, b, c, d in opcodes if tag != "equal"]


def _middle_range(mine: list[str], other: list[str]) -> tuple[int, int, int, int]:
    """What lies between the words that both begin with and those that both end with."""
    start, least = 0, min(len(mine), len(other))
    while start < least and mine[start] == other[start]:
        start += 1
    end = 0
    while end < least - start and mine[-1 - end] == other[-1 - end]:
        end += 1
    return start, len(mine) - end, start, len(other) - end


def _compare_links(
    ours: Counter[tuple[str, str, str | None]], theirs: Counter[tuple[str, str, str | None]]
) -> Iterator[Difference]:
    for link in (ours - theirs).elements():
        yield Difference("link", _format_link(link), "")
    for link in (theirs - ours).elements():
        yield Difference("link", "", _format_link(link))


def _format_link(link: tuple[str, str, str | None]) -> str:
    mention, target, fragment = link
    return f"[{mention}] -> {target}" + ("" if fragment is None else f"#{fragment}")
