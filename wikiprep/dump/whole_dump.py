"""One dump as it was given: its parts, the checksum files beside them, and what is absent of it.

A dump with a hole would give a corpus with a hole: pages that are missing, links that lead nowhere. So it is refused
unless the user says that it is meant.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from wikiprep.dump.checksums import ChecksumFile, Expected, checksums_beside, expected_of
from wikiprep.dump.dump_files import Part, find_parts
from wikiprep.dump.missing_parts import knows_all, missing_parts
from wikiprep.dump.source import is_file
from wikiprep.errors import WikiprepError

_SHOWN = 3  # names in a message


@dataclass(frozen=True)
class WholeDump:
    """`missing` are names of absent files or, where no list names them, words for what they hold; `passed_over` are
    lines for the user on files among the given ones that hold no pages."""

    parts: list[Part]
    checksums: list[ChecksumFile]
    missing: list[str]
    passed_over: list[str]

    def expected(self, path: str) -> Expected | None:
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
    """The dump that `inputs` name. Raises WikiprepError for what is no dump (`find_parts`), for a checksum file that is
    none, and, without `allow_missing`, for a dump of which parts are absent."""
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
