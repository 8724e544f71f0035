"""Whether what a later build reads from `_state/` is what its receipts say.

Without `_state/` a corpus is whole; a build of it cannot go on.
"""

from collections.abc import Generator, Iterator, Mapping
from typing import Any

import orjson

from wikiprep.checks.parts import STATE
from wikiprep.files import Store, sha256_of
from wikiprep.progress import NO_PROGRESS, Progress
from wikiprep.units.receipts import DAMAGE


def check_state(store: Store, manifest: Mapping[str, Any], progress: Progress = NO_PROGRESS) -> Iterator[str]:
    """Yields one line a problem: files that units left there, and the JSON files of stages."""
    entries = yield from _read_receipts(store)
    with progress.part(STATE, sum(size for _, _, size, _ in entries)) as advance:
        for receipt, name, size, sum_ in entries:
            actual_size = store.size(name)
            if actual_size is None:
                yield f"{name}: missing, its receipt {receipt} is there"
            elif actual_size != size:
                yield f"{name}: {actual_size} bytes, its receipt says {size}"
            elif sum_ and sha256_of(store.fetch(name), advance) != sum_:
                yield f"{name}: its sha256 is not its receipt's"


def _read_receipts(store: Store) -> Generator[str, None, list[tuple[str, str, int, str]]]:
    """(receipt, file, size, sha256) of the files of `_state/`; yields a line for each receipt that is damaged."""
    entries = []
    for path in store.list("_state"):
        if not path.endswith(".json"):
            continue
        try:
            data = orjson.loads(store.read(path))
            files = data["files"] if "/units/" in path else []
            receipt_entries = [(path, file["path"], file["size"], file["sha256"]) for file in files]
        except DAMAGE as error:
            yield f"{path}: is damaged ({type(error).__name__})"
            continue
        entries += [it for it in receipt_entries if it[1].startswith("_state/")]  # others are in the manifest
    return entries
