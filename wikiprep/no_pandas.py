"""Keeps pandas out of wikiprep's own processes.

pyarrow imports pandas, where it is installed, at the first `pa.array(list)`, to see whether the list is a Series: two
seconds and 60 MB in every process of a build that never has one.
"""

import sys


def leave_pandas_out() -> None:
    """For the first lines of a process that is wikiprep's alone, never for a library's caller."""
    # None makes an import fail as if there were no such package.
    sys.modules.setdefault("pandas", None)  # type: ignore[arg-type]
