"""One dump as it was given: its parts, the checksum files beside them, and what is absent of it.

A dump with a hole would give a corpus with a hole: pages that are missing, links that lead nowhere. So it is refused
unless the user says that it is meant. What is absent: files that a checksum file names, and gaps in the numbering of
classic parts.

Content exports name their parts by the first and last page that there is, so that a gap between two says nothing:
without `SHA256SUMS` nobody can know. Classic parts (since 2017) follow on each other without a gap, from part 1 and
page 1; that the last ones are absent only a checksum file can tell.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from wikiprep.dump.checksums import ChecksumFile, ExpectedHash, checksums_beside, expected_of
from wikiprep.dump.dump_files import Part, find_parts
from wikiprep.dump.file_names import CONTENT, DumpName, parse_name
from wikiprep.dump.source import is_file
from wikiprep.errors import WikiprepError

_SHOWN = 3  # names in a message
_GAPLESS = "20170101"  # older parts are named by pages that exist, as the content exports are


@dataclass(frozen=True)
class WholeDump:
    """The files of one dump, and what is known to be absent of it.

    `missing` are names of absent files or, where no list names them, words for what they hold; `passed_over` are lines
    for the user on files among the given ones that hold no pages.
    """

    parts: list[Part]
    checksums: list[ChecksumFile]
    missing: list[str]
    passed_over: list[str]

    def expected(self, path: str) -> ExpectedHash | None:
        """What the file at `path` must hash to, where a file beside it says so."""
        return expected_of(path, self.checksums)

    @property
    def damage(self) -> list[str]:
        """Known damage of exports of this time, a line a kind, with the name of the first file that has it."""
        files: dict[str, list[str]] = {}
        for part in self.parts:
            for kind in part.damage:
                files.setdefault(kind, []).append(_split(part.path)[1])
        return [
            f"{names[0]}{f' and {len(names) - 1} more of its files' if len(names) > 1 else ''}: {kind}"
            for kind, names in files.items()
        ]

    @property
    def may_lack_parts(self) -> bool:
        """Whether nothing here would tell that a part is absent."""
        return not knows_all([_split(part.path)[1] for part in self.parts], self.checksums)


def find_dump(inputs: Sequence[str], allow_missing: bool) -> WholeDump:
    """The dump that `inputs` name.

    Raises WikiprepError for what is no dump (`find_parts`), for a checksum file that is none, and, without
    `allow_missing`, for a dump of which parts are absent.
    """
    passed_over: list[str] = []
    parts = find_parts(inputs, passed_over.append)
    checksums = checksums_beside([part.path for part in parts])
    missing = missing_parts([_split(part.path)[1] for part in parts], checksums)
    if missing and not allow_missing:
        raise _absence_error(parts, checksums, missing)
    return WholeDump(parts, checksums, missing, passed_over)


def missing_in_words(missing: Sequence[str]) -> str:
    """The absent parts in a few words."""
    examples = ", ".join(missing[:_SHOWN]) + (f" and {len(missing) - _SHOWN} more" if len(missing) > _SHOWN else "")
    is_plural = len(missing) > 1
    return (
        f"{len(missing)} part{'s' if is_plural else ''} of the dump {'are' if is_plural else 'is'} absent: {examples}"
    )


def _absence_error(parts: Sequence[Part], checksums: Sequence[ChecksumFile], missing: Sequence[str]) -> WikiprepError:
    folder = _split(parts[0].path)[0]
    list_path = next((file.path for file in checksums if missing[0] in file.sums), None)
    source = f" (named in {list_path})" if list_path else ""
    present_names = [name for name in missing if list_path and is_file(folder + name)]
    advice = (
        f"give the whole folder, {folder or '.'}: {present_names[0]} lies there"
        if present_names
        else "fetch what is absent"
    )
    return WikiprepError(
        f"{folder or './'}: {missing_in_words(missing)}{source}",
        f"{advice}; or go on without with --allow-missing-parts, and with --vocab-targets linked for a part of a dump",
    )


def _split(path: str) -> tuple[str, str]:
    at = max(path.rfind("/"), path.rfind("\\")) + 1
    return path[:at], path[at:]


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
