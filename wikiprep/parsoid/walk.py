"""The walk through the tree of a page: blocks with marks, and an account of what is passed over.

Once and without recursion. A link that is open where a block ends is the mention that it has there.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from selectolax.lexbor import LexborNode

from wikiprep.parsoid.calls import Calls
from wikiprep.parsoid.elements import BLOCKS, HEADINGS, ITEMS, LISTS, drop_reason, formula, is_file, is_formula
from wikiprep.parsoid.hrefs import EXTERNAL, OF_WIKI
from wikiprep.wikitext.article import Extraction, ParagraphKind
from wikiprep.wikitext.cleanup import close_placeholders
from wikiprep.wikitext.control_marks import (
    END,
    LINK,
    NOTHING,
    PLACEHOLDER,
    without_invisible,
    without_marks,
)
from wikiprep.wikitext.formulas import signs_of
from wikiprep.wikitext.link_meanings import Meaning
from wikiprep.wikitext.nesting import MAX_DEPTH
from wikiprep.wikitext.references import without_loose_spaces
from wikiprep.wikitext.spans import Block, read_spans, single_spaced
from wikiprep.wikitext.templates.numbers import format_number

if TYPE_CHECKING:
    from wikiprep.parsoid.extract import HtmlExtractor

_COUNTED = "a[rel], [typeof]"  # what an account knows of an element's inside
_WORDLESS = re.compile(r"[\s,.;:!?()\[\]{}|/–—'\"-]*")
_BR = "\v"  # white space that no text has
# Reasons whose flag has another name, as on the wikitext side, or that have none.
_FLAGS = {"reference": "ref", "hidden": "", "file": "", "caption": "", "map": "mapframe"}
_QUIET = frozenset(("reference", "hidden"))  # they leave no trace in the sentence around them
_Leave = Callable[[], None]


class Walk:
    """One pass over one page."""

    def __init__(self, rules: "HtmlExtractor", result: Extraction, title: str) -> None:
        self.flags: Counter[str] = Counter()
        self._rules, self._result, self._title = rules, result, title
        self._links = result.links
        self._out: list[str] = []  # the block that is open
        self._targets: list[Meaning] = []
        self._blocks: list[Block] = []
        self._sections: list[tuple[int, str]] = []
        self._path: tuple[str, ...] = ()
        self._kind: ParagraphKind = "prose"
        self._depth = 0
        self._lists = self._quotes = self._external_count = 0
        # Whether a link is open, and whether its mark stands in the block that is open.
        self._in_link = self._has_mark = self._verse = False
        self._calls = Calls()

    def run(self, body: LexborNode) -> None:
        """Sets the page's paragraphs."""
        out = self._out
        stack: list[tuple[Iterator[LexborNode], _Leave]] = [(body.iter(include_text=True), self._flush)]
        while stack:
            node = next(stack[-1][0], None)
            if node is None:
                stack.pop()[1]()
            elif node.tag == "-text":
                out.append(node.text_content or "")
            else:
                inside, leave = self._enter(node)
                if inside is not None:
                    stack.append((inside.iter(include_text=True), leave))
        self._result.templates = self._calls.counts
        self._result.paragraphs = read_spans(self._blocks, self._targets, self._links, shielded=False)

    def _enter(self, node: LexborNode) -> tuple[LexborNode | None, _Leave]:
        """The element whose children are read, and what to do at its end; None for one that is passed over."""
        tag, attributes = node.tag or "", node.attributes
        types = attributes.get("typeof") or ""
        about = self._calls.enter(types, attributes) if "about" in attributes else None
        classes = attributes.get("class") or ""
        if is_formula(tag, classes, types):
            self._add_formula(node, attributes)
            self._calls.mark_seen(about)
            return None, _do_nothing
        if reason := drop_reason(tag, classes, types, attributes):
            return self._drop(node, tag, reason)
        if self._rules.options.superscripts == "unicode" and (signs := signs_of(tag, _only_text(node))):
            self._out.append(signs)
            self._calls.mark_seen(about)
            return None, _do_nothing
        leave = _do_nothing
        if tag == "a":
            leave = self._enter_link(attributes, classes)
        elif tag in BLOCKS:
            leave = self._enter_block(tag, verse="poem" in classes.split())
        elif tag == "br":
            self._end_line()
        return node, leave if about is None else self._look_on_leaving(about, leave)

    def _look_on_leaving(self, about: str, leave: _Leave) -> _Leave:
        """`leave`, and then the call counted as shown if its element has text."""
        at, blocks = len(self._out), len(self._blocks)

        def leave_and_look() -> None:
            leave()
            if len(self._blocks) > blocks or any(map(str.strip, self._out[at:])):
                self._calls.mark_seen(about)

        return leave_and_look

    def _end_line(self) -> None:
        """Lines of a paragraph are one text; a blank one parts the verses of a poem."""
        if self._verse:
            for piece in reversed(self._out):
                if piece == _BR:
                    self._flush()
                    return
                if not piece.isspace():
                    break
        self._out.append(_BR)

    def _enter_block(self, tag: str, *, verse: bool = False) -> _Leave:
        self._flush()
        if level := HEADINGS.get(tag):
            return lambda: self._end_heading(level)
        before = (self._kind, self._depth, self._lists, self._quotes, self._verse)
        self._verse = self._verse or verse
        if tag in LISTS:
            self._lists += 1
        elif tag in ITEMS:
            depth = max(1, self._lists)
            if depth > MAX_DEPTH:
                self.flags["limit:list depth"] += 1
            self._kind, self._depth = ITEMS[tag], min(depth, MAX_DEPTH)
        elif tag == "blockquote":
            self._quotes += 1
            self._kind, self._depth = "quote", self._quotes
        elif tag == "figcaption":
            self._kind, self._depth = "caption", 0

        def leave() -> None:
            self._flush()
            self._kind, self._depth, self._lists, self._quotes, self._verse = before

        return leave

    def _enter_link(self, attributes: Mapping[str, str | None], classes: str) -> _Leave:
        rel = _relation(attributes)
        if rel in OF_WIKI:
            self._links["found"] += 1
            meaning = self._rules.hrefs.meaning(rel, attributes, self._title)
            if meaning.reason:
                self._links[meaning.reason] += 1
            elif self._in_link:
                self._links["nested"] += 1
            else:
                self._targets.append(meaning)
                self._out.append(LINK)
                self._in_link = self._has_mark = True
                return self._end_link
        elif rel == EXTERNAL and "autonumber" in classes:
            self._external_count += 1
            if self._rules.options.link_numbers == "keep":
                number = format_number(str(self._external_count), self._rules.site.language.code)
                self._out.append(f"[{number}]")
        return _do_nothing

    def _end_link(self) -> None:
        if self._has_mark:
            self._out.append(END)
        self._in_link = self._has_mark = False

    def _part_link(self) -> bool:
        """A link that is open where a block ends is the mention that it has in this block.

        Whether it has none yet: then its mark is taken out, to be put into the next block.
        """
        if not self._has_mark:
            return False
        at = len(self._out) - 1 - self._out[::-1].index(LINK)
        if without_marks("".join(self._out[at:])).strip():
            self._out.append(END)
            self._has_mark = False
            return False
        del self._out[at]
        return True

    def _reopen_link(self, link: bool) -> None:
        if link:
            self._out.append(LINK)

    def _add_formula(self, node: LexborNode, attributes: Mapping[str, str | None]) -> None:
        self.flags["math"] += 1
        self._out.append(formula(node, attributes, self.flags, self._rules.options.math) or PLACEHOLDER)

    def _drop(self, node: LexborNode, tag: str, reason: str) -> tuple[LexborNode | None, _Leave]:
        """Passes over an element and counts what is in it; a caption that is wanted is read."""
        if tag in BLOCKS:
            self._flush()
        elif reason == "reference":
            self._out.append(NOTHING)
        elif reason not in _QUIET:
            self._out.append(PLACEHOLDER)
        if flag := _FLAGS.get(reason, reason):
            self.flags[flag] += 1
        caption = None
        if reason == "file":
            self._links["found"] += 1
            self._links["file"] += 1
            reason = "caption"
            caption = node.css_first("figcaption") if self._rules.options.captions else None
        if caption is not None:
            return caption, self._enter_block("figcaption")
        for inner in node.css(_COUNTED):
            if inner.mem_id != node.mem_id:
                self._count(inner, reason)
        return None, _do_nothing

    def _count(self, node: LexborNode, reason: str) -> None:
        """One element of what is passed over."""
        attributes = node.attributes
        types = attributes.get("typeof") or ""
        if types:
            self._calls.unseen(types, attributes)
        rel = _relation(attributes) if node.tag == "a" else ""
        if rel in OF_WIKI or is_file(types):
            self._links["found"] += 1
            self._links[reason] += 1
        elif rel == EXTERNAL and "autonumber" in (attributes.get("class") or ""):
            self._external_count += 1

    def _take_text(self) -> str:
        """What the open block holds, its marks included; the next one is open."""
        text = without_invisible("".join(self._out), self._rules.invisible)
        self._out.clear()
        text = " ".join(text.split())
        if NOTHING in text:
            text = without_loose_spaces(text).replace(NOTHING, "").strip(" ")
        return single_spaced(close_placeholders(text, self._rules.joins)) if PLACEHOLDER in text else text

    def _end_heading(self, level: int) -> None:
        goes_on = self._part_link()
        text = self._take_text()
        self._reopen_link(goes_on)
        if links := text.count(LINK):
            self._links["heading"] += links
            del self._targets[-links:]
        while self._sections and self._sections[-1][0] >= level:
            self._sections.pop()
        self._sections.append((level, " ".join(without_marks(text).split())))
        self._path = tuple([title for _, title in self._sections])

    def _flush(self) -> None:
        goes_on = self._part_link()
        if self._out:
            placeholders = PLACEHOLDER in self._out
            text = self._take_text()
            if text and not (placeholders and _WORDLESS.fullmatch(text)):
                self._blocks.append((self._path, self._kind, self._depth, text))
        self._reopen_link(goes_on)


def _only_text(node: LexborNode) -> str:
    """The text of an element that has nothing else in it, or ""."""
    child = node.first_child
    return (child.text_content or "") if child is not None and child.tag == "-text" and child.next is None else ""


def _relation(attributes: Mapping[str, str | None]) -> str:
    """Of the words of `rel` the one that says what link it is."""
    rel = attributes.get("rel") or ""
    if " " in rel:
        rel = next((word for word in rel.split() if word in OF_WIKI or word == EXTERNAL), "")
    return rel


def _do_nothing() -> None:
    """At the end of an element that asks for nothing."""
