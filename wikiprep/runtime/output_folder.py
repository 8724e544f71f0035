"""Folders that commands read and write: whether a corpus is there, where output may go, one build at a time in it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from wikiprep.errors import UsageError, WikiprepError, no_folder
from wikiprep.file_lock import file_lock
from wikiprep.files import STDOUT, Store


def must_be_there(corpus: str) -> None:
    """Raises UsageError for a corpus on this machine whose folder is not there, whatever is wanted of it."""
    root = Store(corpus).root
    if root is not None and not root.is_dir():
        raise no_folder(corpus)


def must_be_outside(target: str, *corpora: str) -> None:
    """Raises UsageError for a target in the folder of a corpus.

    An export there could take the place of a shard that it is made from, or of the manifest.
    """
    if target == STDOUT:
        return
    place = Path(target).resolve()
    for corpus in corpora:
        root = Store(corpus).root
        if root is not None and place.is_relative_to(root.resolve()):
            raise UsageError(f"{target}: is in the corpus {corpus}, whose files are the build's", "name another place")


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
