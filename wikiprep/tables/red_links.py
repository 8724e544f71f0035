"""Links to pages that the dump lacks: usual on a small wiki, the mark of a part of a dump, or of an export with gaps.

What tells them apart is the redirects. A wiki deletes redirects to pages that are not there, so that a whole dump has
next to none: 0 of 147 in the whole Latgalian Wikipedia, where 58 % of the links are red; 76 of 85, 86 of 99 and 10 of
16 in excerpts of English and Japanese ones, whose links are red to 88 to 100 %. Where there are too few redirects to
tell, the share of red links counts alone: 7 % on the English Wikipedia (2009 and 2011, Meta: Research:One Link, Two
Links, Red Links, Blue Links).
"""

from dataclasses import dataclass

ENOUGH_REDIRECTS = 20
BROKEN_SHARE = 0.05  # of redirects, above which a dump is not whole
LARGE_WIKI = 100_000  # articles
UNUSUAL = {True: 1 / 3, False: 3 / 4}  # share of red links, of a large wiki and a small one
USUAL = 1 / 2  # above this it is worth saying, even where all is as it should be


@dataclass(frozen=True, slots=True)
class LinkCounts:
    """Of a dump: `red` of `links` lead to no page of it, and so do `broken` of `redirects`."""

    links: int
    red: int
    redirects: int
    broken: int
    articles: int


def red_link_warning(counts: LinkCounts, parts_missing: bool) -> str | None:
    """One line for the person who builds, or None where there is nothing to say."""
    if not counts.red:
        return None
    share = counts.red / counts.links
    percent = min(round(100 * share), 99) if counts.red < counts.links else 100  # never "all" of nearly all
    message = f"{counts.red} of {counts.links} links ({percent}%) lead to pages that are not in the dump and are lost"
    hint = "--vocab-targets linked makes entities of them"
    if parts_missing:
        return f"{message}: parts of it are absent; {hint}"
    broken = counts.broken / counts.redirects if counts.redirects else 0.0
    if counts.redirects >= ENOUGH_REDIRECTS and broken > BROKEN_SHARE:
        return (
            f"{message}, and so do {counts.broken} of {counts.redirects} redirects, of which a whole wiki has next to "
            f"none: this is a part of a dump, for which {hint}, or a dump that lost pages (--page-props counts them)"
        )
    unusual = share > UNUSUAL[counts.articles >= LARGE_WIKI]
    if unusual:
        return (
            f"{message}, which is unusual for a whole wiki: if it is a part of a dump, {hint}; if not, compare it with "
            "another date"
        )
    if share > USUAL:
        return f"{message}: red links, which a small wiki has many of; {hint}"
    return None
