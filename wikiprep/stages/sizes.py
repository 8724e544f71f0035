"""How much a finished corpus holds, as its manifest counts it."""

from collections.abc import Mapping
from typing import Any

from wikiprep.corpus.record_counts import RECORDS_WRITTEN
from wikiprep.stages.extract_counts import count_articles


def articles_in(manifest: Mapping[str, Any]) -> int:
    """Rows of articles/."""
    return count_articles(manifest["counts"].get("extract", manifest["counts"].get("import", {})))


def records_in(manifest: Mapping[str, Any]) -> int:
    """Records."""
    return int(manifest["counts"].get("records", {}).get(RECORDS_WRITTEN, 0))
