"""A corpus as a report reads it: its manifest, and columns of its tables a row group at a time."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.counts import Count
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import read_manifest

_HINT = "`wikiprep verify` says what else is damaged; remove it and give the build's command again: it makes it anew"


class ReportCorpus:
    """An output of a finished build. `name` tells it from the one that it is compared with."""

    def __init__(self, address: str, name: str | None = None) -> None:
        """Raises WikiprepError for a folder that is no corpus, or whose build is not finished."""
        self.store = Store(address)
        self.manifest = read_manifest(self.store)
        root = self.store.root
        self.name = name or (root.resolve().name if root else address.rstrip("/").rpartition("/")[2]) or address

    def counts(self, stage: str) -> Mapping[Count, int]:
        """The counts of a stage; none where the build has no such stage."""
        return self.manifest.counts_of(stage)

    def has(self, rel: str) -> bool:
        """Whether a file is there."""
        return self.store.size(rel) is not None

    def lacks(self, thing: str, option: str) -> str:
        """The line of a section for which the corpus has no data."""
        return f"{self.name} has no {thing}: {option}."

    def parts(self, folder: str) -> list[str]:
        """The files of a folder, in order, by the manifest."""
        return sorted(self.manifest.paths(f"{folder}/"))

    @contextmanager
    def parquet(self, rel: str) -> Iterator[pq.ParquetFile]:
        """A Parquet file, open; damage, there or in what is read of it, is a WikiprepError."""
        with self.whole(rel), pq.ParquetFile(self.local(rel)) as file:
            yield file

    @contextmanager
    def whole(self, rel: str) -> Iterator[None]:
        """Around reading `rel`: turns damage into a WikiprepError of one line."""
        try:
            yield
        except FileNotFoundError as error:
            raise WikiprepError(f"{self.store.url}/{rel}: no such file", _HINT) from error
        except (pa.ArrowException, OSError, KeyError) as error:
            raise WikiprepError(f"{self.store.url}/{rel}: cannot be read whole", _HINT) from error

    def local(self, rel: str) -> Path:
        """Its path on this machine."""
        return self.store.fetch(rel)

    def batches(self, rel: str, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Columns of a table, some ten thousand rows at a time: memory does not grow with the table."""
        with self.parquet(rel) as file:
            yield from file.iter_batches(1 << 16, columns=list(columns))

    @cached_property
    def bytes_by_folder(self) -> Counter[str]:
        """What lies in each main folder."""
        sums = Counter[str]()
        for file in self.manifest.files:
            folder, slash, _ = file.path.rpartition("/")
            sums[f"{folder}/" if slash else "beside them"] += file.size
        return sums


def open_corpora(first: str, second: str | None) -> list[ReportCorpus]:
    """The corpora of a report, under names that differ."""
    corpora = [ReportCorpus(address) for address in (first, second) if address is not None]
    if len({corpus.name for corpus in corpora}) < len(corpora):
        for corpus, letter in zip(corpora, "AB", strict=False):
            corpus.name = f"{letter}: {corpus.name}"
    return corpora
