"""This process: how many cores it may use, and how it does without pandas, or with it where users' code runs.

pyarrow imports pandas, where it is installed, at the first `pa.array(list)`, to see whether the list is a Series: two
seconds and 60 MB in every process of a build that never has one.
"""

import os
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


def usable_cores() -> int:
    """Those that it is tied to, where the system tells (Linux: `taskset`, Slurm, containers); else the machine's."""
    tied = getattr(os, "sched_getaffinity", None)
    return len(tied(0)) if tied is not None else os.cpu_count() or 1


class _NoPandas(MetaPathFinder, Loader):
    # Not `sys.modules["pandas"] = None`: compiled code such as pyarrow's takes the None for the module.
    def find_spec(self, fullname: str, path: object, target: object = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self) if fullname == "pandas" else None

    # The error comes from the import, not from looking for the module: torch looks and does not expect one.
    def exec_module(self, module: ModuleType) -> None:
        raise ModuleNotFoundError("pandas is left out of wikiprep's processes", name="pandas")


def leave_pandas_out() -> None:
    """For the first lines of a process that is wikiprep's alone, never for a library's caller."""
    sys.meta_path.insert(0, _NoPandas())


def let_pandas_in() -> None:
    """Before code of the user's own is imported, which may want it: pandas is then as in any other process.

    pyarrow asks once in a process: what it does with a Series is right if it has not asked before.
    """
    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _NoPandas)]
