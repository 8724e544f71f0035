"""One page of Parsoid's HTML to paragraphs with links, and an account of what was left out: as `wikitext/extract.py`.

Lexbor (through selectolax) parses as browsers do; the tree is walked once, without recursion, and what carries no
running text is passed over whole. Blocks get the marks of `wikitext/marks.py`, so that spans, white space and what is
dropped within a sentence are settled by the code that does it for wikitext.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import unquote

from selectolax.lexbor import LexborHTMLParser, LexborNode

from wikiprep.dump.site import Site
from wikiprep.languages.interwiki import language_prefixes
from wikiprep.languages.words import words
from wikiprep.parsoid.calls import Calls, name_of
from wikiprep.parsoid.elements import BLOCKS, HEADINGS, ITEMS, LISTS, dropped, is_file, is_formula
from wikiprep.parsoid.formulas import formula
from wikiprep.parsoid.hrefs import EXTERNAL, OF_WIKI, HrefReader
from wikiprep.wikitext.article import Extraction, ParagraphKind
from wikiprep.wikitext.cleanup import close_holes
from wikiprep.wikitext.disambiguation import DisambiguationNames
from wikiprep.wikitext.marks import (
    END,
    HOLE,
    LINK,
    MAX_DEPTH,
    NOTHING,
    clean,
    invisible_of,
    without_invisible,
    without_marks,
)
from wikiprep.wikitext.meanings import Meaning
from wikiprep.wikitext.policies import LinkNumberPolicy, MathPolicy
from wikiprep.wikitext.references import without_loose_spaces
from wikiprep.wikitext.spans import Block, read_spans, single_spaced
from wikiprep.wikitext.templates.numbers import format_number

_COUNTED = "a[rel], [typeof]"  # what an account knows of an element's inside
_LANGUAGE_HOST = re.compile(r"https?://([\w-]+)\.\w+\.org/wiki/(.+)", re.S)
_WORDLESS = re.compile(r"[\s,.;:!?()\[\]{}|/–—'\"-]*")
_BR = "\v"  # white space that no text has
# Reasons whose flag has another name, as on the wikitext side, or that have none.
_FLAGS = {"reference": "ref", "hidden": "", "file": "", "caption": "", "map": "mapframe"}
_QUIET = frozenset(("reference", "hidden"))  # they leave no trace in the sentence around them
_Leave = Callable[[], None]


class HtmlExtractor:
    """Extracts pages of one site; remembers what addresses mean, so keep one for many pages."""

    def __init__(
        self,
        site: Site,
        *,
        captions: bool = False,
        math: MathPolicy = "drop",
        link_numbers: LinkNumberPolicy = "keep",
    ) -> None:
        self.site, self.captions, self.math = site, captions, math
        self.numbers = link_numbers == "keep"
        self.hrefs = HrefReader(site)
        language = site.language.code
        self.invisible = invisible_of(language, words(language).right_to_left)
        self._disambiguation = DisambiguationNames(site.language)

    def extract(self, html: str, title: str, templates: Sequence[str] = ()) -> Extraction:
        """The page's paragraphs. Never raises on any text; what was met is in `flags`, as `name` or `name:detail`.

        `templates`: names of those that the page is known to use beside what the HTML says. `links["found"]` counts
        the links that are written in double brackets, images and categories with them; every other count says what
        became of them. `templates` of the result counts the calls of the page itself.
        """
        result = Extraction()
        parser = LexborHTMLParser(clean(html))
        body = parser.body
        if body is None:
            return result
        self._head(parser, result)
        walk = _Walk(self, result, title)
        walk.run(body)
        called = result.templates + Counter({(name_of(name), "rendered"): 1 for name in templates})
        if parser.css_first('meta[property="mw:PageProp/disambiguation"]') is not None:
            result.disambiguation = True
        result.disambiguation = result.disambiguation or self._disambiguation.marks(called)
        result.flags = sorted(name for name, count in walk.flags.items() if count)
        return result

    def _head(self, parser: LexborHTMLParser, result: Extraction) -> None:
        """Categories and interlanguage links, wherever in the page they stand."""
        categories: dict[str, None] = {}
        for node in parser.css('link[rel="mw:PageProp/Category"], link[rel="mw:PageProp/Language"]'):
            attributes = node.attributes
            href = attributes.get("href") or ""
            result.links["found"] += 1
            if attributes.get("rel") == "mw:PageProp/Category":
                namespace, name = self.hrefs.page(href)
                result.links["category" if namespace == 14 else "invalid"] += 1
                if namespace == 14:
                    categories[name.partition(":")[2]] = None
                continue
            result.links["interlanguage"] += 1
            host = _LANGUAGE_HOST.match(href)
            if host and host[1] in language_prefixes():
                result.interlanguage.append((host[1], unquote(host[2]).replace("_", " ")))
        result.categories = list(categories)
        result.interlanguage = list(dict.fromkeys(result.interlanguage))


class _Walk:
    """One pass over one page."""

    def __init__(self, rules: HtmlExtractor, result: Extraction, title: str) -> None:
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
        self._lists = self._quotes = self._numbered = 0
        self._in_link = self._verse = False
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
        called = self._calls.enter(types, attributes) if "about" in attributes else None
        classes = attributes.get("class") or ""
        if is_formula(tag, classes, types):
            self._formula(node, attributes)
            self._calls.shown(called)
            return None, _nothing
        if reason := dropped(tag, classes, types, attributes):
            return self._drop(node, tag, reason)
        leave = _nothing
        if tag == "a":
            leave = self._link(attributes, classes)
        elif tag in BLOCKS:
            leave = self._block(tag, verse="poem" in classes.split())
        elif tag == "br":
            self._line_end()
        return node, leave if called is None else self._seen(called, leave)

    def _seen(self, called: str, leave: _Leave) -> _Leave:
        """As `leave`, and a call whose element has text has been shown."""
        at, blocks = len(self._out), len(self._blocks)

        def and_look() -> None:
            leave()
            if len(self._blocks) > blocks or any(map(str.strip, self._out[at:])):
                self._calls.shown(called)

        return and_look

    def _line_end(self) -> None:
        """Lines of a paragraph are one text; a blank one parts the verses of a poem."""
        if self._verse:
            for piece in reversed(self._out):
                if piece == _BR:
                    self._flush()
                    return
                if not piece.isspace():
                    break
        self._out.append(_BR)

    def _block(self, tag: str, *, verse: bool = False) -> _Leave:
        self._flush()
        if level := HEADINGS.get(tag):
            return lambda: self._heading(level)
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

    def _link(self, attributes: Mapping[str, str | None], classes: str) -> _Leave:
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
                self._in_link = True
                return self._end_link
        elif rel == EXTERNAL and "autonumber" in classes:
            self._numbered += 1
            if self._rules.numbers:
                number = format_number(str(self._numbered), self._rules.site.language.code)
                self._out.append(f"[{number}]")
        return _nothing

    def _end_link(self) -> None:
        self._out.append(END)
        self._in_link = False

    def _formula(self, node: LexborNode, attributes: Mapping[str, str | None]) -> None:
        self.flags["math"] += 1
        self._out.append(formula(node, attributes, self.flags, self._rules.math) or HOLE)

    def _drop(self, node: LexborNode, tag: str, reason: str) -> tuple[LexborNode | None, _Leave]:
        """Passes over an element and counts what is in it; a caption that is wanted is read."""
        if tag in BLOCKS:
            self._flush()
        elif reason == "reference":
            self._out.append(NOTHING)
        elif reason not in _QUIET:
            self._out.append(HOLE)
        if flag := _FLAGS.get(reason, reason):
            self.flags[flag] += 1
        caption = None
        if reason == "file":
            self._links["found"] += 1
            self._links["file"] += 1
            reason = "caption"
            caption = node.css_first("figcaption") if self._rules.captions else None
        if caption is not None:
            return caption, self._block("figcaption")
        for inner in node.css(_COUNTED):
            if inner.mem_id != node.mem_id:
                self._count(inner, reason)
        return None, _nothing

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
            self._numbered += 1

    def _text(self) -> str:
        """What the open block holds, its marks included; the next one is open."""
        text = without_invisible("".join(self._out), self._rules.invisible)
        self._out.clear()
        text = " ".join(text.split())
        if NOTHING in text:
            text = without_loose_spaces(text).replace(NOTHING, "").strip(" ")
        return single_spaced(close_holes(text)) if HOLE in text else text

    def _heading(self, level: int) -> None:
        text = self._text()
        if links := text.count(LINK):
            self._links["heading"] += links
            del self._targets[-links:]
        while self._sections and self._sections[-1][0] >= level:
            self._sections.pop()
        self._sections.append((level, " ".join(without_marks(text).split())))
        self._path = tuple([title for _, title in self._sections])

    def _flush(self) -> None:
        if self._out:
            holes = HOLE in self._out
            text = self._text()
            if text and not (holes and _WORDLESS.fullmatch(text)):
                self._blocks.append((self._path, self._kind, self._depth, text))


def _relation(attributes: Mapping[str, str | None]) -> str:
    """Of the words of `rel` the one that says what link it is."""
    rel = attributes.get("rel") or ""
    if " " in rel:
        rel = next((word for word in rel.split() if word in OF_WIKI or word == EXTERNAL), "")
    return rel


def _nothing() -> None:
    """At the end of an element that asks for nothing."""
