"""Lines to paragraphs: headings, lists, quotations, prose, with offsets on the text as stored.

White space: every run of white space, U+00A0 and line ends inside a block included, is one U+0020; a block has none at
its ends, nor has a mention. Blocks without a letter, digit or other visible character are left out.
"""

import re
from collections import Counter

from wikiprep.compiled.pairs import find_pair
from wikiprep.wikitext.article import Extraction, ParagraphKind
from wikiprep.wikitext.bold_italic import is_unclosed, strip_quotes
from wikiprep.wikitext.cleanup import close_placeholders, joins_of
from wikiprep.wikitext.control_marks import (
    BREAK,
    CAPTION,
    END,
    IMAGE_BLOCK,
    LINK,
    LIST_TAG,
    NOTHING,
    PLACEHOLDER,
    QUOTE_CLOSE,
    QUOTE_OPEN,
    TAG,
    collapse,
    is_shielded,
    with_single_spaces,
    without_marks,
)
from wikiprep.wikitext.link_meanings import Meaning
from wikiprep.wikitext.nesting import MAX_DEPTH, Nesting
from wikiprep.wikitext.page_links import PageLinks
from wikiprep.wikitext.spans import Block, read_spans, single_spaced

_NESTED = re.compile(rf"({LIST_TAG.pattern}|[{QUOTE_OPEN}{QUOTE_CLOSE}])")
_MARKS = NOTHING + PLACEHOLDER + BREAK + " "
_ITEMS = "*#:;"  # what an item of a list starts with
_STARTERS = f"{_ITEMS}=-| {PLACEHOLDER}{NOTHING}{BREAK}"  # a line that starts with one of them may be no prose
_PREFIX = re.compile(f"[{_ITEMS}]+")
_MAX_LEVEL = 6  # of headings
_KINDS: dict[str, ParagraphKind] = {"*": "list_item", "#": "list_item", ":": "definition", ";": "term"}
_STRAY_ROW = re.compile(rf"\|(?:\}}|-+(?:[ ]*\w+[ ]*=.*)?)[ {NOTHING}{PLACEHOLDER}]*")  # of a table that is not there
_WORDLESS = re.compile(r"[\s,.;:!?()\[\]{}|/–—'\"-]*")


class BlockReader:
    """Reads one page's marked text into `extraction.paragraphs`."""

    def __init__(self, extraction: Extraction, page: PageLinks, flags: Counter[str], language: str = "en") -> None:
        self._extraction = extraction
        self._joins = joins_of(language)
        self._flags = flags
        self._page = page
        self._written_captions = 0  # how many are written
        self._waiting_captions = 0  # how many stand in the block that is being read
        self._targets: list[Meaning] = page.targets
        self._next_target = 0  # the target of the next LINK
        self._sections: list[tuple[int, str]] = []
        self._path: tuple[str, ...] = ()
        self._lines: list[str] = []
        self._nesting = Nesting("")
        self._blocks: list[Block] = []
        self._resolved_blocks = 0  # how many blocks have the targets of their links in `_kept_targets`
        self._kept_targets: list[Meaning] = []

    def read(self, text: str) -> None:
        """Sets the page's paragraphs."""
        nested = QUOTE_OPEN in text or QUOTE_CLOSE in text or TAG in text
        special = nested or CAPTION in text
        if nested:
            self._nesting = Nesting(text)
        shielded = is_shielded(text) or bool(self._page.captions)
        if text[:1] not in " \n" and text[:1].isspace():  # a tab or wide space; behind a line end it is seen to below
            text = NOTHING + text
        text = with_single_spaces(text)
        nesting, lines = self._nesting, self._lines
        at, size = 0, len(text)
        quotes = find_pair(text, "'", 0, size)  # the next ones
        while at <= size:
            end = text.find("\n", at)
            if end < 0:
                end = size
            line = text[at:end]
            at = end + 1
            quoted = 0 <= quotes < end
            if quoted:
                quotes = find_pair(text, "'", at, size)
            if not line:
                if lines:
                    self._flush()
                if nested:
                    nesting.blank_line()
            elif special and (QUOTE_OPEN in line or QUOTE_CLOSE in line or TAG in line or CAPTION in line):
                self._read_special_line(line)
            elif quoted or line[0] in _STARTERS:
                self._read_line(line, quoted)
            else:
                lines.append(line.rstrip(" "))
        self._flush()
        if self._next_target or self._resolved_blocks:
            self._resolve_targets()
        result = self._extraction
        targets = self._kept_targets if self._next_target or self._resolved_blocks else self._targets
        result.paragraphs = read_spans(self._blocks, targets, result.links, shielded=shielded)

    def _read_special_line(self, line: str) -> None:
        parts = _NESTED.split(line)
        first = parts[0]
        nesting = self._nesting
        marks = _PREFIX.match(first) if len(parts) > 1 else None
        divided = marks is not None and marks[0][-1] == ";" and _colon_place(first[marks.end() :]) >= 0
        self._read_part(NOTHING + first if first[:1] == " " and len(parts) > 1 else first)
        if marks is not None:  # what follows on the line stands in its item
            depth = len(marks[0])
            place = nesting.enter_line("definition" if divided else _KINDS[marks[0][-1]], depth)
        for i, part in enumerate(parts[1:], 1):
            if i % 2:
                self._flush()
                nesting.mark(part)
            elif part:
                self._read_part(NOTHING + part)
        if marks is not None:
            self._flush()
            nesting.leave_line(place, depth)

    def _read_part(self, text: str) -> None:
        """A line, or what stands on it between two tags."""
        captions = text.count(CAPTION)
        if captions:
            text = text.replace(CAPTION, "")
        if text:
            self._read_line(text, "''" in text)
        self._waiting_captions += captions
        if not self._lines:
            self._write_captions()

    def _read_line(self, line: str, quoted: bool) -> None:
        if not line:
            if self._lines:
                self._flush()
            return
        if quoted:
            # What follows a mark at the start of a line is no longer at its start.
            if is_unclosed(line.count("''")):
                self._flags["unclosed:quotes"] += 1
            line = collapse(NOTHING + strip_quotes(line) if line[0] == "'" else strip_quotes(line))
        first = line[:1]
        if first and first in _STARTERS:
            if first in _ITEMS:
                self._read_item(line)
                return
            if first == "=" and self._read_heading(line):
                return
            if first == "-" and line.startswith("----"):
                self._flush()
                line = line.lstrip("-")
            elif not line.strip(_MARKS):
                if PLACEHOLDER in line or BREAK in line or not line.strip():
                    self._flush()
                return
            elif first == " " and BREAK not in line and not self._nesting.opened:
                self._skip_preformatted(line)
                return
            elif first == "|" and _STRAY_ROW.fullmatch(line):
                self._flags["stray:table"] += 1
                self._leave_out(line, "table")
                return
        self._lines.append(line.strip(" "))

    def _skip_preformatted(self, line: str) -> None:
        """A line that starts with a space is code to MediaWiki, but where it holds the tag of a block."""
        self._flush()
        self._flags["preformatted"] += 1
        self._leave_out(line, "preformatted")

    def _leave_out(self, text: str, reason: str) -> None:
        if links := text.count(LINK):
            self._resolve_targets()
            self._next_target += links
            self._extraction.links[reason] += links

    def _resolve_targets(self) -> None:
        """The targets of the links in all blocks so far; `_targets` is put forward past them."""
        if self._resolved_blocks < len(self._blocks):
            links = sum([text.count(LINK) for _, _, _, text in self._blocks[self._resolved_blocks :]])
            self._resolved_blocks = len(self._blocks)
            self._kept_targets += self._targets[self._next_target : self._next_target + links]
            self._next_target += links

    def _read_heading(self, line: str) -> bool:
        """Whether the line is a heading; then into the section that it begins."""
        line = line.rstrip(_MARKS)
        level = _heading_level(line)
        if not level:
            return False
        if self._lines:
            self._flush()
        if self._nesting.opened:
            self._nesting.heading()
        inside = line[level:-level]
        if not inside.isprintable():  # marks
            self._leave_out(inside, "heading")
            if PLACEHOLDER in inside:
                inside = close_placeholders(single_spaced(inside), self._joins)
            inside = without_marks(inside)
        sections = self._sections
        while sections and sections[-1][0] >= level:
            sections.pop()
        sections.append((level, " ".join(inside.split())))
        self._path = tuple([title for _, title in sections])
        return True

    def _read_item(self, line: str) -> None:
        if self._lines:
            self._flush()
        last, size = line[0], 1
        if len(line) > 1 and line[1] in _ITEMS:
            prefix = line[: len(line) - len(line.lstrip(_ITEMS))]
            last, size = prefix[-1], len(prefix)
        rest = line[size:]
        depth = size + self._nesting.lists
        if depth >= MAX_DEPTH:
            depth = MAX_DEPTH
            self._flags["limit:list depth"] += 1
        if last == ";":
            colon = _colon_place(rest)
            if colon >= 0:
                self._add_block("term", depth, rest[:colon])
                self._add_block("definition", depth, rest[colon + 1 :])
            else:
                self._add_block("term", depth, rest)
        else:
            self._add_block(_KINDS[last], depth, rest)

    def _flush(self) -> None:
        if self._lines:
            lines = self._lines
            text = lines[0] if len(lines) == 1 else " ".join(lines)
            if len(lines) > 1 and BREAK in text and IMAGE_BLOCK in text:
                text = " ".join([BREAK + line + BREAK if IMAGE_BLOCK in line else line for line in lines])
            lines.clear()
            nesting = self._nesting
            self._add_block(nesting.kind, nesting.depth, text)
            if self._waiting_captions:
                self._write_captions()

    def _write_captions(self) -> None:
        """The captions that stood in the block before, each as a paragraph."""
        self._resolve_targets()
        outer, place = self._targets, self._next_target
        while self._waiting_captions:
            text, self._targets = self._page.captions[self._written_captions]
            self._next_target = 0
            self._written_captions += 1
            self._waiting_captions -= 1
            text = _NESTED.sub(BREAK, with_single_spaces(text))
            self._add_block("caption", 0, collapse(" ".join([strip_quotes(line) for line in text.split("\n")])))
            self._resolve_targets()
        self._targets, self._next_target = outer, place

    def _add_block(self, kind: ParagraphKind, depth: int, text: str) -> None:
        """`text` has single spaces, but where NOTHING is between two."""
        if BREAK in text:
            for part in text.split(BREAK):
                self._add_block(kind, depth, part)
            return
        text = _without_nothing(text) if NOTHING in text else text.strip(" ")
        if PLACEHOLDER in text:
            text = self._close(text)
        if text:
            self._blocks.append((self._path, kind, depth, text))

    def _close(self, text: str) -> str:
        """The text of a block, of single spaces, with its placeholders closed; empty if no word is left."""
        text = close_placeholders(text, self._joins)
        return "" if _WORDLESS.fullmatch(text) else single_spaced(text)


def _without_nothing(text: str) -> str:
    """The text of single spaces as without its NOTHING: with none at its ends either."""
    out: list[str] = []
    spaced = True
    for part in text.split(NOTHING):
        if spaced and part[:1] == " ":
            part = part[1:]
        if part:
            out.append(part)
            spaced = part[-1] == " "
    return "".join(out).rstrip(" ")


def _heading_level(line: str) -> int:
    """The level of the heading that a line is: the `=` that both of its ends have, six at most; 0 if it is none.

    A line of nothing but `=` has the middle one or two as its title, as in MediaWiki's preprocessor.
    """
    size = len(line)
    left = size - len(line.lstrip("="))
    level = min(left, size - len(line.rstrip("="))) if left < size else max(size - 1, 0) // 2
    return min(level, _MAX_LEVEL)


def _colon_place(text: str) -> int:
    """Where a term ends: the first colon outside links and addresses; -1 if nowhere."""
    at = text.find(":")
    open_ = last = 0
    while at >= 0:
        open_ += text.count(LINK, last, at) - text.count(END, last, at)
        if open_ <= 0 and not text.startswith("//", at + 1):
            return at
        last, at = at, text.find(":", at + 1)
    return -1
