"""What `verify` reads, part by part, and how much of it there is."""

from collections.abc import Mapping
from typing import Any

CHECKSUMS, STATE, COUNTS, POINTERS = "checksums", "checksums of _state", "counts", "pointers"
MENTIONS, TRIPLES, RELATIONS, LEFT_OUT = "mentions", "triples", "relations", "pages left out"
PARTS = (CHECKSUMS, STATE, COUNTS, POINTERS, MENTIONS, TRIPLES, RELATIONS, LEFT_OUT)


def articles_in(manifest: Mapping[str, Any]) -> int:
    """Rows of articles/, as the manifest counts them."""
    counts = manifest["counts"].get("extract", manifest["counts"].get("import", {}))
    return int(counts.get("pages.article", 0)) + int(counts.get("pages.disambiguation", 0))


def records_in(manifest: Mapping[str, Any]) -> int:
    """Records, likewise."""
    return int(manifest["counts"].get("records", {}).get("records.written", 0))
