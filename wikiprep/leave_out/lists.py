"""Files that list what to leave out: a title a line, or JSON objects that name a page, a sentence or a fact.

Every line must be understood: a list that is half read leaves half of an evaluation set in the corpus. The facts that
lists name, pairs of items and triples, are read here too, from the corpus's own tables/left_out.parquet.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.textlines import read_lines
from wikiprep.wikidata.left_out_facts import LeftOutFacts
from wikiprep.wikidata.statements import LARGEST_ITEM

PAGE_KINDS = ("title", "page_id", "qid")
FACT_KINDS = ("pair", "triple")
KINDS = (*PAGE_KINDS, "sentence", *FACT_KINDS)
_HINT = (
    'a line is a title, or one of {"title": …}, {"page_id": 12}, {"qid": "Q42"}, {"sentence": …}, '
    '{"pair": ["Q1", "Q2"]}, {"triple": ["Q1", "P36", "Q2"]}'
)
_ITEM, _PROPERTY = re.compile(r"Q([1-9]\d{0,9})"), re.compile(r"P([1-9]\d{0,8})")
_NO_TITLE = re.compile(r"^#|[<>\[\]{}|]")  # of no page: a JSON array, a comment, wikitext, a table's row
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a line names.

    `file` is the file's name without its folder, `line` from 1; `value` as it was written, in NFC; a pair or triple
    with blanks between.
    """

    file: str
    line: int
    kind: str
    value: str

    @property
    def place(self) -> str:
        """For messages and rejects."""
        return f"{self.file}, line {self.line}"

    @property
    def fact(self) -> tuple[int, int, int]:
        """Head, property, tail of a pair or triple as numbers; property 0 of a pair."""
        names = self.value.split()
        head, tail = int(names[0][1:]), int(names[-1][1:])
        return head, int(names[1][1:]) if len(names) == 3 else 0, tail


def words_of(text: str) -> list[str]:
    """The words by which texts are compared: runs of letters and digits, case folded."""
    return _WORD.findall(text.casefold())


def read_lists(paths: Iterable[str]) -> Iterator[Entry]:
    """The entries of all files, in order. A line of JSON may name several things; fields of other names are not read.

    Raises UsageError, with file and line, for a line that names nothing, and for a file without a line.
    """
    for path in paths:
        name, number = PurePath(path).name, 0
        try:
            for number, line in read_lines(path):
                try:
                    text = line.decode("utf-8").strip()
                except UnicodeDecodeError as error:
                    raise UsageError(f"{path}:{number}: not UTF-8 ({error.reason})", "convert the file") from error
                if not text.startswith("{") and _NO_TITLE.search(text):
                    raise UsageError(f"{path}:{number}: no page can be called {_shorten(repr(text))}", _HINT)
                pairs = _read_json(path, number, text) if text.startswith("{") else [("title", _to_nfc(text))]
                for kind, value in pairs:
                    yield Entry(name, number, kind, value)
        except UsageError:
            raise
        except WikiprepError as error:
            raise UsageError(error.what, error.hint) from error
        if not number:
            raise UsageError(f"{path}: is empty", _HINT)


def _read_json(path: str, number: int, text: str) -> list[tuple[str, str]]:
    try:
        fields = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise UsageError(f"{path}:{number}: not JSON: {error}", _HINT) from error
    pairs = [(kind, _read_value(kind, fields[kind])) for kind in KINDS if kind in fields]
    if not pairs:
        raise UsageError(f"{path}:{number}: names nothing to leave out: {_shorten(text)}", _HINT)
    for kind, value in pairs:
        if value is None:
            raise UsageError(f"{path}:{number}: {kind} is {_shorten(repr(fields[kind]))}", _HINT)
    return [(kind, value) for kind, value in pairs if value is not None]


def _read_value(kind: str, value: Any) -> str | None:
    """As text; None for a value that cannot be."""
    if kind == "page_id":
        text = str(value) if isinstance(value, int | str) and not isinstance(value, bool) else ""
        return text if re.fullmatch(r"[1-9]\d{0,17}", text) else None
    if kind in FACT_KINDS:
        patterns = (_ITEM, _PROPERTY, _ITEM) if kind == "triple" else (_ITEM, _ITEM)
        if not isinstance(value, list) or len(value) != len(patterns):
            return None
        fits = all(isinstance(v, str) and p.fullmatch(v) for p, v in zip(patterns, value, strict=True))
        fits = fits and all(int(v[1:]) <= LARGEST_ITEM for v in value)
        return " ".join(value) if fits else None
    if not isinstance(value, str) or not value.strip():
        return None
    if kind == "qid":
        return value if _ITEM.fullmatch(value) and int(value[1:]) <= LARGEST_ITEM else None
    if kind == "sentence":
        return _to_nfc(value) if words_of(value) else None
    return _to_nfc(value)


def _to_nfc(text: str) -> str:
    """MediaWiki keeps all text and titles in this form (NFC): in another one nothing of it would be found."""
    return unicodedata.normalize("NFC", text)


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def listed_facts(entries: Iterable[Entry]) -> LeftOutFacts:
    """Those that lists name."""
    return LeftOutFacts(entry.fact for entry in entries if entry.kind in FACT_KINDS)


def open_left_out_facts(left_out: Path) -> LeftOutFacts:
    """Those of a corpus: `left_out` is tables/left_out.parquet."""
    return LeftOutFacts(entry.fact for entry in fact_entries(left_out))


def fact_entries(left_out: Path) -> list[Entry]:
    """The pairs and triples of tables/left_out.parquet, of items as they are called now."""
    table = pq.read_table(left_out, columns=["file", "line", "kind", "now"])
    table = table.filter(pc.is_in(table["kind"], pa.array(FACT_KINDS)))
    return [Entry(row["file"], row["line"], row["kind"], row["now"]) for row in table.to_pylist()]


def strange_facts(entries: Iterable[Entry], items: Path) -> list[Entry]:
    """The facts with an item that `items` (wikidata_items.parquet) does not have: no record or triple is of it."""
    facts = list(entries)
    named_items = np.unique(np.array([e.fact[end] for e in facts for end in (0, 2)], np.int64))
    found = np.zeros(len(named_items), bool)
    for batch in pq.ParquetFile(items).iter_batches(columns=["qid"]):
        found |= np.isin(named_items, batch["qid"].to_numpy())
    known_items = set(named_items[found].tolist())
    return [e for e in facts if not {e.fact[0], e.fact[2]} <= known_items]
