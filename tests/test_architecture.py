"""ARCHITECTURE.md says what is so: each room imports the rooms of its last column and no other; its files are there."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([\w/]+)/` \| (.*) \|(.*)\|$", TEXT, re.M)
PYTHON = {room: ROOT / (room if room == "pipelines" else f"wikiprep/{room}") for room, _, _ in ROWS if room != "docker"}


def room_of(module: str) -> str | None:
    """The room of a dotted name: the innermost that the page has; None for files beside the rooms."""
    path = module.replace(".", "/")
    if not path.startswith(("wikiprep/", "pipelines")):
        return None
    path = path.removeprefix("wikiprep/")
    return max((room for room in PYTHON if path == room or path.startswith(f"{room}/")), key=len, default=None)


def imported(file: Path) -> Iterator[str]:
    """Dotted names that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def files_of(room: str) -> list[Path]:
    """The room's own, without those of a room in it."""
    return [path for path in PYTHON[room].rglob("*.py") if room_of(path.relative_to(ROOT).as_posix()[:-3]) == room]


def test_each_room_imports_what_its_row_says() -> None:
    said, found = {}, {}
    for room, _, column in ROWS:
        if room in PYTHON:
            names = {room_of(name) for file in files_of(room) for name in imported(file)}
            said[room] = set(re.findall(r"`([\w/]+)/`", column))
            found[room] = names - {room, None}
    assert said == found


def test_every_room_has_a_row() -> None:
    rooms = {
        path.parent.relative_to(ROOT / "wikiprep").as_posix() for path in (ROOT / "wikiprep").glob("*/__init__.py")
    }
    assert rooms <= {room for room, _, _ in ROWS}
    assert (ROOT / "docker").is_dir()


def test_every_file_that_is_named_is_there() -> None:
    there = [
        path.as_posix() for top in ("wikiprep", "pipelines", "tests", "docs") for path in (ROOT / top).rglob("*.py")
    ]
    there += [path.name for path in ROOT.glob("*.py")]
    named = {name.lstrip("/") for name in re.findall(r"`((?:[\w]+/)*\w+\.py)`", TEXT)}
    assert len(named) > 30
    assert sorted(name for name in named if not any(f"/{path}".endswith(f"/{name}") for path in there)) == []


def test_rows_stand_in_the_order_of_the_import_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    layers = [[name.strip() for name in layer.split("|")] for layer in contracts[0]["layers"]]
    height = {name: len(layers) - number for number, names in enumerate(layers) for name in names}
    rows = [height[room.partition("/")[0]] for room, _, _ in ROWS if room != "docker"]
    assert rows == sorted(rows)
