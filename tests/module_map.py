"""Which tests are of which modules, by what each file says: imports, dotted names in strings, commands, file names.

A test file is of a module where it names it, or where a support module or a conftest.py that it uses does. A module
that no test names is tested through the nearest modules that import it. Nothing is imported to find that out.
"""

import ast
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests"
MAP = TESTS / "module_map.json"
FEW, MORE = 3, 12  # test files of a module: fewer are not enough, and so many are then added
SHOWN = 5  # test files of a module in the map: the nearest of them
# Modules without a test, each with the reason.
_BY_HAND = "writes data files of the package from sources that are not here; tests look at what it wrote"
EXCEPTIONS = {
    f"wikiprep.languages.generate_{what}": _BY_HAND for what in ("words", "converters", "formats", "conjunctions")
}
_DOTTED = re.compile(r"\bwikiprep(?:\.[a-z_0-9]+)+")


@cache
def modules() -> dict[str, str]:
    """Every module of the package that does something, by its dotted name: its file, from the root."""
    found = {}
    for folder, prefix in (("wikiprep", "wikiprep"), ("pipelines", "wikiprep.pipelines")):
        for path in (ROOT / folder).rglob("*.py"):
            inner = path.relative_to(ROOT / folder)
            if inner.parts[0] == "pipelines" or inner.name == "_version.py":  # the link; what a build writes
                continue
            if len(tree_of(path).body) < 2 and path.name == "__init__.py":  # a docstring, or nothing
                continue
            words = [prefix, *inner.with_suffix("").parts]
            name = ".".join(words[:-1] if words[-1] == "__init__" else words)
            found[name] = path.relative_to(ROOT).as_posix()
    return found


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_bytes())


@cache
def constants() -> tuple[dict[str, str], dict[str, str]]:
    """Modules behind the commands of `wikiprep`, and behind the public names, read from the two tables of them."""
    commands = _table(ROOT / "wikiprep/cli/main.py", "COMMANDS")
    places = _table(ROOT / "wikiprep/__init__.py", "_PLACES")
    behind = {command: f"wikiprep.cli.{module}" for command, (module, _) in commands.items()}
    return behind, {name: f"wikiprep.{place}" for place, names in places.items() for name in names}


def _table(path: Path, name: str) -> dict[str, tuple[str, ...]]:
    for node in tree_of(path).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                table: dict[str, tuple[str, ...]] = ast.literal_eval(node.value)
                return table
    raise LookupError(f"{path}: no {name}")


def known(name: str) -> str | None:
    """The module of a dotted name, which may end in something of it."""
    while name not in modules():
        name, _, rest = name.rpartition(".")
        if not rest:
            return None
    return name


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """All of a file's syntax: walked once, looked at often."""
    return tuple(ast.walk(tree_of(path)))


@cache
def strings_of(path: Path) -> frozenset[str]:
    """All strings of a file."""
    return frozenset(it.value for it in nodes_of(path) if isinstance(it, ast.Constant) and isinstance(it.value, str))


@cache
def _imported(path: Path) -> tuple[str, ...]:
    """Dotted names that a file imports, wherever in it."""
    return tuple(_imports(nodes_of(path)))


def _imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module  # where it is a package, that is more than the names: its own code
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def named_by(path: Path) -> frozenset[str]:
    """Modules of the package that one file of the tests names, in whatever way."""
    commands, public = constants()
    found = {known(name) for name in _imported(path)}
    words = strings_of(path)
    found |= {commands[word] for word in words & commands.keys()}  # a word of a command line
    found |= {known(name) for word in words if "wikiprep." in word for name in _DOTTED.findall(word)}
    if "-m" in words:  # python -m PACKAGE
        found |= {name for word in words if (name := f"{word}.__main__") in modules()}
    for node in nodes_of(path):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "wikiprep":
            found.add(public.get(node.attr))
    found |= {public[name.removeprefix("wikiprep.")] for name in _imported(path) if name[9:] in public}
    return frozenset(name for name in found if name and name != "wikiprep")


@cache
def _support() -> dict[str, Path]:
    """Files that tests share, by the name that they are imported by: STEM, or PACKAGE.STEM."""
    found = {}
    for path in TESTS.rglob("*.py"):
        if not path.name.startswith("test_") and path.name not in ("__init__.py", "conftest.py"):
            package = f"{path.parent.name}." if (path.parent / "__init__.py").is_file() else ""
            found[package + path.stem] = path
    return found


@cache
def shared(path: Path) -> frozenset[Path]:
    """The support modules that a file imports."""
    names = set(_imported(path))
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and node.level:
            names |= {f"{path.parent.name}.{node.module or alias.name}" for alias in node.names}
    starts = {start for name in names for words in [name.split(".")] for start in (words[0], ".".join(words[:2]))}
    return frozenset(_support()[start] for start in starts & _support().keys())


@cache
def test_files() -> list[Path]:
    """Without the one of this map, which names modules and tests none."""
    return sorted(path for path in TESTS.rglob("test_*.py") if path.name != "test_module_map.py")


@cache
def _fixtures(path: Path) -> dict[str, ast.FunctionDef]:
    return {
        node.name: node
        for node in tree_of(path).body
        if isinstance(node, ast.FunctionDef) and any("fixture" in ast.dump(it) for it in node.decorator_list)
    }


@cache
def _arguments(path: Path) -> set[str]:
    """Names of fixtures that a file asks for."""
    functions = [node for node in nodes_of(path) if isinstance(node, ast.FunctionDef)]
    asked = {argument.arg for node in functions for argument in node.args.args}
    return asked | strings_of(path)  # usefixtures("…"); autouse is seen by none


@cache
def helpers_of(path: Path) -> frozenset[Path]:
    """Files of the tests that a file uses: support modules that it imports, conftest.py whose fixtures it asks for."""
    found: set[Path] = set()
    todo = [path]
    while todo:
        here = todo.pop()
        used = set(shared(here))
        above = [folder / "conftest.py" for folder in path.parents if folder == TESTS or TESTS in folder.parents]
        asked = _arguments(here)
        used |= {file for file in above if file.is_file() and asked & set(_fixtures(file))}
        todo += used - found
        found |= used
    return frozenset(found - {path})


@cache
def tests_of() -> dict[str, dict[str, int]]:
    """For each module that a test names: the test files, and how far the naming is: 0 itself, 1 by a helper."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for path in test_files():
        name = path.relative_to(ROOT).as_posix()
        for helper in helpers_of(path):
            for module in named_by(helper):
                found[module][name] = 1
        for module in named_by(path):
            found[module][name] = 0
    for module, path in modules().items():
        stem = Path(path).stem
        for test in ROOT.joinpath(mirrored(path)).glob(f"test_{stem}*.py"):
            if test.stem == f"test_{stem}" or test.stem.startswith(f"test_{stem}_"):
                found[module][test.relative_to(ROOT).as_posix()] = 0
    return dict(found)


def mirrored(path: str) -> str:
    """The folder of the tests of a module's file."""
    folder = Path(path).parent.as_posix()
    return folder.replace("wikiprep", "tests", 1) if folder.startswith("wikiprep") else f"tests/{folder}"


@cache
def importers() -> dict[str, set[str]]:
    """Modules of the package by a module that they import."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, path in modules().items():
        for imported in {known(it) for it in (*_imported(ROOT / path), *_by_name(ROOT / path))} - {None, name}:
            found[str(imported)].add(name)
            package = str(imported).rpartition(".")[0]
            if package in modules() and package != "wikiprep":  # its own code runs before that of what is in it
                found[package].add(name)
    return dict(found)


def _by_name(path: Path) -> Iterator[str]:
    """Modules that a file imports when it is asked for one: dotted names in strings, and what may follow a prefix."""
    texts = strings_of(path)
    yield from (name for text in texts if "wikiprep." in text for name in _DOTTED.findall(text))
    for prefix in (text for text in texts if text.startswith("wikiprep.") and text.endswith(".")):
        yield from (prefix + text for text in texts if prefix + text in modules())


def through(module: str) -> tuple[list[str], list[str]]:
    """For a module that no test names: the nearest modules that import it and are named, and the tests of these."""
    seen, ring = {module}, {module}
    while ring:
        ring = {up for name in ring for up in importers().get(name, ())} - seen
        seen |= ring
        if near := sorted(name for name in ring if name in tests_of()):
            return near, ranked(module, {test: 1 for name in near for test in direct(name)})
    return [], []


def direct(module: str) -> list[str]:
    """Test files of a module, the nearest first; of helpers' naming only where no test names it itself."""
    tests = tests_of().get(module, {})
    nearest = min(tests.values(), default=0)
    return ranked(module, {test: far for test, far in tests.items() if far == nearest})


def tests_for(module: str) -> list[str]:
    """Test files to run for a change of a module, the nearest first.

    Where only a few name it, and none is named after it, what it does is mostly seen through those who import it: the
    nearest of their tests too.
    """
    named = direct(module)
    stem = Path(modules()[module]).stem
    if len(named) >= FEW or any(stem in Path(test).stem for test in named):
        return named
    return list(dict.fromkeys([*named, *through(module)[1][: None if not named else MORE]]))


def the_map() -> str:
    """What module_map.json holds: a line for each module, so that changes can be read."""
    lines = []
    for module, path in sorted(modules().items(), key=lambda it: it[1]):
        entry: dict[str, object] = {}
        if named := direct(module):
            entry["tests"] = named[:SHOWN]
        elif module in EXCEPTIONS:
            entry["none"] = EXCEPTIONS[module]
        else:
            near, tests = through(module)
            entry = {"through": [modules()[name] for name in near[:3]], "tests": tests[:SHOWN]}
        lines.append(f"{json.dumps(path)}: {json.dumps(entry)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def ranked(module: str, tests: Iterable[str]) -> list[str]:
    """By name first, then by folder, then those that are of the fewest modules."""
    path = Path(modules()[module])
    folder = Path(mirrored(path.as_posix()))
    stem = path.parent.name if path.stem == "__init__" else path.stem

    def place(test: str) -> tuple[bool, bool, int, str]:
        file = Path(test)
        named = stem in file.stem.removeprefix("test_")
        return (not (named and file.parent == folder), file.parent != folder, len(named_by(ROOT / test)), test)

    return sorted(tests, key=place)
