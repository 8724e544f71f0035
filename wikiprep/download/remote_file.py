"""What is to be fetched, as a server's status files tell it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path


@dataclass(frozen=True)
class RemoteFile:
    """One file. `path` is relative to a server's address; `size` in bytes, None where the status file does not say it.

    `sums`: algorithm as in hashlib -> digest in lower-case hex, never empty; `source` is the status file that has them.
    `kind` says what it is to a build ("dump", or an option's name), `group` the folder of a cache that it belongs to.
    """

    name: str
    path: str
    sums: Mapping[str, str]
    source: str
    kind: str
    group: str
    size: int | None = None


@dataclass(frozen=True)
class FileSet:
    """Files that belong together, of one `date` (YYYY-MM-DD). `texts`: small files to write beside them, by name.

    `servers`: addresses to fetch from, the one that told of them first.
    """

    files: tuple[RemoteFile, ...]
    texts: Mapping[str, bytes]
    date: str
    servers: tuple[str, ...] = ()

    def on(self, servers: tuple[str, ...]) -> "FileSet":
        """These files with their servers."""
        return replace(self, servers=servers)

    def of_kind(self, kind: str) -> list[RemoteFile]:
        """The files that are one thing to a build."""
        return [file for file in self.files if file.kind == kind]


@dataclass(frozen=True)
class TargetFolder:
    """Where files go: in `path` itself, or (`flat` False, a cache) in a folder of it for each group."""

    path: Path
    flat: bool

    def of(self, group: str) -> Path:
        """The folder of a group."""
        return self.path if self.flat else self.path / group

    def place(self, file: RemoteFile) -> Path:
        """The file's own path."""
        return self.of(file.group) / file.name
