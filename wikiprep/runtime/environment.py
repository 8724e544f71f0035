"""What a build runs in, for bug reports, and for workers to be compared with the machine that sent them work."""

import platform
import sys
from functools import cache
from importlib import metadata

from wikiprep.compiled import WHY_NOT
from wikiprep.stages.build import stage_modules
from wikiprep.units.rules import digest_of, rules_of
from wikiprep.units.versions import content_versions
from wikiprep.version import wikiprep_version

OTHERS = (
    *("icu4py", "mwparserfromhell", "click", "duckdb", "orjson", "rapidgzip", "rich", "selectolax", "zstandard"),
    *("apache-beam", "pyspark", "torch", "transformers"),
)


@cache
def all_rules_digest() -> str:
    """Of the rules of all stages."""
    return digest_of({path: digest for module in stage_modules() for path, digest in rules_of(module).items()})


def environment() -> dict[str, str]:
    """Everything that `wikiprep version` prints; packages that are not installed say so."""
    table = {"wikiprep": wikiprep_version(), "rules": all_rules_digest(), **content_versions()}
    table |= {"platform": platform.platform(), "executable": sys.executable}
    table["compiled modules"] = f"not used: {WHY_NOT}" if WHY_NOT else "used"
    for name in OTHERS:
        try:
            table[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            table[name] = "not installed"
    return table
