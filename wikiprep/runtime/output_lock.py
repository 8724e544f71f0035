"""One build at a time in a local output."""

import contextlib
from collections.abc import Iterator

from wikiprep.errors import WikiprepError
from wikiprep.file_lock import file_lock
from wikiprep.files import Store


@contextlib.contextmanager
def output_lock(store: Store) -> Iterator[None]:
    """Hold the output; raises WikiprepError where another build does. Object stores have no locks: nothing there."""
    if store.root is None:
        yield
        return

    def busy(holder: str) -> WikiprepError:
        return WikiprepError(
            f"{store.url}: another build (process {holder}) is writing there",
            "wait for it to end, or give another --output",
        )

    with file_lock(store.root / "_state" / "lock", busy):
        yield
