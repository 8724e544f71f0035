"""Whether files are what the manifest, and in `_state/` receipts, say of them.

And whether rules are one and the same for all.

Every file that the manifest lists is there unchanged, and no other beside them. What a later build reads from `_state/`
is what its receipts say: without `_state/` a corpus is whole; a build of it cannot go on. All parts were made with the
rules that the manifest names, as a receipt says of each.
"""

from collections import defaultdict
from collections.abc import Generator, Iterator

import orjson

from wikiprep.files import Store, sha256_of
from wikiprep.manifest import Manifest
from wikiprep.progress import NO_PROGRESS, Progress
from wikiprep.units.receipts import DAMAGE

CHECKSUMS = "checksums"  # a part of what `verify` reads
STATE = "checksums of _state"  # a part of what `verify` reads
FOLDERS = ("articles/", "rejects/", "tables/", "tokenizer/", "records/")
NAMED = 3  # parts that a line names


def check_files(store: Store, manifest: Manifest, progress: Progress = NO_PROGRESS) -> Iterator[str]:
    """Yields one line a problem."""
    files = manifest.files_by_path()
    with progress.part(CHECKSUMS, manifest.total_size) as advance:
        for path, file in files.items():
            size = store.size(path)
            if size is None:
                yield f"{path}: missing"
            elif size != file.size:
                yield f"{path}: {size} bytes, the manifest says {file.size}"
            elif sha256_of(store.fetch(path), advance) != file.sha256:
                yield f"{path}: its sha256 is not the manifest's"
    for path in store.list():
        if path not in files and path.startswith(FOLDERS):
            yield f"{path}: not in the manifest"


def check_state(store: Store, manifest: Manifest, progress: Progress = NO_PROGRESS) -> Iterator[str]:
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


def check_mixed(store: Store, manifest: Manifest) -> Iterator[str]:
    """Yields a line for the parts of each stage that were made with one other state of rules or options.

    A corpus without its receipts (`_state/` was left behind as it was copied) says nothing of its parts.
    """
    rules, version = manifest.rules, manifest.wikiprep_version
    for stage, fingerprint in manifest.fingerprints.items():
        others: dict[str, list[str]] = defaultdict(list)
        for path in store.list(f"_state/{stage}/units"):
            try:
                receipt = orjson.loads(store.read(path))
                part_paths = [file["path"] for file in receipt["files"]] or [path]
                part_rules, part_version = (
                    receipt.get("rules", ""),
                    receipt.get("version") or "a version that did not say",
                )
                if part_rules != rules.get(stage, ""):
                    others[f"by wikiprep {part_version} with rules {part_rules or 'not noted'}"] += part_paths
                elif receipt["fingerprint"] != fingerprint:
                    others[f"by wikiprep {part_version} from other inputs, options or parts of earlier stages"] += (
                        part_paths
                    )
            except DAMAGE:
                yield f"{path}: damaged"
        for origin, paths in sorted(others.items()):
            more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
            examples = ", ".join(sorted(paths)[:NAMED]) + more
            manifest_origin = (
                f"the manifest is of wikiprep {version} with rules {rules.get(stage) or 'not noted'} for {stage}"
            )
            yield f"{examples}: made {origin}; {manifest_origin}"
