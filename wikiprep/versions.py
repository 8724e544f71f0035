"""The versions that can change a byte of the output, and those worth stating in a bug report."""

import platform
import sys
import unicodedata
from importlib import metadata

import icu4py

from wikiprep.compiled import WHY_NOT
from wikiprep.stages.rules import all_rules_digest
from wikiprep.version import wikiprep_version

CONTENT = ("marisa-trie", "numpy", "pyarrow", "tokenizers")
OTHERS = (
    *("icu4py", "mwparserfromhell", "click", "orjson", "rapidgzip", "rich", "selectolax", "zstandard"),
    *("apache-beam", "pyspark", "torch", "transformers"),
)


def content_versions() -> dict[str, str]:
    """Part of every stage's fingerprint. Of wikiprep itself its rules count, not its version (`stages/rules.py`)."""
    return {
        "python": platform.python_version(),
        "icu": icu4py.icu_version,
        "unicode": unicodedata.unidata_version,
        **{name: metadata.version(name) for name in CONTENT},
    }


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
