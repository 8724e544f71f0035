"""The files of OpenKE: names with numbers, triples of numbers, a count in the first line of each."""

from collections.abc import Iterator
from pathlib import Path

from wikiprep.errors import WikiprepError
from wikiprep.textlines import read_lines

ENTITIES, RELATIONS = "entity2id.txt", "relation2id.txt"


def read_ids(file: Path) -> list[str]:
    """Names by number. Raises WikiprepError for numbers that are not 0 … count - 1, each once."""
    names: dict[int, str] = {}
    count = 0
    for number, fields, count in _lines(file):
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
    for number, fields, _ in _lines(file):
        if len(fields) != 3 or not all(f.isdigit() and int(f) < n for f, n in zip(fields, limits, strict=True)):
            raise _line_error(file, number, fields, f"head, tail (below {entities}) and relation (below {relations})")
        head, tail, relation = map(int, fields)
        triples.append((head, relation, tail))
    return triples


def _lines(file: Path) -> Iterator[tuple[int, list[str], int]]:
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
