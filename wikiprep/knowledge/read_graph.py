"""Triples from files, in the layouts that they are spread in.

- a folder with entity2id.txt and relation2id.txt (OpenKE; WN18): a count, then `head tail relation` as numbers;
- a folder with train, valid and test (.txt or .tsv), or one file, of three columns separated by tabs: `head relation
  tail` (WN18RR, DBpedia50k, `export-triples`) or `head tail relation`. Which of them is told, or plain from the names
  alone, or asked for: never guessed;
- in a folder of `export-triples` the titles and labels beside are read too.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.knowledge import HRT, HTR
from wikiprep.knowledge.graph import PARTS, REPEATED, TRAIN, UNKNOWN_ENTITY, UNKNOWN_RELATION, Graph, Triples
from wikiprep.manifest import MANIFEST
from wikiprep.textlines import PACKED, read_lines

_EXPORT = ("export.json", "entities.tsv", "relations.tsv")

Names = tuple[str, str, str]  # head, relation, tail
ENTITIES, RELATIONS = "entity2id.txt", "relation2id.txt"


def read_graph(path: str | Path, columns: str | None = None) -> Graph:
    """Read a folder or a file; `columns` is one of `knowledge.COLUMNS` where the files' look does not tell.

    Entities and relations are in order of their names (OpenKE: of its numbers), and only those that train has: others
    would have no vector. Raises UsageError for an order of columns that is not plain, WikiprepError for a line that
    does not fit, with file and line.
    """
    folder = Path(path)
    if not folder.exists():
        raise UsageError(
            f"{path}: there is no such file or folder", "give triples as `wikiprep docs knowledge` lists them"
        )
    if folder.is_dir() and (folder / ENTITIES).is_file():
        return _read_open_ke(folder, columns)
    files = {TRAIN: folder} if folder.is_file() else _find_parts(folder)
    order = columns or plain_order(files[TRAIN])
    lines = {part: _read_triples(file, order) for part, file in files.items()}
    return _number_triples(lines, files, folder, f"{order}, {'told' if columns else 'plain from the names'}")


def plain_order(file: Path) -> str:
    """Which column has the relations: the one that shares no name with the heads, where the other does share some.

    Raises UsageError where that does not tell.
    """
    heads, second, third = (set(column) for column in zip(*_rows(file), strict=True))
    in_second, in_third = len(heads & second), len(heads & third)
    if in_third and not in_second:
        return HRT
    if in_second and not in_third:
        return HTR
    raise UsageError(
        f"{file}: which column has the relations is not plain ({in_second:,} names of the second and {in_third:,} of "
        "the third are also in the first)",
        f"say it: --columns {HRT} or --columns {HTR}",
    )


def _find_parts(folder: Path) -> dict[str, Path]:
    paths: dict[str, Path] = {}
    for part in PARTS:
        names = [folder / f"{part}{end}{packed}" for end in (".txt", ".tsv") for packed in ("", *PACKED)]
        existing = [name for name in names if name.is_file()]
        if len(existing) > 1:
            raise WikiprepError(
                f"{folder}: has both {existing[0].name} and {existing[1].name}", "leave one of them there"
            )
        if existing:
            paths[part] = existing[0]
    if TRAIN not in paths:
        is_corpus = (folder / MANIFEST).is_file()
        raise WikiprepError(
            f"{folder}: no train.txt or train.tsv",
            f"it is a corpus: `wikiprep export-triples {folder} -o TRIPLES` writes its triples, which kg-embed reads"
            if is_corpus
            else "`wikiprep docs knowledge` lists the layouts",
        )
    return paths


def _rows(file: Path) -> Iterator[Names]:
    count = 0
    for number, line in read_lines(file):
        try:
            fields = line.decode("utf-8").split("\t")
        except UnicodeDecodeError as error:
            raise WikiprepError(f"{file}: line {number} is not UTF-8", "convert the file with iconv") from error
        if number == 1 and len(fields) == 1 and fields[0].strip().isdigit():
            raise WikiprepError(f"{file}: line 1 is a count, as OpenKE's", f"put {ENTITIES} and {RELATIONS} beside it")
        if len(fields) != 3 or not all(field.strip() for field in fields):
            raise WikiprepError(
                f"{file}: line {number} is no triple but {_columns(len(fields))}: "
                f"{line[:80].decode(errors='replace')!r}",
                "a line has three names, separated by tabs",
            )
        count += 1
        yield fields[0].strip(), fields[1].strip(), fields[2].strip()
    if not count:
        raise WikiprepError(f"{file}: is empty", "a line has three names, separated by tabs")


def _read_triples(file: Path, order: str) -> Iterator[Names]:
    return _rows(file) if order == HRT else ((head, relation, tail) for head, tail, relation in _rows(file))


def _number_triples(lines: dict[str, Iterator[Names]], files: dict[str, Path], folder: Path, layout: str) -> Graph:
    train = list(lines[TRAIN])
    entities = tuple(sorted({name for head, _, tail in train for name in (head, tail)}))
    relations = tuple(sorted({relation for _, relation, _ in train}))
    entity_of = {name: number for number, name in enumerate(entities)}
    relation_of = {name: number for number, name in enumerate(relations)}
    read, dropped, parts = {}, {}, {}
    for part in files:
        drop_counts: Counter[str] = Counter()
        numbers = [
            (entity_of.get(head, -1), relation_of.get(relation, -1), entity_of.get(tail, -1))
            for head, relation, tail in (train if part == TRAIN else lines[part])
        ]
        read[part], dropped[part], parts[part] = len(numbers), drop_counts, _known_triples(numbers, drop_counts)
    digests = {file.name: _sha256_of_file(file) for file in files.values()}
    about: dict[str, dict[str, tuple[str, ...]]] = {}
    if folder.is_dir() and all((folder / name).is_file() for name in _EXPORT):
        about["entities"] = _read_columns(folder / "entities.tsv", "qid", ("title", "label"), entities)
        about["relations"] = _read_columns(folder / "relations.tsv", "property", ("label",), relations)
        digests |= {name: _sha256_of_file(folder / name) for name in _EXPORT}
        layout += ", of export-triples"
    return Graph(entities, relations, parts, read, dropped, layout, digests, about)


def _known_triples(numbers: list[tuple[int, int, int]], drop_counts: Counter[str]) -> Triples:
    """Without those that name what train lacks (-1), each once."""
    triples = np.array(numbers, np.int32).reshape(-1, 3)
    entity = (triples[:, ::2] < 0).any(axis=1)
    relation = ~entity & (triples[:, 1] < 0)
    triples = triples[~entity & ~relation]
    _, first = np.unique(triples, axis=0, return_index=True)
    counts = {UNKNOWN_ENTITY: entity.sum(), UNKNOWN_RELATION: relation.sum(), REPEATED: len(triples) - len(first)}
    drop_counts.update({reason: int(count) for reason, count in counts.items() if count})
    return triples[np.sort(first)]


def _read_open_ke(folder: Path, columns: str | None) -> Graph:
    if columns not in (None, HTR):
        raise UsageError(f"{folder}: OpenKE's files have {HTR}", f"leave --columns away, or take {ENTITIES} away")
    names, relations = read_ids(folder / ENTITIES), read_ids(folder / RELATIONS)
    files = _find_parts(folder)
    numbers = {part: read_numbers(file, len(names), len(relations)) for part, file in files.items()}
    # Numbers anew, without entities and relations that train lacks.
    train = np.array(numbers[TRAIN], np.int32).reshape(-1, 3)
    used_entities = np.unique(train[:, ::2])
    used_relations = np.unique(train[:, 1])
    entity_of, relation_of = np.full(len(names), -1, np.int32), np.full(len(relations), -1, np.int32)
    entity_of[used_entities] = np.arange(len(used_entities), dtype=np.int32)
    relation_of[used_relations] = np.arange(len(used_relations), dtype=np.int32)
    read, dropped, parts = {}, {}, {}
    for part, rows in numbers.items():
        old = np.array(rows, np.int32).reshape(-1, 3)
        new = np.stack([entity_of[old[:, 0]], relation_of[old[:, 1]], entity_of[old[:, 2]]], axis=1)
        drop_counts: Counter[str] = Counter()
        read[part], dropped[part] = len(rows), drop_counts
        parts[part] = _known_triples([tuple(row) for row in new.tolist()], drop_counts)
    digests = {path.name: _sha256_of_file(path) for path in (folder / ENTITIES, folder / RELATIONS, *files.values())}
    return Graph(
        tuple(names[number] for number in used_entities.tolist()),
        tuple(relations[number] for number in used_relations.tolist()),
        *(parts, read, dropped, f"{HTR}, numbers of OpenKE", digests),
    )


def _read_columns(file: Path, key: str, columns: tuple[str, ...], names: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Columns of a table of export-triples, in the order of `names`; empty where it lacks one."""
    rows = [line.decode("utf-8", "replace").split("\t") for _, line in read_lines(file)]
    if not rows or any(name not in rows[0] for name in (key, *columns)):
        raise WikiprepError(f"{file}: has no columns {', '.join((key, *columns))}", "write it anew: export-triples")
    position = {name: rows[0].index(name) for name in (key, *columns)}
    rows_by_key = {row[position[key]]: row for row in rows[1:] if len(row) == len(rows[0])}
    return {
        column: tuple(rows_by_key[name][position[column]] if name in rows_by_key else "" for name in names)
        for column in columns
    }


def _sha256_of_file(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def read_ids(file: Path) -> list[str]:
    """Names by number. Raises WikiprepError for numbers that are not 0 … count - 1, each once."""
    names: dict[int, str] = {}
    count = 0
    for number, fields, count in _counted_lines(file):
        if len(fields) != 2 or not fields[1].isdigit() or not int(fields[1]) < count or int(fields[1]) in names:
            raise _line_error(file, number, fields, f"a name and its own number below {count}")
        names[int(fields[1])] = fields[0]
    if len(set(names.values())) < count:
        raise WikiprepError(f"{file}: a name has two numbers", "each name stands once")
    return [names[number] for number in range(count)]


def read_numbers(file: Path, entities: int, relations: int) -> list[tuple[int, int, int]]:
    """Triples as (head, relation, tail). Raises WikiprepError for a line that is not `head tail relation`."""
    limits = entities, entities, relations
    triples = []
    for number, fields, _ in _counted_lines(file):
        if len(fields) != 3 or not all(f.isdigit() and int(f) < n for f, n in zip(fields, limits, strict=True)):
            raise _line_error(file, number, fields, f"head, tail (below {entities}) and relation (below {relations})")
        head, tail, relation = map(int, fields)
        triples.append((head, relation, tail))
    return triples


def _counted_lines(file: Path) -> Iterator[tuple[int, list[str], int]]:
    """Number, fields, and the count of the first line. Raises WikiprepError where there are not as many lines."""
    if not file.is_file():
        raise WikiprepError(f"{file}: is missing", f"OpenKE's layout has {ENTITIES} and {RELATIONS}")
    count = -1
    lines = 0
    for number, line in read_lines(file):
        fields = line.decode("utf-8", "replace").split()
        if count < 0:
            if len(fields) != 1 or not fields[0].isdigit():
                raise _line_error(file, number, fields, "the count of the lines behind it")
            count = int(fields[0])
            continue
        lines += 1
        yield number, fields, count
    if lines != max(count, 0) or count < 0:
        raise WikiprepError(f"{file}: has {lines:,} lines, its first line says {count:,}", "is the file whole?")


def _line_error(file: Path, number: int, fields: list[str], expected: str) -> WikiprepError:
    return WikiprepError(
        f"{file}: line {number} does not fit: {' '.join(fields)[:80]!r}", f"OpenKE has there {expected}"
    )


def _columns(count: int) -> str:
    return "1 column" if count == 1 else f"{count} columns"
