"""Checks of a finished corpus (`wikiprep verify`): files, sums, and pointers."""

from collections.abc import Iterator

import pyarrow as pa

from wikiprep.checks.dangling import POINTERS, check_dangling
from wikiprep.checks.files import CHECKSUMS, STATE, check_files, check_mixed, check_state
from wikiprep.checks.left_out import LEFT_OUT, check_left_out
from wikiprep.checks.mentions import MENTIONS, check_mentions
from wikiprep.checks.recount import COUNTS, check_counts, check_equations
from wikiprep.checks.relations import RELATIONS, check_relations
from wikiprep.checks.wikidata import PART as TRIPLES
from wikiprep.checks.wikidata import check_wikidata
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import Manifest
from wikiprep.progress import NO_PROGRESS, Progress

__all__ = ["PARTS", "check_corpus"]

PARTS = (CHECKSUMS, STATE, COUNTS, POINTERS, MENTIONS, TRIPLES, RELATIONS, LEFT_OUT)  # of what is read, in order


def check_corpus(store: Store, manifest: Manifest, progress: Progress = NO_PROGRESS) -> Iterator[str]:
    """Yields one line a problem, nothing where all is in order. Each check runs even if another found something.

    `progress` is given PARTS; those that the corpus has nothing for are passed over.
    """
    yield from check_equations(manifest)
    yield from check_files(store, manifest, progress)
    yield from check_state(store, manifest, progress)
    yield from check_mixed(store, manifest)
    checks = (check_counts, check_dangling, check_mentions, check_wikidata, check_relations, check_left_out)
    for check in checks:
        try:
            yield from check(store, manifest, progress)
        except (pa.ArrowException, OSError, WikiprepError) as error:
            yield f"cannot be counted again: {error}"
