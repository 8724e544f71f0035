"""Which wikiprep this is, by version control: a word for people. What decides bytes is `units/stage_rules.py`.

In a git checkout the version is that of the checkout as it stands, not as it was when it was installed. Built packages
have it in `_version.py`, which hatch-vcs writes as they are built (pyproject.toml). Both follow setuptools-scm's scheme
"guess-next-dev": `0.2.0` at a tag, `0.2.1.dev7+g1a2b3c4d5` seven commits after it; before the first tag `0.1.dev406+…`,
counted from the first commit. What differs from its commit says so: `….dirty` in a checkout, the date of the build in a
package. Where nothing can be known, as in a checkout without git: `0+unknown`.
"""

import re
from functools import cache
from importlib import import_module, metadata
from pathlib import Path

UNKNOWN = "0+unknown"
_DESCRIBED = re.compile(r"v?(?P<tag>\d+(?:\.\d+)*)-(?P<distance>\d+)-g(?P<node>[0-9a-f]+)(?P<dirty>-dirty)?")
_NODE = 9  # hexadecimal digits of a commit, as setuptools-scm has them


@cache
def wikiprep_version() -> str:
    """The version, found once a process."""
    root = Path(__file__).parents[1]
    return (_is_our_checkout(root) and of_checkout(root)) or _of_package() or UNKNOWN


def of_checkout(root: Path) -> str | None:
    """The version of a git checkout; None where git cannot say."""
    description = _git(root, "describe", "--tags", "--long", "--dirty", f"--abbrev={_NODE}", "--match", "v[0-9]*")
    if description and (match := _DESCRIBED.fullmatch(description)):
        tag, distance, node, dirty = match["tag"], int(match["distance"]), match["node"], bool(match["dirty"])
        if not distance and not dirty:
            return tag
        first, _, last = tag.rpartition(".")
        tag = f"{first}.{int(last) + 1}" if first else str(int(last) + 1)
    else:
        head, count = _git(root, "rev-parse", "HEAD"), _git(root, "rev-list", "--count", "HEAD")
        if not head or not count:
            return None
        tag, distance, node = "0.1", int(count), head[:_NODE]
        dirty = bool(_git(root, "status", "--porcelain", "--untracked-files=no"))
    return f"{tag}.dev{distance}+g{node}" + (".dirty" if dirty else "")


def _is_our_checkout(root: Path) -> bool:
    """And not the folder of some project that has a copy of this package."""
    try:
        return (root / ".git").exists() and 'name = "wikiprep"' in (root / "pyproject.toml").read_text("utf-8")
    except OSError:
        return False


def _git(root: Path, *words: str) -> str | None:
    import subprocess  # only a checkout needs it

    try:
        # Without optional locks nothing is written: another git may work here, and the folder may be read-only.
        completed = subprocess.run(
            ["git", "--no-optional-locks", "-C", str(root), *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return None
    return completed.stdout.strip() if completed.returncode == 0 else None


def _of_package() -> str | None:
    try:
        version: str = import_module("wikiprep._version").version
    except (ImportError, AttributeError):
        try:
            version = metadata.version("wikiprep")
        except metadata.PackageNotFoundError:
            return None
    return version
