"""The versions that can change a byte of the output, and those worth stating in a bug report."""

import platform
import sys
import unicodedata
from importlib import metadata

import icu4py

import wikiprep
from wikiprep.compiled import WHY_NOT

CONTENT = ("marisa-trie", "numpy", "pyarrow", "tokenizers")
OTHERS = (
    *("icu4py", "mwparserfromhell", "click", "orjson", "rapidgzip", "rich", "zstandard"),
    *("apache-beam", "pyspark", "torch", "transformers"),
)


def content_versions() -> dict[str, str]:
    """Part of every stage's fingerprint."""
    return {
        "wikiprep": wikiprep.__version__,
        "python": platform.python_version(),
        "icu": icu4py.icu_version,
        "unicode": unicodedata.unidata_version,
        **{name: metadata.version(name) for name in CONTENT},
    }


def environment() -> dict[str, str]:
    """Everything that `wikiprep version` prints; packages that are not installed say so."""
    table = content_versions() | {"platform": platform.platform(), "executable": sys.executable}
    table["compiled modules"] = f"not used: {WHY_NOT}" if WHY_NOT else "used"
    for name in OTHERS:
        try:
            table[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            table[name] = "not installed"
    return table
