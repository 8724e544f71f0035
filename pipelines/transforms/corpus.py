"""A finished corpus as the transforms use it: whose wiki it is, the options it was built with, and its tables.

All of it is looked at while the pipeline is made, so that what is missing is told before a job is sent.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeVar

from wikiprep.config import ExtractConfig, InputConfig, RecordsConfig, RelationsConfig
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import Manifest, read_manifest
from wikiprep.options.option_fields import check_all

T = TypeVar("T", ExtractConfig, InputConfig, RecordsConfig, RelationsConfig)
_KEPT = 4


class OpenedCorpus(Protocol):
    """What `wikiprep.open` gives."""

    @property
    def path(self) -> str:
        """The folder or address of the corpus."""


@dataclass(frozen=True)
class BuiltCorpus:
    """`store`: where it lies, by a path that means the same in every process of this machine."""

    store: Store
    manifest: Manifest

    @classmethod
    def open(cls, corpus: str | os.PathLike[str] | OpenedCorpus) -> "BuiltCorpus":
        """The corpus, or the tables, of a folder or address. Raises WikiprepError where no finished build is."""
        path = getattr(corpus, "path", None) or os.fspath(corpus)  # type: ignore[arg-type]
        url = absolute(str(path))
        manifest = read_manifest(Store(url))
        # What is fetched from a bucket is compared with the hashes that the stages noted.
        return cls(Store(url, trusted=tuple(sorted(manifest.fingerprints))), manifest)

    @cached_property
    def wiki(self) -> str:
        """The database name of its dump, such as "enwiki"; "" where the dump did not say."""
        return self.manifest.inputs.of_site("dbname") or ""

    @cached_property
    def language(self) -> str:
        """The code of its language."""
        return self.manifest.inputs.language

    def options(self, kind: type[T], stage: str, section: str) -> T | None:
        """The options of a stage as the corpus was built with them; None where it was built without."""
        values = self.manifest.options_of(stage).get(section)
        if values is None:
            return None
        field_names = {f.name for f in fields(kind)}
        return kind(**{name: value for name, value in values.items() if name in field_names})

    def folder_of(self, stage: str, fact: str = "folder") -> str | None:
        """Where a stage left its tables, relative to the output."""
        folder = self.manifest.facts_of(stage).get(fact)
        return None if folder is None else str(folder)

    def require(self, folder: str, names: Iterable[str], what: str) -> None:
        """Raises WikiprepError unless the tables are there."""
        for name in names:
            if self.store.size(f"{folder}/{name}") is None:
                raise WikiprepError(
                    f"{self.store.url}/{folder}/{name}: no such file: {what} are missing",
                    "give the whole folder that the build made, _state/ with it, or build it again",
                )

    def must_be_of(self, wiki: str, whose: str) -> None:
        """Raises UsageError where both are known and differ."""
        if wiki and self.wiki and wiki != self.wiki:
            raise UsageError(
                f"{whose} are of {wiki}, the corpus {self.store.url} is of {self.wiki}",
                "give the corpus of the same wiki: its titles, redirects and entities are others",
            )

    @property
    def left_out(self) -> bool:
        """Whether it was built with --leave-out."""
        return "listed" in self.manifest.fingerprints


def absolute(path: str) -> str:
    """A local path from the root, since workers may stand in another folder; an address as it is."""
    return path if "://" in path else str(Path(path).expanduser().absolute())


def check_options(options: T, section: str) -> T:
    """The options themselves. Raises UsageError for a value that cannot be."""
    check_all(options, section)
    return options


def make_room(files: dict[str, Any]) -> None:
    """Forget the oldest of what a process keeps open, so that one more makes a few.

    A pipeline may have several transforms of a kind, whose batches a child is given in turn.
    """
    while len(files) >= _KEPT:
        del files[next(iter(files))]
