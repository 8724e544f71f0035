"""A page's text and links as mwparserfromhell's parser reads them, by its public interface: to compare ours with.

The extractor has scanners of its own and calls no parser. Here a node tree is walked instead, under the same site and
the same policies (what is dropped, what is shown), with templates as nothing. Titles mean what the site's own rules
say; all else is the parser's word. It is slow (about 1 MB/s) and not linear on hostile markup: for tests and for
`wikiprep wikitext --compare`, never for a build. The parser comes with the extra `compare`.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import mwparserfromhell
from mwparserfromhell import nodes

from wikiprep.dump.site import Site
from wikiprep.errors import WikiprepError
from wikiprep.languages.wikitext_words import WikiWords, words
from wikiprep.wikitext.control_marks import (
    BREAK,
    CAPTION,
    END,
    LINK,
    NOTHING,
    QUOTE_CLOSE,
    QUOTE_OPEN,
    decode_entities,
    invisible_of,
    without_invisible,
    without_marks,
)
from wikiprep.wikitext.extension_tags import DROPPED_TAGS, is_code_in_a_line
from wikiprep.wikitext.link_meanings import shown_without_label
from wikiprep.wikitext.links import LinkReader
from wikiprep.wikitext.tags import KNOWN_TAGS, is_box

KNOWN_VERSIONS = ("0.7.2",)  # whose nodes and tokenizer were read for this module

_BLOCK_TAGS = "p div center blockquote poem ul ol li dl dt dd hr table tr td th caption h1 h2 h3 h4 h5 h6"
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_SILENT = frozenset((*DROPPED_TAGS, "ref", "references", "table"))
_NUMBER = re.compile(f"{LINK}([0-9]+){CAPTION}")
_MARKED = re.compile(f"{_NUMBER.pattern}([^{LINK}{END}]*){END}(?=(.{{0,60}}))", re.S)
_BLOCK_MARKS = BREAK + QUOTE_OPEN + QUOTE_CLOSE
_LINES = re.compile(rf"\n[ \t]*\n|[{_BLOCK_MARKS}]")


def require_known_version() -> None:
    """Raises WikiprepError unless the installed mwparserfromhell is one whose nodes are known here."""
    if mwparserfromhell.__version__ not in KNOWN_VERSIONS:
        known_versions = ", ".join(KNOWN_VERSIONS)
        raise WikiprepError(
            f"mwparserfromhell {mwparserfromhell.__version__} is not known here (known: {known_versions})",
            f"pip install mwparserfromhell=={KNOWN_VERSIONS[-1]}; builds do not use it and go on with any version",
        )


@dataclass(frozen=True, slots=True)
class Reading:
    """Blocks of text in order, without headings, and every link as (mention, target, fragment)."""

    blocks: list[str]
    links: Counter[tuple[str, str, str | None]]


class SecondReader:
    """Reads pages of one site. Raises WikiprepError for an unknown version of mwparserfromhell."""

    def __init__(self, site: Site) -> None:
        require_known_version()
        self._links = LinkReader(site)
        self._trail = re.compile(site.language.link_trail or "(?!)")
        self._words = words(site.language.code)

    def read(self, text: str, title: str) -> Reading:
        """The page without its templates. `title` is the page's own: links to it are text."""
        page = _Page(self._links, title, self._words)
        page.walk(mwparserfromhell.parse(text.replace("\r\n", "\n")).nodes)
        return page.reading(self._trail)


class _Page:
    def __init__(self, links: LinkReader, title: str, words: WikiWords) -> None:
        self._meaning = links.meaning
        self._words = words
        self._title = title
        self._out: list[str] = []
        self._targets: list[tuple[str, str | None]] = []

    def walk(self, children: list[Any]) -> None:
        """Append what the nodes show, with marks around links."""
        for node in children:
            if isinstance(node, nodes.Text):
                self._out.append(without_marks(str(node.value)))
            elif isinstance(node, nodes.Wikilink):
                self._wikilink(node)
            elif isinstance(node, nodes.Tag):
                self._tag(node)
            elif isinstance(node, nodes.ExternalLink):
                self._external(node)
            elif isinstance(node, nodes.HTMLEntity):
                self._out.append(decode_entities(str(node)))
            elif isinstance(node, nodes.Heading):
                self._out.append(BREAK)
            elif isinstance(node, nodes.Argument) and node.default is not None:
                self.walk(node.default.nodes)

    def _wikilink(self, node: Any) -> None:
        raw = _plain_text(node.title)
        meaning = self._meaning(raw)
        if meaning.reason in ("category", "interlanguage", "file"):
            self._out.append(NOTHING)
            return
        is_link = not meaning.reason and not (meaning.title == self._title and meaning.fragment is None)
        if is_link:
            self._targets.append((meaning.title, meaning.fragment))
            self._out.append(f"{LINK}{len(self._targets) - 1}{CAPTION}")
        label = node.text.nodes if node.text is not None else []
        self.walk(label)
        if all(isinstance(part, nodes.Template | nodes.Comment) for part in label):
            self._out.append(decode_entities(shown_without_label(raw, empty_label=node.text is not None)))
        self._out.append(END if is_link else "")

    def _tag(self, node: Any) -> None:
        name = str(node.tag).strip().lower()
        edge = BREAK if name in _BLOCKS else NOTHING
        opens, closes = (QUOTE_OPEN, QUOTE_CLOSE) if name == "blockquote" else (edge, edge)
        self._out.append(NOTHING + " " if name == "br" else opens)
        attributes = "".join(map(str, node.attributes))
        silent = name in _SILENT and not is_code_in_a_line(name, attributes)
        if silent or (name == "div" and is_box(attributes)):
            return
        if name in ("div", "span") and "display:none" in attributes.replace(" ", ""):
            return
        typed = not node.wiki_markup and name not in KNOWN_TAGS
        if typed:
            self._out.append(f"<{name}>")
        if node.contents is not None:
            self.walk(node.contents.nodes)
        if typed and not node.self_closing:
            self._out.append(f"</{name}>")
        self._out.append(closes)

    def _external(self, node: Any) -> None:
        if not node.brackets:
            self.walk(node.url.nodes)
        elif node.title is not None:
            self._out.append(NOTHING)
            self.walk(node.title.nodes)
            self._out.append(NOTHING)
        else:
            self._out.append(NOTHING)

    def reading(self, trail: re.Pattern[str]) -> Reading:
        """Blocks and links of what was walked."""
        text = without_invisible("".join(self._out), invisible_of(self._words.code, self._words.right_to_left))
        text = self._words.switch.sub(lambda match: BREAK if match[1] else "", text)
        text = "\n".join(_without_preformatted(text.split("\n")))
        links: Counter[tuple[str, str, str | None]] = Counter()
        for number, mention, rest in _MARKED.findall(text):
            trail_match = trail.match(rest)
            label = " ".join(without_marks(mention + (trail_match[0] if trail_match else "")).split())
            links[label, *self._targets[int(number)]] += 1
        text = _NUMBER.sub("", text)
        blocks = [" ".join(without_marks(block).split()) for block in _LINES.split(text)]
        return Reading([block for block in blocks if block], links)


def _without_preformatted(lines: list[str]) -> Iterator[str]:
    """Lines that start with a space are code, but in quotations and with blocks in them."""
    quote_depth = 0
    for line in lines:
        if not line.startswith(" ") or not line.strip() or quote_depth or any(mark in line for mark in _BLOCK_MARKS):
            yield line
        quote_depth += line.count(QUOTE_OPEN) - line.count(QUOTE_CLOSE)


def _plain_text(code: Any) -> str:
    """The text of a title: comments and templates in it show nothing."""
    return "".join(str(n) for n in code.nodes if isinstance(n, nodes.Text | nodes.HTMLEntity))
