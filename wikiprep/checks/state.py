"""Whether what a later build reads from `_state/` is what its receipts say.

Without `_state/` a corpus is whole; a build of it cannot go on.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from wikiprep.files import Store, sha256_of
from wikiprep.stages.receipts import DAMAGE


def check_state(store: Store, manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yields one line a problem: files that units left there, and the JSON files of stages."""
    for path in store.list("_state"):
        if not path.endswith(".json"):
            continue
        try:
            data = orjson.loads(store.read(path))
            files = data["files"] if "/units/" in path else []
            listed = [(file["path"], file["size"], file["sha256"]) for file in files]
        except DAMAGE as error:
            yield f"{path}: is damaged ({type(error).__name__})"
            continue
        for name, size, sum_ in listed:
            if not name.startswith("_state/"):
                continue  # it is in the manifest
            found = store.size(name)
            if found is None:
                yield f"{name}: missing, its receipt {path} is there"
            elif found != size:
                yield f"{name}: {found} bytes, its receipt says {size}"
            elif sum_ and sha256_of(store.fetch(name)) != sum_:
                yield f"{name}: its sha256 is not its receipt's"
