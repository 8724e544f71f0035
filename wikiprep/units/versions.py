"""The versions that can change a byte of the output."""

import platform
import unicodedata
from importlib import metadata

import icu4py

CONTENT = ("marisa-trie", "numpy", "pyarrow", "tokenizers")


def content_versions() -> dict[str, str]:
    """Part of every stage's fingerprint. Of wikiprep itself its rules count, not its version (`units/rules.py`)."""
    return {
        "python": platform.python_version(),
        "icu": icu4py.icu_version,
        "unicode": unicodedata.unidata_version,
        **{name: metadata.version(name) for name in CONTENT},
    }
