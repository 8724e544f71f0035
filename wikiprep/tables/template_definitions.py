"""A wiki's own templates, by name: what the dump's Template pages put in the place of a call. Memory-mapped."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from wikiprep.counts import Count
from wikiprep.errors import WikiprepError
from wikiprep.storage.memory_maps import build_trie, open_trie
from wikiprep.wikitext.template_calls import outermost
from wikiprep.wikitext.templates.definition import Definition
from wikiprep.wikitext.templates.template_table import canonical

NAMES = "definitions.marisa"
BODIES = "definitions.arrow"
WITH_TEXT = Count("definitions.templates", "Templates of the dump that can give text.")
REDIRECTS = Count("definitions.redirects", "Redirects to templates.")
HOPS = 5  # of a redirect between templates; MediaWiki itself follows one
_CACHE_SIZE = 20_000  # definitions kept as strings by a process
_CALL = re.compile(r"\{\{\s*(?![#{])([^{}|:<>\[\]\n#]+?)\s*[|}]")


def template_page_schema() -> pa.Schema:
    """One row a Template page (Arrow IPC).

    Its canonical name; `kind` and body as in `Definition`, or for a redirect null and the name it leads to, null for
    one that leads to no template.
    """
    return pa.schema([("name", pa.string()), ("kind", pa.string()), ("body", pa.string()), ("target", pa.string())])


def write_template_pages(rows: list[tuple[str | None, ...]], path: Path) -> None:
    """Write rows of `template_page_schema`, for `build_definitions`."""
    columns = list(zip(*rows, strict=True)) or [()] * 4
    table = pa.table([pa.array(values, pa.string()) for values in columns], schema=template_page_schema())
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def build_definitions(partials: Iterable[Path], folder: Path) -> dict[Count, int]:
    """Merge partial files into NAMES and BODIES in `folder`. Of pages with one name the last counts.

    Memory: all definitions at once, which `definition.prepare` keeps small (the English Wikipedia: some 200 MB).
    """
    pages: dict[str, tuple[str, str | None]] = {}  # name -> kind, body
    targets: dict[str, str | None] = {}
    for path in partials:
        with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as reader:
            for row in reader.read_all().to_pylist():
                if row["kind"] is not None:
                    pages[row["name"]] = row["kind"], row["body"]
                else:
                    targets[row["name"]] = row["target"]
    redirects = {name: end for name in targets if name not in pages and (end := _end_of(name, targets)) is not None}
    for name in targets.keys() - redirects.keys():
        pages.setdefault(name, ("nothing", None))  # a redirect in a circle, or to what is no template
    _resolve_wrappers(pages, redirects)
    folder.mkdir(parents=True, exist_ok=True)
    build_trie(pages.keys() | redirects.keys(), folder / NAMES)
    trie = open_trie(folder / NAMES)
    names = [trie.restore_key(number) for number in range(len(trie))]
    rows = [(*pages[name], None) if name in pages else (None, None, redirects[name]) for name in names]
    columns = [pa.array([row[i] for row in rows], pa.large_string()) for i in range(3)]
    batch = pa.RecordBatch.from_arrays(columns, ["kind", "body", "target"])
    with pa.OSFile(str(folder / BODIES), "wb") as sink, pa.ipc.new_file(sink, batch.schema) as writer:
        writer.write_batch(batch)
    with_text = sum(1 for kind, _ in pages.values() if kind in ("text", "script"))
    return {WITH_TEXT: with_text, REDIRECTS: len(redirects)}


def _end_of(name: str, targets: dict[str, str | None]) -> str | None:
    """Where a redirect ends; None for one that leads to no template, or round in a circle."""
    end: str | None = name
    for _ in range(HOPS):
        if end is None or end not in targets:
            break
        end = targets[end]
    return None if end is None or end in targets else end


def _resolve_wrappers(pages: dict[str, tuple[str, str | None]], redirects: dict[str, str]) -> None:
    """A page that is nothing but a call of a template that shows nothing shows nothing: nearly every navigation box.

    To know it here spares the reading of its arguments at every call.
    """
    callees = {}
    for name, (kind, body) in pages.items():
        if kind == "text" and body and (callee := _only_call(body)) is not None:
            callees[name] = redirects.get(callee, callee)
    changed = True
    while changed:
        changed = False
        for name, callee in list(callees.items()):
            if pages.get(callee, ("", None))[0] == "nothing":
                pages[name] = "nothing", None
                del callees[name]
                changed = True


def _only_call(body: str) -> str | None:
    body = body.strip()
    match = _CALL.match(body)
    if match is None:
        return None
    spans, _ = outermost(body)
    return canonical(match[1]) if len(spans) == 1 and spans[0][:2] == (0, len(body)) else None


class TemplateDefinitions:
    """Look-up by canonical name without the namespace; `wikitext.templates.Definitions`."""

    def __init__(self, trie: Any, rows: pa.RecordBatch) -> None:
        self._trie = trie
        self._kinds, self._bodies, self._targets = (rows.column(i) for i in range(3))
        self._cache: dict[str, Definition | None] = {}

    @classmethod
    def open(cls, folder: str | Path) -> "TemplateDefinitions":
        """Map the tables of `folder`. Raises WikiprepError if they are missing or not whole."""
        path = Path(folder) / BODIES
        try:
            with pa.ipc.open_file(pa.memory_map(str(path))) as reader:
                rows = reader.get_batch(0)
        except (FileNotFoundError, pa.ArrowInvalid) as error:
            raise WikiprepError(f"{path}: no whole table of templates ({error})", "run the build again") from error
        return cls(open_trie(Path(folder) / NAMES), rows)

    def find(self, name: str) -> Definition | None:
        """What the wiki says of a call, redirects followed; None for a template that the dump has no page of."""
        if name in self._cache:
            return self._cache[name]
        definition = self._find(name)
        if len(self._cache) < _CACHE_SIZE:
            self._cache[name] = definition
        return definition

    def _find(self, name: str) -> Definition | None:
        number = self._trie.get(name, -1)
        if number < 0:
            return None
        target = self._targets[number].as_py()
        if target is not None:
            name, number = target, self._trie.get(target, -1)
            if number < 0:
                return Definition(name, "absent")
        return Definition(name, self._kinds[number].as_py(), self._bodies[number].as_py())
