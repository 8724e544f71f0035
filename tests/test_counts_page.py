"""docs/counts.md says what every number of a manifest is, and nothing is declared that no code counts."""

import ast
import importlib
import importlib.util
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson
import pytest

from wikiprep.counts import Reasons
from wikiprep.stages.build import FROM_DUMP, FROM_TEXT

ROOT = Path(__file__).parents[1]
READERS = ("applications", "api", "checks", "cli", "report", "runtime", "terminal")  # of manifests: they count nothing
SHARED = ("corpus.record_counts", "stages.extract_counts", "tables.qid_counts")  # counted by others of their room


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_counts", ROOT / "docs" / "make_counts.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def test_page_of_counts_is_current(maker: ModuleType) -> None:
    assert (ROOT / "docs" / "counts.md").read_text(encoding="utf-8") == maker.page(), "run `python docs/make_counts.py`"


def test_every_stage_has_its_counts(maker: ModuleType) -> None:
    assert set(maker.MODULES) == {*FROM_DUMP, *FROM_TEXT}


def test_every_count_has_a_meaning(maker: ModuleType) -> None:
    places = [place for places in maker.MODULES.values() for place in places]
    for one in maker.declarations(places)[0]:
        words = {maker.key_of(one): one.meaning, **(one.known if isinstance(one, Reasons) else {})}
        for key, meaning in words.items():
            assert re.fullmatch(r"[A-Z\[].*[^ ]\.", meaning, re.DOTALL) and "\n" not in meaning, f"{key}: {meaning!r}"


def test_the_sample_has_no_other_counts(maker: ModuleType, sample_corpus: Path) -> None:
    manifest = orjson.loads((sample_corpus / "manifest.json").read_bytes())
    assert not list(undeclared(maker, manifest))


def undeclared(maker: ModuleType, manifest: dict[str, Any]) -> Iterator[str]:
    """Counts and equations of a manifest that its stages do not declare."""
    equations = set()
    for stage, counts in manifest["counts"].items():
        declared, sums = maker.declarations(maker.MODULES[stage])
        equations |= {(one.name, str(one.whole)) for one in sums}
        keys = {str(one) for one in declared if not isinstance(one, Reasons)}
        prefixes = tuple(one.prefix for one in declared if isinstance(one, Reasons))
        yield from (f"{stage}: {key}" for key in counts if key not in keys and not key.startswith(prefixes))
    yield from (str(one) for one in manifest["equations"] if (one["name"], one["whole"]) not in equations)


def test_every_declared_count_is_counted(maker: ModuleType) -> None:
    places = [place.partition(":")[0] for places in maker.MODULES.values() for place in places]
    dead = []
    for module in dict.fromkeys(places):
        for name, value in maker.declared_in(module).items():
            if not _is_equation(value) and not is_counted(module, name):
                dead.append(f"{module}.{name}")
    assert not dead, "declared, and counted nowhere"


def is_counted(module: str, name: str) -> bool:
    """Whether a function of the module, of a shared one of any that counts, has the name or what is made of it."""
    if name in used_in(module, frozenset({name})) and module not in SHARED:
        return True
    return module in SHARED and any(bool(used_in(other, local)) for other, local in importers(module, name))


def used_in(module: str, names: frozenset[str]) -> set[str]:
    """Which of the names the functions of a module use, themselves or by what stands for them at its top."""
    found = set()
    for name in names:
        known, todo = {name}, [name]
        while todo:
            one = todo.pop()
            if one in _source(module)[1]:
                found.add(name)
            for target, loads in _source(module)[0]:
                if one in loads and target not in known:
                    known.add(target)
                    todo.append(target)
    return found


def importers(module: str, name: str) -> Iterator[tuple[str, frozenset[str]]]:
    """Modules that import a name, and what they call it."""
    yield from _imports().get((module, name), ())
    # Several of one group are counted where the group is: KINDS has ARTICLES in it.
    for target, loads in _source(module)[0]:
        if name in loads and target != name:
            yield from importers(module, target)


@cache
def _imports() -> dict[tuple[str, str], list[tuple[str, frozenset[str]]]]:
    """(module, name) -> who imports it and what they call it; readers left out."""
    found: dict[tuple[str, str], list[tuple[str, frozenset[str]]]] = {}
    for path in sorted((ROOT / "wikiprep").rglob("*.py")):
        parts = path.relative_to(ROOT / "wikiprep").with_suffix("").parts
        if parts[0] in READERS:
            continue
        for statement in _tree(path).body:
            if isinstance(statement, ast.ImportFrom) and statement.module:
                for one in statement.names:
                    key = (statement.module.removeprefix("wikiprep."), one.name)
                    found.setdefault(key, []).append((".".join(parts), frozenset({one.asname or one.name})))
    return found


@cache
def _source(module: str) -> tuple[list[tuple[str, set[str]]], set[str]]:
    """Of a module: what its assignments at the top are made of, equations left out; the names that functions use."""
    assigned, used = [], set()
    for statement in _tree(ROOT / "wikiprep" / f"{module.replace('.', '/')}.py").body:
        loads = {one.id for one in ast.walk(statement) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            used |= loads
        elif isinstance(statement, ast.Assign) and "Equation" not in loads:
            assigned += [
                (one.id, loads) for target in statement.targets for one in ast.walk(target) if isinstance(one, ast.Name)
            ]
    return assigned, used


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _is_equation(value: Any) -> bool:
    first = value[0] if isinstance(value, tuple) else value
    return type(first).__name__ == "Equation"
