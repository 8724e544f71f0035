"""A wiki's own simple templates, by name: what `--templates expand` puts in the place of a call. Memory-mapped."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa

from wikiprep.errors import WikiprepError
from wikiprep.tables.tries import build_trie, open_trie

NAMES = "definitions.marisa"
BODIES = "definitions.arrow"
HOPS = 5  # of a redirect between templates; MediaWiki itself follows one
_KNOWN = 20_000  # definitions kept as strings by a process


def template_page_schema() -> pa.Schema:
    """One row a Template page (Arrow IPC): its canonical name, and either its definition or the name it redirects to.

    Both are null for a template that is not simple.
    """
    return pa.schema([("name", pa.string()), ("body", pa.string()), ("target", pa.string())])


def build_definitions(partials: Iterable[Path], folder: Path) -> dict[str, int]:
    """Merge partial files into NAMES and BODIES in `folder`. Of pages with one name the last counts.

    Memory: all definitions at once, which `definition.prepare` keeps small (the English Wikipedia: some 100 MB).
    """
    bodies: dict[str, str] = {}
    targets: dict[str, str] = {}
    for path in partials:
        with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as reader:
            for row in reader.read_all().to_pylist():
                if row["body"] is not None:
                    bodies[row["name"]] = row["body"]
                elif row["target"] is not None:
                    targets[row["name"]] = row["target"]
    made = dict(bodies)
    for name in targets:
        end = name
        for _ in range(HOPS):
            end = targets.get(end, end)
        if end in bodies:
            made.setdefault(name, bodies[end])
    folder.mkdir(parents=True, exist_ok=True)
    build_trie(made, folder / NAMES)
    trie = open_trie(folder / NAMES)
    by_number = [made[trie.restore_key(number)] for number in range(len(trie))]
    batch = pa.RecordBatch.from_arrays([pa.array(by_number, pa.large_string())], ["body"])
    with pa.OSFile(str(folder / BODIES), "wb") as sink, pa.ipc.new_file(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return {"definitions.templates": len(bodies), "definitions.redirects": len(made) - len(bodies)}


class TemplateDefinitions:
    """Look-up by canonical name without the namespace; `wikitext.templates.Definitions`."""

    def __init__(self, trie: Any, bodies: pa.LargeStringArray) -> None:
        self._trie, self._bodies = trie, bodies
        self._known: dict[str, str | None] = {}

    @classmethod
    def open(cls, folder: str | Path) -> "TemplateDefinitions":
        """Map the tables of `folder`. Raises WikiprepError if they are missing or not whole."""
        path = Path(folder) / BODIES
        try:
            with pa.ipc.open_file(pa.memory_map(str(path))) as reader:
                bodies = reader.get_batch(0).column(0)
        except (FileNotFoundError, pa.ArrowInvalid) as error:
            raise WikiprepError(f"{path}: no whole table of templates ({error})", "run the build again") from error
        return cls(open_trie(Path(folder) / NAMES), bodies)

    def find(self, name: str) -> str | None:
        """The wikitext that a call stands for; None for a template that is not there or not simple."""
        if name in self._known:
            return self._known[name]
        number = self._trie.get(name, -1)
        body = self._bodies[number].as_py() if number >= 0 else None
        if len(self._known) < _KNOWN:
            self._known[name] = body
        return body
