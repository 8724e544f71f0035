"""Which extras a test needs, by what it imports: from that its markers, `pytest -m "not beam and not train"`.

A test needs what its file imports at its top, what its own body, the fixtures it asks for and the functions of its file
that it calls import or ask for with `importorskip`, and what the modules of wikiprep among these import as they are
imported. A word that is a command (`"pretrain"`) brings what the command's module imports at all; an engine's runner
brings the engine. Nothing is imported to find that out.
"""

import ast
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import module_map
from module_map import ROOT, TESTS, modules, tree_of

NEEDS = TESTS / "needs.json"
# Packages that an extra brings and `pip install wikiprep` does not, by the extra: the markers.
EXTRAS = {
    "beam": ("apache_beam", "google"),
    "spark": ("pyspark", "py4j"),
    "train": ("torch", "safetensors", "transformers", "accelerate", "tensorboard"),
    "knowledge": ("pykeen",),
    "report": ("jinja2", "matplotlib"),
    "clusters": ("sklearn", "scipy"),
    "picture": ("umap",),
    "tagger": ("spacy",),
    "compare": ("mwparserfromhell",),
    "docs": ("sphinx", "nbclient"),
}
# What an extra cannot be without.
ALONG = {"knowledge": ("train",), "picture": ("clusters",)}
# What a command needs for an option of it alone.
OPTIONAL = {
    ("wikitext", "compare"): "--compare",
    ("annotate", "train"): "--model",
    ("annotate-squad", "train"): "--model",
}
# Modules that import what they need when they are called.
LATE = {"wikiprep.report": "report", "wikiprep.cli.report": "report"}
# Test files that are an engine's by their names.
NAMED = {"test_beam": "beam", "test_spark": "spark", "test_dataflow": "beam"}
RUNNERS = {"spark": "spark", "FnApiRunner": "beam", "PrismRunner": "beam", "PortableRunner": "beam"}
_EXTRA_OF = {package: extra for extra, packages in EXTRAS.items() for package in packages}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def _of_nodes(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Dotted names imported, or asked for with importorskip or find_spec, and runners named, in these nodes."""
    strings = set()
    for node in nodes:
        if isinstance(node, ast.Constant):
            strings.add(node.value)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("importorskip", "find_spec", "import_module"):
                yield str(node.args[0].value)
    for runner in RUNNERS:
        if f"--runner={runner}" in strings or ("--runner" in strings and runner in strings):
            yield f"runner {runner}"


@cache
def _at_import(path: Path) -> frozenset[str]:
    """What runs when a file is imported: not the insides of functions, nor what only a type checker reads."""
    nodes: list[ast.AST] = []
    todo: list[ast.AST] = [tree_of(path)]
    while todo:
        node = todo.pop()
        if isinstance(node, _Function):
            todo += node.decorator_list
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in (getattr(node.test, "id", ""), _last(node.test))):
            nodes.append(node)
            todo += ast.iter_child_nodes(node)
    return frozenset(_of_nodes(nodes))


def _last(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else ""


@cache
def _inside(function: _Function) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Of a function: dotted names that it imports, its strings, and the names that it uses or asks for."""
    nodes = list(ast.walk(function))
    strings = frozenset(it.value for it in nodes if isinstance(it, ast.Constant) and isinstance(it.value, str))
    names = {it.id for it in nodes if isinstance(it, ast.Name)}
    names |= {argument.arg for it in nodes if isinstance(it, _Function) for argument in it.args.args}
    return frozenset(_of_nodes(nodes)), strings, frozenset(names | strings)


@cache
def packages_of(module: str) -> frozenset[str]:
    """Extras that a module of wikiprep needs to be imported at all."""
    seen, todo, found = {module}, [module], set()
    while todo:
        for name in _at_import(ROOT / modules()[todo.pop()]):
            if (inner := module_map.known(name)) is None:
                found |= {_EXTRA_OF[word] for word in [name.partition(".")[0]] if word in _EXTRA_OF}
            elif inner not in seen and inner != "wikiprep":
                seen.add(inner)
                todo.append(inner)
    return frozenset(found)


@cache
def _of_command(module: str) -> frozenset[str]:
    """Extras of a command: it imports what it needs when it is called."""
    names = set(_of_nodes(module_map.nodes_of(ROOT / modules()[module])))
    return _extras(name for name in names if not name.startswith("wikiprep.pipelines"))


def _extras(names: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for name in names:
        if name.startswith("runner "):
            found.add(RUNNERS[name.removeprefix("runner ")])
        elif (module := module_map.known(name)) and module != "wikiprep":
            found |= packages_of(module)
            found |= {extra for start, extra in LATE.items() if f"{module}.".startswith(f"{start}.")}
        else:
            found |= {_EXTRA_OF[word] for word in [name.partition(".")[0]] if word in _EXTRA_OF}
    return frozenset(found)


@cache
def _of_file(path: Path) -> frozenset[str]:
    """What a file of tests needs to be imported: with that of the support modules that it imports."""
    seen, todo = {path}, [path]
    while todo:
        more = set(module_map.shared(todo.pop())) - seen
        seen |= more
        todo += more
    return _extras(name for file in seen for name in _at_import(file))


@cache
def _functions_of(path: Path) -> dict[str, _Function]:
    return {node.name: node for node in module_map.nodes_of(path) if isinstance(node, _Function)}


def _functions(path: Path) -> dict[str, _Function]:
    """Functions of a file by name, of those that it imports, and of the conftest.py above it."""
    above = [folder / "conftest.py" for folder in path.parents if folder == TESTS or TESTS in folder.parents]
    found: dict[str, _Function] = {}
    for file in (*module_map.shared(path), *reversed([it for it in above if it.is_file()]), path):
        found |= _functions_of(file)
    return found


def of_tests(path: Path) -> dict[str, list[str]]:
    """Extras of the tests of a file: "" for all of it, and names of functions that need more."""
    commands, _ = module_map.constants()
    always = _of_file(path) | {extra for start, extra in NAMED.items() if path.stem.startswith(start)}
    functions, found = _functions(path), {}
    for test in (name for name in _functions_of(path) if name.startswith("test_")):
        seen, todo, needed = {test}, [test], set(always)
        while todo:
            imported, strings, names = _inside(functions[todo.pop()])
            needed |= _extras(imported)
            for word in strings & commands.keys():
                needed |= {it for it in _of_command(commands[word]) if OPTIONAL.get((word, it), word) in strings}
            more = (names & functions.keys()) - seen
            seen |= more
            todo += more
        found[test] = needed
    entry = {"": _whole(always)} if always else {}
    return entry | {name: _whole(needed) for name, needed in sorted(found.items()) if needed - always}


def _whole(extras: Iterable[str]) -> list[str]:
    extras = set(extras)
    return sorted(extras.union(*(ALONG.get(extra, ()) for extra in extras)))


def the_needs() -> str:
    """What needs.json holds: a line for each test file that needs an extra."""
    lines = []
    for path in sorted(TESTS.rglob("test_*.py")):
        if entry := of_tests(path):
            lines.append(f"{json.dumps(path.relative_to(TESTS).as_posix())}: {json.dumps(entry)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
