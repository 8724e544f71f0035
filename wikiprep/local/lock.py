"""One build at a time in a local output: a lock that the system drops when its holder dies, however it dies."""

import contextlib
import fcntl
import os
from collections.abc import Iterator

from wikiprep.errors import WikiprepError
from wikiprep.files import Store, translated


@contextlib.contextmanager
def output_lock(store: Store) -> Iterator[None]:
    """Hold the output; raises WikiprepError where another build does. Object stores have no locks: nothing there."""
    if store.root is None:
        yield
        return
    path = store.root / "_state" / "lock"
    with translated(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 64, 0).decode(errors="replace").strip()
            raise WikiprepError(
                f"{store.url}: another build (process {holder or 'unknown'}) is writing there",
                "wait for it to end, or give another --output",
            ) from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)
