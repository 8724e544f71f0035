"""Which runners there are, by the names that a user may give. An unknown one is refused; none stands in for another."""

import difflib

from wikiprep.errors import UsageError

SPARK = "spark"
BEAM = ("FnApiRunner", "PrismRunner", "PortableRunner", "DataflowRunner", "FlinkRunner", "SparkRunner")
NAMES = ("local", SPARK, *BEAM)
# Without "Runner" too, but for SparkRunner: that would be PySpark's name.
_KNOWN = {name.lower(): name for name in NAMES} | {
    name.lower().removesuffix("runner"): name for name in BEAM if name != "SparkRunner"
}
_DIRECT = ("directrunner", "direct", "switchingdirectrunner", "bundlebaseddirectrunner")


def runner_by_name(name: str) -> str:
    """The runner's own name, in any case. Raises UsageError for what is none, with those that are."""
    key = name.strip().lower()
    if key in _DIRECT:
        raise UsageError(
            f"--runner {name}: Beam's DirectRunner hands over to another runner as it sees fit",
            "name that one: --runner FnApiRunner (this process) or --runner PrismRunner",
        )
    if key not in _KNOWN:
        matches = difflib.get_close_matches(key, _KNOWN, 1)
        hint = f"did you mean {_KNOWN[matches[0]]}? " if matches else ""
        raise UsageError(f"--runner {name}: no such runner", f"{hint}runners are {', '.join(NAMES)}")
    return _KNOWN[key]
