"""Entity vocabularies that others made: the files of the published LUKE code, of Hugging Face, and our own.

Read by content, not by name (all but Parquet also gz, bz2, xz, zst):
- JSON lines `{"id", "title", "count"?}`
- JSON lines `{"id", "entities": [[title, language], ...], "count"?}` (mLUKE; one id for a thing in all languages)
- TSV `title<TAB>count`; the id is the line's number from 0
- one JSON object `{title: id}` (`entity_vocab.json`), or `{"language:title": id}` with the specials bare, as in mLUKE
- our Parquet: columns id, title, count

Ids are kept as they are: a table of embeddings hangs on them. So gaps are allowed (a multilingual file cut to a size
has them, and so has one language of it); `vocabulary_gaps` tells them.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.dump.source import open_bytes
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.textlines import head, read_lines

SPECIALS = {"[PAD]": 0, "[UNK]": 1, "[MASK]": 2}
_PARQUET = b"PAR1"
_MASK2 = "[MASK2]"  # appended by an export, bare in every format
_FORMATS = (
    'it may be JSON lines {"id", "title", "count"} or {"id", "entities": [[title, language]], "count"}, '
    "TSV title<TAB>count, one JSON object {title: id}, or Parquet with columns id, title, count"
)
_LANGUAGE = re.compile(r"([a-z]{2,3}(?:-[a-z]+)*|simple):(?=.)", re.DOTALL)
_MAX_ID = 2**31 - 1  # records hold ids as int32


@dataclass(frozen=True, order=True, slots=True)
class VocabRow:
    """An entity: `count` is 0 where the file has none."""

    id: int
    title: str
    count: int


# What the parsers give: where it stood ("line 7" by number, 0 for no line), id, title, count, language or None.
_Entry = tuple[int, int, str, int, str | None]


def read_vocabulary(path: str | Path, language: str | None = None) -> list[VocabRow]:
    """The entities of a vocabulary file, ordered by id; [PAD], [UNK] and [MASK] must have ids 0, 1 and 2.

    `language` picks the titles of a multilingual file, and is ignored by the others. Raises WikiprepError naming file
    and line for a bad row, an id or a title given twice, missing specials, and a language that the file does not have.
    """
    entries = _read_entries(path)
    rows: list[VocabRow] = []
    lines: dict[str, int] = {}
    languages: set[str] = set()
    special_rows: dict[str, VocabRow] = {}
    language_filter = _LanguageFilter(path, language)
    for line, entity_id, title, count, row_language in entries:
        if row_language is not None:
            languages.add(row_language)
            if title in SPECIALS or title == _MASK2:
                special_rows.setdefault(title, VocabRow(entity_id, title, count))
                continue
            if not language_filter.takes(row_language, languages):
                continue
        if title in lines:
            raise WikiprepError(
                f"{_location(path, line)}: title {title!r} stands in the file twice "
                f"(first: {_line_label(lines[title])})",
                "keep one of the two rows",
            )
        lines[title] = line
        rows.append(VocabRow(entity_id, title, count))
    if languages:
        language_filter.check(languages)
    rows += [row for title, row in special_rows.items() if title not in lines]
    rows.sort()
    # Ours, narrowed to one language of several, may share ids as its source did; elsewhere a shared id is a slip.
    _check(path, rows, lines, one_title_an_id=not languages and head(path) != _PARQUET)
    return rows


def read_languages(path: str | Path) -> list[tuple[str, VocabRow]]:
    """All titles of a multilingual file with their languages, ordered by id, then as they stand; "" of special tokens.

    Empty for a file of one language that does not say which. Raises as `read_vocabulary`.
    """
    rows: dict[tuple[str, str], VocabRow] = {}
    for line, entity_id, title, count, language in _read_entries(path):
        if language is None and not title.startswith("["):
            return []
        key = ("" if title in (*SPECIALS, _MASK2) else language or "", title)
        if key[0] and key in rows:
            raise WikiprepError(f"{_location(path, line)}: {language}:{title} stands twice", "keep one of the two rows")
        rows.setdefault(key, VocabRow(entity_id, title, count))
    language_rows = sorted(((key[0], row) for key, row in rows.items()), key=lambda item: item[1].id)
    _check(path, [row for _, row in language_rows], {}, one_title_an_id=False)
    return language_rows


def vocabulary_gaps(rows: Iterable[VocabRow]) -> list[tuple[int, int]]:
    """Runs `[first, last]` of ids between 0 and the highest that no row has; `rows` ordered by id."""
    gaps = []
    expected = 0
    for row in rows:
        if row.id > expected:
            gaps.append((expected, row.id - 1))
        expected = row.id + 1
    return gaps


class _LanguageFilter:
    """Which language of a multilingual file is wanted: the one asked for, or the only one there is."""

    def __init__(self, path: str | Path, language: str | None) -> None:
        self._path = path
        self._language = language

    def takes(self, language: str, seen: set[str]) -> bool:
        if self._language is None:
            self.check(seen)
        return self._language is None or language == self._language

    def check(self, languages: set[str]) -> None:
        names = ", ".join(sorted(languages))
        if self._language is None and len(languages) > 1:
            raise UsageError(f"{self._path}: holds several languages ({names}, ...)", "name one: --language CODE")
        if self._language is not None and self._language not in languages:
            raise UsageError(f"{self._path}: has no entity in language {self._language!r}", f"languages in it: {names}")


def _check(path: str | Path, rows: list[VocabRow], lines: dict[str, int], *, one_title_an_id: bool) -> None:
    if not rows:
        raise WikiprepError(f"{path}: holds no entity", _FORMATS)
    ids = {row.title: row.id for row in rows[:64] if row.title in SPECIALS}
    if ids != SPECIALS:
        special_ids = {row.title: row.id for row in rows if row.title in SPECIALS}
        missing = [title for title in SPECIALS if title not in special_ids]
        problem = f"{', '.join(missing)} missing" if missing else f"special entities have ids {special_ids}"
        raise WikiprepError(f"{path}: {problem}", "[PAD], [UNK] and [MASK] must have the ids 0, 1 and 2")
    if not one_title_an_id:
        return
    for one, other in pairwise(rows):
        if one.id == other.id:
            raise WikiprepError(
                f"{_location(path, lines.get(other.title, 0))}: id {other.id} of {other.title!r} is that of "
                f"{one.title!r} ({_line_label(lines.get(one.title, 0))}) too",
                "give each entity an id of its own",
            )


def _read_entries(path: str | Path) -> Iterator[_Entry]:
    if head(path) == _PARQUET:
        return _read_parquet(path)
    first = next(read_lines(path), None)
    if first is None:
        raise WikiprepError(f"{path}: is empty", _FORMATS)
    line = first[1].lstrip()
    try:
        parsed = orjson.loads(line)
    except orjson.JSONDecodeError:
        pretty_printed = line.startswith(b"{") and b"\t" not in line
        return _read_json_map(path) if pretty_printed else _read_tsv(path)
    if isinstance(parsed, dict) and (isinstance(parsed.get("entities"), list) or isinstance(parsed.get("title"), str)):
        return _read_json_lines(path)
    return _read_json_map(path) if isinstance(parsed, dict) else _read_tsv(path)


def _read_tsv(path: str | Path) -> Iterator[_Entry]:
    expected = 1
    for number, line in read_lines(path):
        text = _decode(path, number, line)
        title, tab, count = text.rpartition("\t")
        if number != expected:
            raise WikiprepError(f"{_location(path, expected)}: blank line", "the line's number is the id: take it out")
        if not tab or not title or not count.strip().isascii() or not count.strip().isdigit():
            raise WikiprepError(f"{_location(path, number)}: {_shorten(text)} is not title<TAB>count", _FORMATS)
        expected += 1
        yield number, number - 1, title, int(count), None


def _read_json_lines(path: str | Path) -> Iterator[_Entry]:
    for number, line in read_lines(path):
        try:
            parsed = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            raise WikiprepError(f"{_location(path, number)}: invalid JSON: {error}", _FORMATS) from error
        if not isinstance(parsed, dict):
            raise WikiprepError(f"{_location(path, number)}: {_shorten(parsed)} is not an object", _FORMATS)
        entity_id = _parse_whole(path, number, "id", parsed.get("id"))
        count = _parse_whole(path, number, "count", parsed.get("count") or 0, limit=2**63 - 1)
        if "entities" not in parsed:
            yield number, entity_id, _check_title(path, number, parsed.get("title")), count, None
            continue
        entities = parsed["entities"]
        if not isinstance(entities, list) or not entities:
            raise WikiprepError(f'{_location(path, number)}: "entities" is {_shorten(entities)}', _FORMATS)
        for entity in entities:
            if not isinstance(entity, list) or len(entity) != 2 or not isinstance(entity[1], str | None):
                raise WikiprepError(f"{_location(path, number)}: {_shorten(entity)} is not [title, language]", _FORMATS)
            yield number, entity_id, _check_title(path, number, entity[0]), count, entity[1]


def _read_json_map(path: str | Path) -> Iterator[_Entry]:
    text = b"\n".join(line for _, line in read_lines(path))
    try:
        parsed = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise WikiprepError(f"{path}: invalid JSON: {error}", _FORMATS) from error
    del text
    if not isinstance(parsed, dict):
        raise WikiprepError(f"{path}: {_shorten(parsed)} is not an object", _FORMATS)
    # No title has brackets: special tokens, and entities of a task such as [HEAD].
    bare = {key for key in parsed if key.startswith("[")}
    # A title starts with a capital in nearly every wiki: only where ALL have a prefix are they languages.
    prefixed = len(bare) < len(parsed) and all(key in bare or _LANGUAGE.match(key) for key in parsed)
    for key, value in parsed.items():
        entity_id = _parse_whole(path, 0, f"id of {_shorten(key)}", value)
        match = _LANGUAGE.match(key) if prefixed and key not in bare else None
        if match:
            yield 0, entity_id, _check_title(path, 0, key[match.end() :]), 0, match[1]
        else:
            yield 0, entity_id, _check_title(path, 0, key), 0, None


def _read_parquet(path: str | Path) -> Iterator[_Entry]:
    with open_bytes(str(path)) as raw:
        yield from _rows_of_parquet(path, raw)


def _rows_of_parquet(path: str | Path, raw: IO[bytes]) -> Iterator[_Entry]:
    try:
        file = pq.ParquetFile(raw)
        names = file.schema_arrow.names
        if not {"id", "title"} <= set(names):
            raise WikiprepError(f"{path}: has columns {', '.join(names)}, not id and title", _FORMATS)
        number = 0
        for batch in file.iter_batches(columns=[n for n in ("id", "title", "count") if n in names]):
            ids, titles = batch.column("id").to_pylist(), batch.column("title").to_pylist()
            counts = batch.column("count").to_pylist() if "count" in names else [0] * len(ids)
            for entity_id, title, count in zip(ids, titles, counts, strict=True):
                number += 1
                yield (
                    number,
                    _parse_whole(path, number, "id", entity_id),
                    _check_title(path, number, title),
                    _parse_whole(path, number, "count", count or 0, limit=2**63 - 1),
                    None,
                )
    except (pa.ArrowInvalid, OSError) as error:
        raise WikiprepError(f"{path}: not a whole Parquet file ({error})", "make it or get it again") from error


def _decode(path: str | Path, number: int, line: bytes) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise WikiprepError(
            f"{_location(path, number)}: not UTF-8 ({error.reason})", "convert the file to UTF-8"
        ) from error


def _parse_whole(path: str | Path, number: int, field: str, value: Any, limit: int = _MAX_ID) -> int:
    if type(value) is not int or not 0 <= value <= limit:
        raise WikiprepError(f"{_location(path, number)}: {field} is {_shorten(value)}, not a whole number", _FORMATS)
    return value


def _check_title(path: str | Path, number: int, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise WikiprepError(f"{_location(path, number)}: title is {_shorten(value)}", _FORMATS)
    return value


def _location(path: str | Path, line: int) -> str:
    return f"{path}:{line}" if line else str(path)


def _line_label(line: int) -> str:
    return f"line {line}" if line else "no line number"


def _shorten(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
