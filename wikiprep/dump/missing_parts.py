"""Which files of a dump are not there: those that its checksum file names, and gaps in the numbering of classic parts.

Content exports name their parts by the first and last page that there is, so that a gap between two says nothing:
without `SHA256SUMS` nobody can know. Classic parts (since 2017) follow on each other without a gap, from part 1 and
page 1; that the last ones are absent only a checksum file can tell.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from wikiprep.dump.checksums import ChecksumFile
from wikiprep.dump.names import CONTENT, DumpName, parse_name

_GAPLESS = "20170101"  # older parts are named by pages that exist, as the content exports are


def missing_parts(names: Sequence[str], checksums: Sequence[ChecksumFile]) -> list[str]:
    """What is absent of the dump whose files have `names`, in order: file names, or words where no name is known."""
    present_names = {it for name in names if (it := parse_name(name))}
    layouts = {it.layout for it in present_names}
    absent_names: dict[DumpName, str] = {}
    for name in dict.fromkeys(name for file in checksums for name in file.sums):
        if (it := parse_name(name)) and it.layout in layouts and it not in present_names:
            absent_names.setdefault(it, name)
    # A gap that listed files fill is told by their names.
    return [absent_names[it] for it in sorted(absent_names, key=lambda it: it.place)] + _gaps(
        [*present_names, *absent_names]
    )


def knows_all(names: Sequence[str], checksums: Sequence[ChecksumFile]) -> bool:
    """Whether a missing part would be noticed: a checksum file names the given ones, or none is by its name a part."""
    parsed = [parse_name(name) for name in names]
    if all(it is None or (it.first is None and it.number is None) for it in parsed):
        return True
    return any(name in file.sums for file in checksums for name in names)


def _gaps(names: Iterable[DumpName]) -> list[str]:
    gaps: list[str] = []
    by_layout: dict[object, list[DumpName]] = {}
    for name in names:
        if name.kind != CONTENT and name.number is not None:
            by_layout.setdefault(name.layout, []).append(name)
    for parts in by_layout.values():
        gaps += _layout_gaps(sorted(parts, key=lambda it: it.place))
    return gaps


def _layout_gaps(parts: Sequence[DumpName]) -> list[str]:
    """The gaps in one layout's parts, in order: by page ids where these follow on each other, else by number."""
    if all(it.first is not None for it in parts) and (parts[0].date == "latest" or parts[0].date >= _GAPLESS):
        gaps = []
        if parts[0].first is not None and parts[0].first > 1:
            gaps.append(_describe_gap(parts[0], 1, parts[0].first - 1))
        for one, other in pairwise(parts):
            if one.last is not None and other.first is not None and other.first > one.last + 1:
                gaps.append(_describe_gap(one, one.last + 1, other.first - 1))
        return gaps
    numbers = {it.number for it in parts if it.number}
    return [
        f"{parts[0].wiki}-{parts[0].date}-{parts[0].kind}{i}.xml…"
        for i in range(1, max(numbers, default=0))
        if i not in numbers
    ]


def _describe_gap(name: DumpName, first: int, last: int) -> str:
    return f"{name.wiki}-{name.date}-{name.kind}….xml-p{first}…p{last} (pages {first:,} to {last:,})"
