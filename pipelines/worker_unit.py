"""What a worker of an engine does with a unit: look whether it may, run it, and pack an error so that it travels."""

import socket
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from wikiprep.config import RunOptions
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.pipelines.failures import pack_failure
from wikiprep.process import usable_cores
from wikiprep.runtime.engine import Run
from wikiprep.runtime.run_log import all_rules_digest
from wikiprep.units.fingerprint import content_versions
from wikiprep.units.unit import NoReport, Result, Unit
from wikiprep.version import wikiprep_version


@dataclass(frozen=True, slots=True)
class Terms:
    """What goes with every unit. `versions`: the driver's, that could change a byte of the output."""

    options: RunOptions
    versions: Mapping[str, str]

    @classmethod
    def of(cls, options: RunOptions) -> "Terms":
        """Of this process, which is the driver."""
        return cls(options, _versions())


def perform(run: Run, terms: Terms, unit: Unit) -> Result:
    """Do a unit here. Raises UnitFailed, which `failures.unpack_failure` knows again.

    As many at a time in this process as `--workers` and its cores allow: Beam's runners give a worker process units
    without asking for its size, and each unit at work takes a core, a child process and memory.
    """
    try:
        with slots(min(terms.options.workers, usable_cores())):
            check_versions(terms.versions)
            check_output(unit.output, f"_state/{unit.stage}/plan.json")
            return run(unit, NoReport(), terms.options)
    except Exception as error:
        raise pack_failure(error, f"{unit.stage}/{unit.name}") from None


@cache
def slots(count: int) -> threading.Semaphore:
    """The places of this process for units at work, `count` of them."""
    return threading.Semaphore(max(1, count))


def check_versions(driver: Mapping[str, str]) -> None:
    """Raises WikiprepError where a version here could make other bytes than the driver's."""
    versions = _versions()
    different = {name: of for name, of in driver.items() if versions.get(name) != of}
    if different.keys() - {"wikiprep"}:  # whose version alone decides nothing: docs and tests have commits, too
        listing = ", ".join(f"{name} {versions.get(name)}, not {of}" for name, of in different.items())
        raise WikiprepError(
            f"the worker on {socket.gethostname()} has another environment than the driver: {listing}",
            "give the workers the driver's environment (wikiprep docs cluster); PYSPARK_PYTHON names Spark's Python",
        )


@cache
def _versions() -> dict[str, str]:
    return {"wikiprep": wikiprep_version(), "rules of wikiprep": all_rules_digest(), **content_versions()}


def check_output(output: str, witness: str) -> None:
    """Raises WikiprepError where a local output is another disk's: the driver's file `witness` is not there."""
    store = Store(output)
    if store.root is not None and not (store.root / witness).is_file():
        raise WikiprepError(
            f"{output}: the worker on {socket.gethostname()} does not see this folder of the driver",
            "a local path must lie on a disk that all workers share; else give gs://, s3:// or hdfs://",
        )
