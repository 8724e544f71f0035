"""The user's own folder on local disk: machines are shared, and so is TMPDIR."""

import os
import stat
from pathlib import Path

from wikiprep.errors import WikiprepError


def own_folder(parent: str | None = None) -> Path:
    """`parent`/wikiprep-cache-UID (`parent`: TMPDIR where none is given), made if need be; nobody else can read it.

    Raises OSError where it cannot be made, WikiprepError where it is another user's, or a link.
    """
    folder = Path(parent or os.environ.get("TMPDIR", "/tmp")) / f"wikiprep-cache-{os.getuid()}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if status.st_uid != os.getuid() or not stat.S_ISDIR(status.st_mode):
        raise WikiprepError(
            f"{folder}: is not a folder of yours",
            "give another TMPDIR, or another place (a build: --scratch; a training: data.cache_folder)",
        )
    folder.chmod(0o700)
    return folder
