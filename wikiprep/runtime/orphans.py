"""Parts that no receipt knows: an attempt published them, was killed before its receipt, and the plan has changed."""

import re
from collections.abc import Iterable

from wikiprep.files import Store
from wikiprep.stages.template_copies import COPIES
from wikiprep.units.stage import Commit

_PART = re.compile(
    r"(articles|rejects|records)/(records-)?part-\d{5}-of-\d{5}\.(parquet|arrow)"
    r"|tables/mentions(\.parquet|/[^/]+)"  # of a build that had --mentions
)


def remove_orphans(store: Store, commits: Iterable[Commit]) -> list[str]:
    """Delete parts of the folders that `commits` wrote which are not theirs; returns their paths.

    Folders that no stage of this run wrote are left alone, and so is every name that is not a part's.
    """
    known_paths = {f.path for commit in commits for result in commit.results for f in result.files}
    folders = {path.partition("/")[0] for path in known_paths}
    orphans = [
        path
        for folder in sorted(folders & {"articles", "rejects", "records", "tables"})
        for path in store.list(folder)
        if _PART.fullmatch(path) and path not in known_paths
    ]
    orphans += store.list(COPIES)  # what `extract` did not come for
    for path in orphans:
        store.remove(path)
    return orphans
