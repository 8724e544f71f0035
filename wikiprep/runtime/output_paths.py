"""Whether the corpus that a command reads is there, and where the command may write."""

from pathlib import Path

from wikiprep.errors import UsageError, no_folder
from wikiprep.files import STDOUT, Store


def must_be_there(corpus: str) -> None:
    """Raises UsageError for a corpus on this machine whose folder is not there, whatever is wanted of it."""
    root = Store(corpus).root
    if root is not None and not root.is_dir():
        raise no_folder(corpus)


def must_be_outside(target: str, *corpora: str) -> None:
    """Raises UsageError for a target in the folder of a corpus: an export there could take the place of a shard that it
    is made from, or of the manifest."""
    if target == STDOUT:
        return
    place = Path(target).resolve()
    for corpus in corpora:
        root = Store(corpus).root
        if root is not None and place.is_relative_to(root.resolve()):
            raise UsageError(f"{target}: is in the corpus {corpus}, whose files are the build's", "name another place")
