"""The versions that CI installs: `.ci/lock.txt`, constraints of everything that `.[dev,beam,spark]` brings.

`python .ci/lock.py` renews it (with uv, from the package index): the newest versions that pyproject.toml allows, for
every Python that it allows. `--check` needs neither, and fails where pyproject.toml asks for something else than the
file was made of. The file constrains and brings nothing by itself, so that PyTorch without CUDA is as welcome.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = ("dev", "beam", "spark")
RENEW = "python .ci/lock.py"
MADE_OF = "# made of pyproject.toml's requirements: "


def requirements_digest(pyproject: Path) -> str:
    """Of all that decides what can be installed: comments and order in the file do not count."""
    project = tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]
    asked = [
        project["requires-python"],
        sorted(project["dependencies"]),
        {extra: sorted(lines) for extra, lines in project["optional-dependencies"].items()},
    ]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]


def why_stale(pyproject: Path, lock: Path) -> str | None:
    """What to tell whoever changed pyproject.toml and not the lock; None where they belong together."""
    now = requirements_digest(pyproject)
    lines = lock.read_text(encoding="utf-8").splitlines() if lock.is_file() else []
    made_of = next((line.removeprefix(MADE_OF) for line in lines if line.startswith(MADE_OF)), "nothing")
    if made_of == now:
        return None
    return f"{lock}: made of other requirements than pyproject.toml's ({made_of}, not {now})\n  {RENEW}"


def renew(pyproject: Path, lock: Path) -> None:
    """Resolve anew and write the file. Raises CalledProcessError where uv finds no versions, and says why on stderr."""
    uv = [found] if (found := shutil.which("uv")) else [sys.executable, "-m", "uv"]
    asked = [word for extra in EXTRAS for word in ("--extra", extra)]
    how = ["--quiet", "--universal", "--python-version", "3.11", "--no-header", "--no-annotate"]
    pinned = subprocess.run(
        [*uv, "pip", "compile", *how, *asked, str(pyproject)], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    head = f"# Constraints of CI, renewed by: {RENEW}\n{MADE_OF}{requirements_digest(pyproject)}\n"
    lock.write_text(head + pinned, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="Only say whether the file is stale.")
    pyproject, lock = ROOT / "pyproject.toml", ROOT / ".ci" / "lock.txt"
    if not parser.parse_args().check:
        renew(pyproject, lock)
    elif (why := why_stale(pyproject, lock)) is not None:
        print(why, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
