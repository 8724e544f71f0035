"""JSON lines of text in, the same lines with entity spans out, as a stream: one batch of lines is held at a time.

A line is {"text", "title"?, "links"?: [{"target", "start", "end"}]} and whatever else; all of it stays. Spans are added
to "links", between those that are there, so that `wikiprep records --from` reads the output. Lines of redirects pass.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import orjson

from wikiprep.annotate.annotator import Annotator, Span
from wikiprep.annotate.to_vocabulary import ToVocabulary
from wikiprep.corpus.annotated_text import BadLine, is_redirects, parse_line, read_links
from wikiprep.errors import WikiprepError

Lines = list[tuple[int, bytes]]  # numbered from 1
Choose = Callable[[Sequence[str], Sequence[Sequence[Span]]], list[list[Span]]]


@dataclass(slots=True)
class _Line:
    """A line that can be used. `links` that stay, `spans` of all that were there; `page` is the source as given."""

    record: dict[str, Any]
    text: str
    links: list[dict[str, Any]]
    spans: list[tuple[int, int]]
    page: str | int | None


class LineAnnotator:
    """Annotates batches of lines of one source `name`.

    `counts` grows: lines.read is the sum of lines.by_page, .by_prior, .redirects and .reject.REASON; spans.SOURCE and
    links.kept (those that were there) are counted too.

    `strict`: the first bad line is an error. Otherwise it is left out, counted, and put in `problems`. `to_vocabulary`
    carries all links to another vocabulary, and counts them. `plain`: a line is a text itself, not JSON.
    `choose` decides what the spans of texts mean, once they are found.
    """

    def __init__(
        self,
        annotator: Annotator,
        name: str,
        page_field: str,
        *,
        strict: bool = False,
        to_vocabulary: ToVocabulary | None = None,
        plain: bool = False,
        choose: Choose | None = None,
    ) -> None:
        self._plain, self._choose = plain, choose
        self.counts: Counter[str] = Counter()
        self._to_vocabulary = to_vocabulary
        self.problems: list[str] = []  # of the last batch
        self.fields: set[str] = set()  # that some line has
        self._annotator, self._name, self._page_field, self._strict = annotator, name, page_field, strict

    def annotate(self, batch: Lines) -> Iterator[bytes]:
        """The output lines of a batch, each with its end."""
        self.problems = []
        parsed_lines: list[_Line | bytes] = []
        for number, raw in batch:
            self.counts["lines.read"] += 1
            try:
                parsed_lines.append(self._parse(raw))
            except BadLine as bad:
                self.counts[f"lines.reject.{bad.reason}"] += 1
                self.problems.append(f"{self._name}:{number}: {bad.detail}")
                if self._strict:
                    hint = 'a line is {"text": "…", "title": "…"}; without --strict such lines are left out'
                    raise WikiprepError(self.problems[-1], hint) from bad
        for page, group in groupby(parsed_lines, lambda line: None if isinstance(line, bytes) else (line.page,)):
            if page is None:
                yield from (line for line in group if isinstance(line, bytes))
            else:
                yield from self._annotate_page([line for line in group if isinstance(line, _Line)])

    def _annotate_page(self, lines: list[_Line]) -> Iterator[bytes]:
        page_id = self._annotator.page_id(lines[0].page)
        self.counts["lines.by_prior" if page_id is None else "lines.by_page"] += len(lines)
        if page_id is None and lines[0].page is not None:
            self.counts["also.lines.page_unknown"] += len(lines)
        texts = [line.text for line in lines]
        spans = self._annotator.annotate(texts, page_id, [line.spans for line in lines])
        if self._choose is not None:
            spans = self._choose(texts, spans)
        for line, line_spans in zip(lines, spans, strict=True):
            added_spans, kept_links = line_spans, line.links
            if self._to_vocabulary is not None:
                added_spans = self._to_vocabulary.spans(line_spans)
            self.counts["links.kept"] += len(kept_links)
            self.counts.update(f"spans.{span.source}" for span in added_spans)
            links = [*kept_links, *(span.as_json() for span in added_spans)]
            line.record["links"] = sorted(links, key=lambda link: (link["start"], link["end"]))
            yield orjson.dumps(line.record, option=orjson.OPT_APPEND_NEWLINE)

    def _parse(self, raw: bytes) -> _Line | bytes:
        fields = _plain_line(raw) if self._plain else parse_line(raw)
        if is_redirects(fields):
            self.counts["lines.redirects"] += 1
            return raw + b"\n"
        text = fields.get("text")
        if not isinstance(text, str):
            raise BadLine("no text" if text is None else "bad field", '"text" is missing or not a string')
        self.fields.update(fields)
        page = fields.get(self._page_field)
        if page is not None and (not isinstance(page, str | int) or isinstance(page, bool)):
            raise BadLine("bad field", f'"{self._page_field}" is neither a title nor a page id')
        read_links(fields.get("links"), len(text))
        links = fields.get("links") or []
        spans = [(link["start"], link["end"]) for link in links]
        return _Line(
            fields, text, links if self._to_vocabulary is None else self._to_vocabulary.links(links), spans, page
        )


def _plain_line(raw: bytes) -> dict[str, Any]:
    """As if it had been JSON. Raises BadLine for what is no text."""
    try:
        return {"text": raw.decode()}
    except UnicodeDecodeError as error:
        raise BadLine("not UTF-8", f"not UTF-8 at byte {error.start + 1} of the line") from None


def batches(lines: Iterable[tuple[int, bytes]], size: int = 1 << 20) -> Iterator[Lines]:
    """Lines in batches of about `size` bytes."""
    batch: Lines = []
    batch_bytes = 0
    for number, line in lines:
        batch.append((number, line))
        batch_bytes += len(line)
        if batch_bytes >= size:
            yield batch
            batch, batch_bytes = [], 0
    if batch:
        yield batch
