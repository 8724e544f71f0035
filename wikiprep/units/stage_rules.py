"""Which sources decide the bytes of a stage, by what they hold: so that a changed rule is noticed as an option is.

A stage's rules are its own module and all modules of wikiprep that it imports, found from the import statements
themselves, so that a new module can never be forgotten; with them what is compiled beside them (loops in a .pyx, types
in a .pxd: either way may have run) and the data files of their packages. NEUTRAL modules, which move, guard and
count what others make, are left out with what only they import.

A file counts by its bytes, only with line ends as on Linux: so a comment, too, is a change, and its cost is a stage
redone for nothing. The other way, to judge which change is none, could be wrong in silence. The files of checkout,
installed wheel and zip are the same; a package of .pyc files alone has rules of its own, which are never taken for
those of sources.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from wikiprep.errors import WikiprepError

DATA = (".json", ".jsonl", ".toml", ".tsv", ".txt", ".xml")
NO_STAGES = (
    "api",
    "applications",
    "checks",
    "cli",
    "inference",
    "local",
    "pipelines",
    "pretrain",
    "records",
    "report",
    "runtime",
    "sample",
    "tasks",
    "terminal",
)  # rooms that no stage imports (a test holds it)
SOURCES = (".py", ".pyx", ".pxd", ".pyc")
# They decide whether and where work is done, never what comes of it; options and inputs are in the fingerprint as such.
NEUTRAL = frozenset(
    {
        *("addresses", "counts", "errors", "disk_errors", "file_receipt", "files", "process", "scratch_folders"),
        "version",
        # Values of options count.
        *("config", "config_toml", "suggestions", "options.option_fields", "options.toml"),
        *("manifest", "stages.build"),
        *("guard.child", "guard.guard", "guard.guard_pool", "guard.shared_memory"),
        *("units.count_equations", "units.fingerprint", "units.job", "units.receipts", "units.stage_rules"),
        "units.stage",
        "units.unit",
    }
)
# They begin with plain words, which makes the search quick; what a comment says so too is an import too many.
_FROM = re.compile(r"from wikiprep\.?([\w.]*) import (\([^)]*\)|[^\n]*)")
_IMPORT = re.compile(r"import wikiprep\.([\w.]+)")
_FOR_TYPES = re.compile(r"\nif TYPE_CHECKING:\n(?:[ \t]+\S.*\n|\n)+")
_FAST_PATH = re.compile(r'\bfast_path\(\s*"(\w+)"')


def rules_of(module: str) -> dict[str, str]:
    """Path below the package -> digest, of the files that decide what `module` (wikiprep.stages.extract) makes."""
    return dict(_rules_of(module))


@cache
def rules_digest(module: str) -> str:
    """The same as one word."""
    return digest_of(rules_of(module))


def digest_of(rules: Mapping[str, str]) -> str:
    """One word for rules: twelve hexadecimal digits."""
    return hashlib.sha256("".join(f"{path} {rules[path]}\n" for path in sorted(rules)).encode()).hexdigest()[:12]


def check_unchanged(module: str, expected: str) -> None:
    """Raises WikiprepError where this process, begun later than the build, has other rules than it began with."""
    if rules_digest(module) != expected:
        raise WikiprepError(
            f"wikiprep's own files were changed while it built: rules of {module.rpartition('.')[2]} are "
            f"{rules_digest(module)}, not {expected}",
            "give the command again: it says which stages have changed rules",
        )


@cache
def _rules_of(module: str) -> tuple[tuple[str, str], ...]:
    files = _files()
    # Of .pyc alone, what imports what is not looked for: all of it counts.
    paths = _reachable_paths(module.removeprefix("wikiprep."), files) or {
        it for it in files if _module(it) not in NEUTRAL
    }
    return tuple(sorted((path, files[path]) for path in paths))


def _reachable_paths(start: str, files: Mapping[str, str]) -> set[str]:
    graph = _graph()
    seen: set[str] = set()
    pending = [start]
    while pending:
        name = pending.pop()
        if name in graph and name not in seen:
            seen.add(name)
            pending += graph[name].imports - NEUTRAL
    paths = {graph[name].path for name in seen} | {twin for name in seen for twin in graph[name].twins & files.keys()}
    paths |= {types for path in paths if (types := _types_of(path)) in files}
    if any(path.endswith(".pyx") for path in paths):
        paths |= {path for path in files if path.endswith(".pxd") and "/fast_" not in path}
    packages = {path.rpartition("/")[0] for path in paths}
    return paths | {path for path in files if path.endswith(DATA) and _package_of(path, graph) in packages}


def imported_names(text: str) -> Iterator[str]:
    """Names below wikiprep that a source imports anywhere, modules or not; what is for types alone left out."""
    text = _FOR_TYPES.sub("\n", text) if "\nif TYPE_CHECKING:" in text else text
    yield from _IMPORT.findall(text)
    for package, names in _FROM.findall(text):
        if package:
            yield package
        for name in re.findall(r"(\w+)(?:\s+as\s+\w+)?", re.sub(r"#.*", "", names)):
            yield f"{package}.{name}" if package else name


def _types_of(path: str) -> str:
    """Where the types of a .py that is compiled too would be."""
    folder, _, name = path.rpartition("/")
    return f"{folder}/fast_{name.removesuffix('.py')}.pxd"


def _packages(name: str) -> Iterator[str]:
    """The packages that a module's import runs first, but for wikiprep itself."""
    while "." in name:
        name = name.rpartition(".")[0]
        yield name


def _module(path: str) -> str:
    return re.sub(r"(/__init__)?\.pyc?$", "", path).replace("/", ".")


def _package_of(path: str, modules: Iterable[str]) -> str:
    """The folder of the package that a data file belongs to."""
    folder = path.rpartition("/")[0]
    while folder and folder.replace("/", ".") not in modules:
        folder = folder.rpartition("/")[0]
    return folder


@dataclass(frozen=True, slots=True)
class _Module:
    """A source file, what it imports, and the .pyx files whose compiled code it asks for."""

    path: str
    imports: frozenset[str]
    twins: frozenset[str]  # paths of .pyx


@cache
def _sources() -> tuple[dict[str, str], dict[str, _Module]]:
    """Digests by path, and modules by name; read once, so that all that a process says of itself is of one moment."""
    digests, graph = {}, {}
    for path, file in _walk(resources.files("wikiprep"), ""):
        data = file.read_bytes()
        data = data[16:] if path.endswith(".pyc") else data.replace(b"\r\n", b"\n")  # without .pyc's time of the source
        digests[path] = hashlib.sha256(data).hexdigest()[:12]
        if path.endswith(".py"):
            text, name = data.decode("utf-8", "replace"), _module(path)
            twins = {f"compiled/{twin}.pyx" for twin in _FAST_PATH.findall(text)}
            graph[name] = _Module(path, frozenset({*imported_names(text), *_packages(name)}), frozenset(twins))
    return digests, graph


def _files() -> dict[str, str]:
    return _sources()[0]


def _graph() -> dict[str, _Module]:
    return _sources()[1]


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        name = entry.name
        # `_version.py` decides nothing, and a package made of a checkout writes it anew, perhaps beside a build.
        if name.startswith((".", "__pycache__", "_version.")):
            continue
        if entry.is_dir():
            if prefix or name not in NO_STAGES:
                yield from _walk(entry, f"{prefix}{name}/")
        elif name.endswith((*DATA, *SOURCES)):
            yield f"{prefix}{name}", entry
