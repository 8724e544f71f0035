"""Whether every file that the manifest lists is there unchanged, and no other beside them."""

from collections.abc import Iterator, Mapping
from typing import Any

from wikiprep.checks.parts import CHECKSUMS
from wikiprep.files import Store, sha256_of
from wikiprep.progress import NO_PROGRESS, Progress

FOLDERS = ("articles/", "rejects/", "tables/", "tokenizer/", "records/")


def check_files(store: Store, manifest: Mapping[str, Any], progress: Progress = NO_PROGRESS) -> Iterator[str]:
    """Yields one line a problem."""
    entries = {entry["path"]: entry for entry in manifest["files"]}
    with progress.part(CHECKSUMS, sum(entry["size"] for entry in entries.values())) as advance:
        for path, entry in entries.items():
            size = store.size(path)
            if size is None:
                yield f"{path}: missing"
            elif size != entry["size"]:
                yield f"{path}: {size} bytes, the manifest says {entry['size']}"
            elif sha256_of(store.fetch(path), advance) != entry["sha256"]:
                yield f"{path}: its sha256 is not the manifest's"
    for path in store.list():
        if path not in entries and path.startswith(FOLDERS):
            yield f"{path}: not in the manifest"
