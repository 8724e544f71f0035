"""A folder of embedded knowledge, as `wikiprep kg-embed` writes it: vectors, names, triples, and what it was made of.

| file | what |
|---|---|
| vectors.safetensors | float32: `entities` [N, D], `relations` [R, D], and what `phi.Form.second` names |
| entities.tsv, relations.tsv | under a header, in the order of the rows: `name`, perhaps `title` and `label` |
| triples.safetensors | int32 [n, 3] of each part: rows of head, relation and tail |
| knowledge.json | model, sizes, options, versions, digests; written last |
| metrics.json, losses.tsv | figures of link prediction; the loss of each epoch |
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.knowledge.phi import MATRIX, VECTOR, Form, form_of, phi

VECTORS, TRIPLES, ENTITIES, RELATIONS = "vectors.safetensors", "triples.safetensors", "entities.tsv", "relations.tsv"
ABOUT, METRICS, LOSSES = "knowledge.json", "metrics.json", "losses.tsv"
ENTITY_VECTORS = "entities"
_ANEW = "make the folder anew with wikiprep kg-embed"

Floats = npt.NDArray[np.float32]
Table = dict[str, tuple[str, ...]]  # column -> values in the order of rows; `name` is there always


@dataclass(frozen=True)
class Knowledge:
    """Vectors of a graph. `entities` [N, D]; `relations`: `phi.VECTOR` [R, D] and what the form has besides.

    `triples[part]` [n, 3]; `about` is knowledge.json; tables have `name`, and perhaps `title` and `label`.
    """

    folder: Path
    form: Form
    entities: Floats
    relations: dict[str, Floats]
    triples: dict[str, npt.NDArray[np.int32]]
    entity_table: Table
    relation_table: Table
    about: dict[str, Any]

    @cached_property
    def edges(self) -> frozenset[tuple[int, int, int]]:
        """(head, relation, tail) of all parts."""
        return frozenset(
            (head, relation, tail) for part in self.triples.values() for head, relation, tail in part.tolist()
        )

    def relation(self, rows: int | Sequence[int] | npt.NDArray[Any]) -> dict[str, Floats]:
        """The vectors (and matrices) of some relations, as `phi` takes them."""
        return {name: values[rows] for name, values in self.relations.items()}

    def phi(self, entities: Floats, relation: int, *, tail: bool = False) -> Floats:
        """Estimated tails of heads [..., D] in a relation, or with `tail` heads of tails (`phi.phi`)."""
        result: Floats = phi(self.form, entities, self.relation(relation), tail=tail)
        return result


def open_knowledge(folder: str | Path) -> Knowledge:
    """Read a folder of `kg-embed`.

    Raises UsageError where it is none or not finished, WikiprepError where a file is damaged, vectors and names do not
    fit each other, or a vector is no numbers.
    """
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    path = Path(folder)
    if not (path / ABOUT).is_file():
        is_begun = (path / "run.json").is_file()
        raise UsageError(
            f"{path}: {'is not finished' if is_begun else 'is no folder of kg-embed'} (no {ABOUT})",
            "give the same kg-embed again: it goes on"
            if is_begun
            else "wikiprep kg-embed TRIPLES --output FOLDER makes one",
        )
    try:
        about = orjson.loads((path / ABOUT).read_bytes())
        vectors, triples = load_file(path / VECTORS), load_file(path / TRIPLES)
        form = form_of(about["model"])
        entities = vectors.pop(ENTITY_VECTORS)
        tables = _read_table(path / ENTITIES), _read_table(path / RELATIONS)
    except (OSError, ValueError, KeyError, SafetensorError) as error:
        raise WikiprepError(f"{path}: cannot be read ({error})", _ANEW) from error
    for table, rows, file in ((tables[0], entities, ENTITIES), (tables[1], vectors[VECTOR], RELATIONS)):
        if len(table["name"]) != len(rows):
            raise WikiprepError(
                f"{path / file}: names {len(table['name']):,}, but {VECTORS} has vectors of {len(rows):,}", _ANEW
            )
    knowledge = Knowledge(path, form, entities, vectors, triples, *tables, about)
    _check_vectors(knowledge)
    return knowledge


def _check_vectors(knowledge: Knowledge) -> None:
    """A matrix may lead to a space of another size; all else of a relation has the size of entities."""
    file, size = knowledge.folder / VECTORS, knowledge.entities.shape[1]
    has_matrix = MATRIX in knowledge.relations
    for name, table in {ENTITY_VECTORS: knowledge.entities, **knowledge.relations}.items():
        if not has_matrix and table.shape[1:] != (size,):
            raise WikiprepError(f"{file}: vectors of {name} have {table.shape[1]} numbers, entities {size}", _ANEW)
        bad_rows = np.flatnonzero(~np.isfinite(table.reshape(len(table), -1)).all(axis=1))
        if len(bad_rows):
            names = knowledge.entity_table if name == ENTITY_VECTORS else knowledge.relation_table
            raise WikiprepError(
                f"{file}: {names['name'][bad_rows[0]]} has no vector of numbers ({name}, row {bad_rows[0]})", _ANEW
            )


def write_table(file: Path, table: Table) -> None:
    """Columns under a header."""
    rows = [tuple(table), *zip(*table.values(), strict=True)]
    file.write_bytes("".join("\t".join(row) + "\n" for row in rows).encode())


def _read_table(file: Path) -> Table:
    header, *rows = file.read_text(encoding="utf-8").split("\n")[:-1]
    columns = list(zip(*(row.split("\t") for row in rows), strict=True)) or [() for _ in header.split("\t")]
    return dict(zip(header.split("\t"), columns, strict=True))
