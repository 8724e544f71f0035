"""Where a command that reads a corpus may write."""

from pathlib import Path

from wikiprep.errors import UsageError
from wikiprep.files import Store


def must_be_outside(target: str, *corpora: str) -> None:
    """Raises UsageError for a target in the folder of a corpus: an export there could take the place of a shard that it
    is made from, or of the manifest."""
    place = Path(target).resolve()
    for corpus in corpora:
        root = Store(corpus).root
        if root is not None and place.is_relative_to(root.resolve()):
            raise UsageError(f"{target}: is in the corpus {corpus}, whose files are the build's", "name another place")
