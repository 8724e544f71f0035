"""Text with links that did not come from a dump: JSON lines, one object a paragraph, read as a stream.

A paragraph: `{"title", "text", "links": [{"target", "start", "end", "fragment"?}], "abstract"?}`, and if given
`page_id`, `revision_id`, `qid`, `timestamp`, `section` (heading or list of headings), `kind`, `source`. Offsets are
code points of `text`, end exclusive. A line `{"redirects": [[from, to], ...]}` may stand anywhere.

Consecutive lines of one title (and of one page_id and revision_id, where both lines give them) are a page. A title
that comes back after another page is a page of its own: only one page is ever held in memory. Titles and targets are
taken exactly as they stand, so that own ids work and the published rules meet the published titles.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any, get_args

import orjson

from wikiprep.corpus.articles import ArticleRow
from wikiprep.counts import Count, Equation
from wikiprep.errors import WikiprepError
from wikiprep.textlines import read_lines
from wikiprep.wikitext.article import Link, Paragraph, ParagraphKind

EXPECTED = 'each line is an object with "title", "text" and "links": [{"target", "start", "end"}]'
BODY: tuple[str, ...] = ("",)  # the section of a paragraph that is known only not to be in the lead
LINES_READ = Count("lines.read", "Lines of the annotated text.")
LINES_USED = Count("lines.used", "Lines that are a paragraph.")
LINES_REDIRECTS = Count("lines.redirects", "Lines that hold redirects alone.")
LINES_REJECT = Count("lines.reject", "Lines that could not be used (`rejects/import.parquet`).")
LINES = Equation("lines of annotated text", LINES_READ, (LINES_USED, LINES_REDIRECTS, LINES_REJECT))
_KINDS = frozenset(get_args(ParagraphKind))
_MAX_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class RejectRow:
    """A line that could not be used; `detail` names file, line and what was wrong there."""

    page_id: int | None
    title: str | None
    reason: str
    detail: str


class BadLine(Exception):
    """What is wrong with a line: a reason that counts, and the particulars."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


def read_annotated(
    path: str | Path,
    *,
    allow_empty_links: bool = False,
    counts: Counter[Count] | None = None,
    items: dict[str, str] | None = None,
) -> Iterator[ArticleRow | RejectRow]:
    """The pages of a file and the lines that are no use, in the file's order (a reject before the page around it).

    `allow_empty_links` takes links with start == end, which the published code makes of `[[File:X.jpg|]]` and keeps as
    mentions without tokens (`--compat luke-2020`); otherwise such a line is a reject. Links out of order are sorted.
    `counts`, complete at the end, closes by LINES; `items`
    the "qid" of links by target, where they have one (of several the first).
    Raises WikiprepError where the file cannot be read or has no usable line at all.
    """
    counts = Counter() if counts is None else counts
    name = PurePosixPath(str(path)).name
    page: ArticleRow | None = None
    first_problem = ""
    for number, line in read_lines(path):
        data: dict[str, Any] = {}
        counts[LINES_READ] += 1
        try:
            data = parse_line(line)
            if is_redirects(data):
                counts[LINES_REDIRECTS] += 1
                continue
            next_page = _parse_page(data, allow_empty_links)
            if items is not None:
                _note_items(data, items)
        except BadLine as bad:
            detail = f"{name}:{number}: {bad.detail}"
            first_problem = first_problem or f"line {number}: {bad.detail}; fields found: {_field_names(data)}"
            counts[LINES_REJECT] += 1
            yield RejectRow(_page_id_or_none(data), _title_or_none(data), bad.reason, detail)
            continue
        counts[LINES_USED] += 1
        if page is not None and _is_continuation(page, next_page):
            _extend(page, next_page)
            continue
        if page is not None:
            yield page
        page = next_page
    if not counts[LINES_USED]:
        lines = counts[LINES_REJECT]
        problem = f"none of its {lines} lines can be used ({first_problem})" if lines else "it holds no paragraph"
        raise WikiprepError(f"{path}: {problem}", EXPECTED)
    if page is not None:
        yield page


def _note_items(data: dict[str, Any], items: dict[str, str]) -> None:
    for link in data.get("links") or ():
        qid = link.get("qid")
        if qid is None:
            continue
        if not isinstance(qid, str):
            raise BadLine("bad link", f'"qid" is {_shorten(qid)}, not a string')
        items.setdefault(link["target"], qid)


def read_redirects(path: str | Path) -> Iterator[tuple[str, str]]:
    """The (from, to) pairs of a file's "redirects" fields; to be read first, since they may stand anywhere.

    Raises WikiprepError for a redirects line that is not a list of pairs of titles: links would lose their entities.
    """
    for number, line in read_lines(path):
        if b"redirects" not in line:
            continue
        try:
            data = parse_line(line)
        except BadLine:
            continue  # counted by read_annotated
        if "redirects" not in data:
            continue
        pairs = data["redirects"]
        if isinstance(pairs, dict):
            pairs = list(pairs.items())
        for pair in pairs if isinstance(pairs, list) else [pairs]:
            if not (isinstance(pair, list | tuple) and len(pair) == 2 and all(isinstance(t, str) and t for t in pair)):
                raise WikiprepError(
                    f"{path}:{number}: {_shorten(pair)} is no redirect", 'write {"redirects": [["from", "to"], ...]}'
                )
            yield pair[0], pair[1]


def parse_line(line: bytes) -> dict[str, Any]:
    """The object of a line. Raises BadLine."""
    try:
        data = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadLine("invalid JSON", f"invalid JSON: {error}") from error
    if not isinstance(data, dict):
        raise BadLine("not an object", f"a JSON {_type_name(data)}, not an object")
    return data


def is_redirects(record: dict[str, Any]) -> bool:
    """Whether a line holds redirects and no text."""
    return "redirects" in record and not record.keys() & {"text", "title"}


def _parse_page(data: dict[str, Any], allow_empty_links: bool) -> ArticleRow:
    """A page of this one paragraph."""
    title = _string_field(data, "title", required=True)
    text = _string_field(data, "text", required=True, may_be_empty=True)
    assert title is not None and text is not None
    links = read_links(data.get("links"), len(text), allow_empty_links)
    kind = _string_field(data, "kind") or "prose"
    if kind not in _KINDS:
        raise BadLine("unknown kind", f"kind {_shorten(kind)} is none of {', '.join(sorted(_KINDS))}")
    source = _string_field(data, "source")
    return ArticleRow(
        page_id=_integer_field(data, "page_id"),
        revision_id=_integer_field(data, "revision_id"),
        timestamp=_string_field(data, "timestamp"),
        title=title,
        qid=_string_field(data, "qid"),
        flags=[f"source:{source}"] if source else [],
        paragraphs=[Paragraph(_parse_section(data), kind, 0, text, links)],  # type: ignore[arg-type]  # checked above
    )


def read_links(value: Any, length: int, allow_empty: bool = False) -> tuple[Link, ...]:
    """The "links" of a line whose text has `length` code points, in order of place. Raises BadLine."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise BadLine("bad links", f'"links" is a {_type_name(value)}, not a list')
    links = [_parse_link(entry, place, length, allow_empty) for place, entry in enumerate(value)]
    links.sort(key=lambda link: (link.start, link.end))
    for one, other in pairwise(links):
        if other.start < one.end:
            spans = f"[{one.start}, {one.end}) and [{other.start}, {other.end})"
            raise BadLine("overlapping links", f"links {spans} overlap")
    return tuple(links)


def _parse_link(entry: Any, place: int, length: int, allow_empty: bool) -> Link:
    if not isinstance(entry, dict):
        raise BadLine("bad link", f"link {place} is a {_type_name(entry)}, not an object")
    target = entry.get("target")
    if not isinstance(target, str) or not target or "\0" in target:
        raise BadLine("bad link", f'link {place}: "target" is {_shorten(target)}, not a title')
    start, end = _parse_offset(entry, "start", place), _parse_offset(entry, "end", place)
    if not (0 <= start <= end <= length):
        expected = f"a span of a text of {length} code points"
        raise BadLine("link out of range", f"link {place}: [{start}, {end}) is not {expected}")
    if start == end and not allow_empty:
        raise BadLine("empty link", f"link {place}: [{start}, {end}) is empty")
    fragment = entry.get("fragment")
    if fragment is not None and not isinstance(fragment, str):
        raise BadLine("bad link", f'link {place}: "fragment" is a {_type_name(fragment)}, not a string')
    return Link(start, end, target, fragment)


def _parse_offset(entry: dict[str, Any], field: str, place: int) -> int:
    value = entry.get(field)
    if type(value) is not int:  # true is an int to Python
        raise BadLine("bad link", f'link {place}: "{field}" is {_shorten(value)}, not an integer')
    return value


def _parse_section(data: dict[str, Any]) -> tuple[str, ...]:
    """() for the lead: `abstract` says so, or without it no section is given."""
    abstract = data.get("abstract")
    if abstract is not None and not isinstance(abstract, bool):
        raise BadLine("bad field", f'"abstract" is {_shorten(abstract)}, not true or false')
    section = data.get("section")
    headings = [section] if isinstance(section, str) else section or []
    if not isinstance(headings, list) or not all(isinstance(h, str) for h in headings):
        raise BadLine("bad field", f'"section" is {_shorten(section)}, not a heading or a list of headings')
    if abstract:
        return ()
    return tuple(headings) or (BODY if abstract is False else ())


def _string_field(
    data: dict[str, Any], field: str, *, required: bool = False, may_be_empty: bool = False
) -> str | None:
    value = data.get(field)
    if value is None and not required:
        return None
    if value is None:
        raise BadLine(f"no {field}", f'no "{field}"')
    if not isinstance(value, str):
        raise BadLine("bad field", f'"{field}" is a {_type_name(value)}, not a string')
    if not value.strip() and required and not may_be_empty:
        raise BadLine(f"no {field}", f'"{field}" is empty')
    if "\0" in value:
        raise BadLine("bad field", f'"{field}" has a NUL character')
    return value


def _integer_field(data: dict[str, Any], field: str) -> int | None:
    value = data.get(field)
    if value is None:
        return None
    if type(value) is not int or not 0 <= value <= _MAX_ID:
        raise BadLine("bad field", f'"{field}" is {_shorten(value)}, not a whole number of at most 63 bits')
    return value


def _is_continuation(page: ArticleRow, other: ArticleRow) -> bool:
    def agree(one: int | None, two: int | None) -> bool:
        return one is None or two is None or one == two

    return (
        page.title == other.title and agree(page.page_id, other.page_id) and agree(page.revision_id, other.revision_id)
    )


def _extend(page: ArticleRow, other: ArticleRow) -> None:
    """Adds a paragraph to its page; what a page has is said by the first line that says it."""
    page.paragraphs.extend(other.paragraphs)  # type: ignore[attr-defined]  # a list: made by _parse_page
    page.page_id = other.page_id if page.page_id is None else page.page_id
    page.revision_id = other.revision_id if page.revision_id is None else page.revision_id
    page.timestamp = page.timestamp or other.timestamp
    page.qid = page.qid or other.qid
    page.flags = page.flags or other.flags


def _title_or_none(data: dict[str, Any]) -> str | None:
    title = data.get("title")
    return title if isinstance(title, str) else None


def _page_id_or_none(data: dict[str, Any]) -> int | None:
    value = data.get("page_id")
    return value if type(value) is int and 0 <= value <= _MAX_ID else None


def _field_names(data: dict[str, Any]) -> str:
    return ", ".join(list(data)[:12]) or "none"


def _shorten(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _type_name(value: Any) -> str:
    names = {dict: "object", list: "list", str: "string", int: "number", float: "number", bool: "boolean"}
    return "null" if value is None else names.get(type(value), type(value).__name__)
