"""The files of an exported graph: triples as PyKEEN and others read them, and tables of entities and relations.

Text is UTF-8, columns are separated by tabs. Files of triples have no header; the tables have one. Rows are in order of
head, tail and property, of item, of property.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from wikiprep.files import whole_file
from wikiprep.progress import Advance, ignore_progress
from wikiprep.wikidata.graph.graph import WikidataGraph
from wikiprep.wikidata.graph.overlap import Overlap, Overlaps
from wikiprep.wikidata.graph.select import Selected
from wikiprep.wikidata.graph.split import PARTS, TripleSplit

ENTITIES, RELATIONS, OVERLAPS = "entities.tsv", "relations.tsv", "overlaps.tsv"
ENTITY_COLUMNS = ("qid", "title", "label", "description", "entity_id")
RELATION_COLUMNS = (
    *("property", "label", "description", "triples", *PARTS),
    *("symmetric", "inverses", "left_out"),
)
OVERLAP_COLUMNS = ("property", "other", "kind", "pairs", "share", "declared_inverse")
_PIECE = 1 << 17


def triple_file(part: str) -> str:
    """The file of a part: train.tsv, valid.tsv, test.tsv."""
    return f"{part}.tsv"


def write_triples(
    graph: WikidataGraph, split: TripleSplit, folder: Path, advance: Advance = ignore_progress
) -> list[str]:
    """Write the files of the parts that have triples; returns their names."""
    names = []
    for code, part in enumerate(PARTS):
        rows = np.flatnonzero(split.part == code)
        if len(rows):
            with whole_file(folder / triple_file(part)) as file:
                for start in range(0, len(rows), _PIECE):
                    at = rows[start : start + _PIECE]
                    heads, tails = graph.items[graph.heads[at]].tolist(), graph.items[graph.tails[at]].tolist()
                    properties = graph.properties[graph.relations[at]].tolist()
                    lines = [f"Q{h}\tP{p}\tQ{t}\n" for h, p, t in zip(heads, properties, tails, strict=True)]
                    file.write("".join(lines).encode())
                    advance(len(lines))
            names.append(triple_file(part))
    return names


def write_entities(
    graph: WikidataGraph, items: Path, entity_ids: Mapping[int, int], folder: Path, advance: Advance = ignore_progress
) -> int:
    """Write ENTITIES: what the graph's entities are called, and their ids in the entity vocabulary.

    `items` is wikidata_items.parquet. An item without a page in the wiki has its number alone. Returns how many rows
    there are.
    """
    graph_items = graph.items[np.union1d(graph.heads, graph.tails)]
    _write(folder / ENTITIES, ENTITY_COLUMNS, _entity_rows(graph_items, items, entity_ids, advance))
    return len(graph_items)


def _entity_rows(
    graph_items: npt.NDArray[np.int64], items: Path, entity_ids: Mapping[int, int], advance: Advance
) -> Iterator[Sequence[Any]]:
    done = 0
    columns = ["qid", "titles", "label", "description"]
    for batch in pq.ParquetFile(items).iter_batches(_PIECE, columns=columns):
        numbers = batch["qid"].to_numpy()
        end = int(graph_items.searchsorted(numbers[-1], "right")) if len(numbers) else done
        batch_items = graph_items[done:end]
        at = numbers.searchsorted(batch_items)
        is_known = numbers[at] == batch_items if len(numbers) else np.empty(0, bool)
        rows = iter(batch.take(at[is_known]).to_pylist())
        for number, has_page in zip(batch_items.tolist(), is_known.tolist(), strict=True):
            row: dict[str, Any] = next(rows) if has_page else {}
            title = row["titles"][0]["title"] if has_page else None
            yield f"Q{number}", title, row.get("label"), row.get("description"), entity_ids.get(number)
        done = end
        advance(batch.num_rows)
    for number in graph_items[done:].tolist():
        yield f"Q{number}", None, None, None, entity_ids.get(number)


def write_relations(
    selected: Selected, split: TripleSplit, properties: Mapping[int, Mapping[str, Any]], folder: Path
) -> int:
    """Write RELATIONS, those that were left out too, and OVERLAPS.

    `properties`: rows of wikidata_properties.parquet by pid. Returns how many relations the graph has.
    """
    before, graph = selected.before, selected.graph
    parts = [np.bincount(graph.relations[split.part == p], minlength=len(graph.properties)) for p in range(len(PARTS))]
    sizes, total = before.sizes(), 0
    rows = []
    for place in np.flatnonzero(sizes).tolist():
        number = int(before.properties[place])
        property_row = properties.get(number, {})
        counts = [int(part[place]) for part in parts]
        total += any(counts)
        rows.append(
            (
                f"P{number}",
                *(property_row.get("label"), property_row.get("description")),
                *(int(sizes[place]), *counts),
                f"{selected.overlaps.symmetric[place]:.4f}",
                " ".join(f"P{p}" for p in property_row.get("inverses") or ()),
                _left_out_reason(before, place, selected.redundant.get(place)) if not any(counts) else None,
            )
        )
    _write(folder / RELATIONS, RELATION_COLUMNS, rows)
    _write(folder / OVERLAPS, OVERLAP_COLUMNS, _overlap_rows(before, selected.overlaps, properties))
    return total


def _left_out_reason(graph: WikidataGraph, place: int, overlap: Overlap | None) -> str:
    if overlap is None:
        return "rare, or of rare entities"
    other = graph.properties[overlap.other if overlap.one == place else overlap.one]
    return f"{overlap.kind} of P{other}"


def _overlap_rows(
    graph: WikidataGraph, overlaps: Overlaps, properties: Mapping[int, Mapping[str, Any]]
) -> Iterator[Sequence[Any]]:
    for overlap in overlaps.overlapping:
        one, other = int(graph.properties[overlap.one]), int(graph.properties[overlap.other])
        is_declared = other in (properties.get(one, {}).get("inverses") or ()) or one in (
            properties.get(other, {}).get("inverses") or ()
        )
        yield (
            f"P{one}",
            f"P{other}",
            overlap.kind,
            overlap.pairs,
            f"{overlap.share:.4f}",
            "yes" if is_declared else "no",
        )


def _write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with whole_file(path) as file:
        file.write(("\t".join(columns) + "\n").encode())
        for row in rows:
            file.write(("\t".join("" if v is None else " ".join(str(v).split()) for v in row) + "\n").encode())
