"""Whether all parts of a corpus were made with the rules that its manifest names: as a receipt says of each."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from wikiprep.files import Store
from wikiprep.units.receipts import DAMAGE

NAMED = 3  # parts that a line names


def check_mixed(store: Store, manifest: Mapping[str, Any]) -> Iterator[str]:
    """Yields a line for the parts of each stage that were made with one other state of rules or options.

    A corpus without its receipts (`_state/` was left behind as it was copied) says nothing of its parts.
    """
    rules, version = manifest.get("rules", {}), manifest["versions"].get("wikiprep", "unknown")
    for stage, fingerprint in manifest["fingerprints"].items():
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
