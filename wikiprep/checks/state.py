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
    listed = yield from _listed(store)
    with progress.part(STATE, sum(size for _, _, size, _ in listed)) as advance:
        for receipt, name, size, sum_ in listed:
            found = store.size(name)
            if found is None:
                yield f"{name}: missing, its receipt {receipt} is there"
            elif found != size:
                yield f"{name}: {found} bytes, its receipt says {size}"
            elif sum_ and sha256_of(store.fetch(name), advance) != sum_:
                yield f"{name}: its sha256 is not its receipt's"


def _listed(store: Store) -> Generator[str, None, list[tuple[str, str, int, str]]]:
    """(receipt, file, size, sha256) of the files of `_state/`; yields a line for each receipt that is damaged."""
    found = []
    for path in store.list("_state"):
        if not path.endswith(".json"):
            continue
        try:
            data = orjson.loads(store.read(path))
            files = data["files"] if "/units/" in path else []
            listed = [(path, file["path"], file["size"], file["sha256"]) for file in files]
        except DAMAGE as error:
            yield f"{path}: is damaged ({type(error).__name__})"
            continue
        found += [it for it in listed if it[1].startswith("_state/")]  # others are in the manifest
    return found
