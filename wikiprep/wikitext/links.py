"""`[[…]]`: text of links with marks around it, their targets, categories, interlanguage links, files.

The page is read from `[[` to `[[`. A piece that holds its own `]]` is a link; one that does not is a file with links in
its caption, or a bracket that stays open, and goes on a stack. As in MediaWiki a file is closed by the second `]]` of a
later piece, if every piece before has one: where another bracket stays open the file is none, and its caption is text.
So the pass is linear whatever is nested or unclosed.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from wikiprep.compiled import fast_path
from wikiprep.dump.site import Site
from wikiprep.languages.wikitext_words import words
from wikiprep.wikitext.bold_italic import strip_quotes
from wikiprep.wikitext.captions import caption_of, is_block
from wikiprep.wikitext.control_marks import (
    BREAK,
    CAPTION,
    END,
    IMAGE_BLOCK,
    LINK,
    LIST_TAG,
    NOTHING,
    PLACEHOLDER,
    TAG,
)
from wikiprep.wikitext.link_meanings import (
    IS_ADDRESS,
    Meaning,
    as_written,
    resolve,
    with_whole_titles,
    without_qualifier,
)
from wikiprep.wikitext.one_variant import PageVariant

_CACHE_SIZE = 300_000
_plain_links = fast_path("links", "plain_links")
_BLOCK_MARK = re.compile(rf"{LIST_TAG.pattern}|[\n\x05-\x08]")
# What mostly stands behind links, and joins on to none but in few languages.
_SIGNS = f'* .,;:)(\n"|/?!<{PLACEHOLDER}{NOTHING}、。（）・「」'
# Reasons of links that still show their text; "" is a link to a page of this wiki.
_SHOWN = frozenset(("", "section", "interwiki"))


# `[[` that waits for its `]]`: its place in the output, how many targets and captions came before it, is it a file: one
# that can still be closed, or what only begins as one
_OpenLink = tuple[int, int, int, Literal["", "file", "broken file"]]


@dataclass(slots=True)
class PageLinks:
    """What the links of one page give beside the marked text."""

    targets: list[Meaning] = field(default_factory=list)
    title: str = ""
    captions: list[tuple[str, list[Meaning]]] = field(default_factory=list)  # marked text, its targets
    categories: list[str] = field(default_factory=list)
    interlanguage: list[tuple[str, str]] = field(default_factory=list)
    variant: PageVariant | None = None  # where the page is read in one variant of its language


class LinkReader:
    """Reads the links of pages of one site; remembers what a target means, bounded."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._meanings: dict[str, Meaning] = {}
        language = site.language
        self._subpages = site.subpages
        self._words = words(language.code)
        self._trail = re.compile(language.link_trail or "(?!)").match
        self._stops = "".join(c for c in _SIGNS if not self._trail(c) and not self._trail(c + "a"))
        prefix = language.link_prefix.removeprefix("[").removesuffix("]+")
        # All that stands before a link but its prefix; from the end, so that a page without spaces takes linear time.
        self._before_prefix = re.compile(rf".*[^{prefix}]", re.S).match if prefix else None

    def meaning(self, raw: str) -> Meaning:
        """What `raw`, the part of a link before `|`, leads to."""
        meaning = self._meanings.get(raw)
        if meaning is None:
            meaning = resolve(raw, self._site)
            if len(self._meanings) >= _CACHE_SIZE:
                self._meanings.clear()
            self._meanings[raw] = meaning
        return meaning

    def read(self, text: str, page: PageLinks, counts: Counter[str], *, captions: bool) -> str:
        """The text with each shown link as LINK text END; the n-th LINK leads to `page.targets[n]`."""
        if self._subpages:
            text = with_whole_titles(text, page.title)
        at = text.find("[[")
        if at < 0:
            return text
        out = [text[:at]]
        open_links: list[_OpenLink] = []
        # It knows of link trails, but of no prefixes: few languages have them.
        plain_links = _plain_links if self._before_prefix is None else None
        while at >= 0:
            if plain_links is not None:
                marked_links, at, link_count = plain_links(
                    text,
                    at,
                    self._meanings,
                    self.meaning,
                    self._trail,
                    self._stops,
                    page.title,
                    page.targets,
                    bool(open_links),
                )
                if link_count:
                    counts["found"] += link_count
                    out.append(marked_links)
                if at < 0:
                    break
            counts["found"] += 1
            next_at = text.find("[[", at + 2)
            inside, closed, tail = (text[at + 2 : next_at] if next_at >= 0 else text[at + 2 :]).partition("]]")
            at = next_at
            if not closed:
                open_links.append(
                    (len(out), len(page.targets), len(page.captions), self._bracket_kind(inside, open_links))
                )
                out.append(inside)
                continue
            tail = self._add_link(inside, tail, out, page, counts, bool(open_links), captions)
            if open_links and "]]" in tail:
                self._close(tail, out, open_links, page, counts, captions)
            elif tail or not out[-1].endswith(END):  # as the short way: a file beside a link does not stand alone
                out.append(tail)
        for place, _, _, file in open_links:
            counts["unclosed"] += 1
            raw, bar, label = out[place].partition("|")
            if IS_ADDRESS(raw) and "]" in out[place].partition("\n")[0]:  # an external link behind a bracket too many
                out[place] = "[[" + out[place]
            else:
                out[place] = NOTHING + (out[place].rpartition("|")[2] if file else label if bar else raw)
        return "".join(out)

    def _bracket_kind(self, inside: str, open_links: list[_OpenLink]) -> Literal["", "file", "broken file"]:
        """What an open bracket may be; the file that is open around it is none."""
        raw, bar, _ = inside.partition("|")
        file = self.meaning(raw).reason == "file"
        broken = bool(open_links) and open_links[-1][3] == "file"
        if broken:
            open_links[-1] = (*open_links[-1][:3], "broken file")
        return "" if not file else "broken file" if broken or not bar else "file"

    def _close(
        self,
        tail: str,
        out: list[str],
        open_links: list[_OpenLink],
        page: PageLinks,
        counts: Counter[str],
        captions: bool,
    ) -> None:
        """`]]` beyond a link's own close what was left open before it."""
        parts = tail.split("]]")
        out.append(parts[0])
        for i, part in enumerate(parts[1:], 1):
            if not open_links:
                out.append("]]" + "]]".join(parts[i:]))
                return
            place, before, captions_before, file = open_links.pop()
            if file == "file":
                counts["file"] += 1
                inner = page.targets[before:]
                whole = "".join(out[place:])
                rest = part
                if part[:1] == "]" and whole.rfind("[") > whole.rfind("]"):
                    rest = part[1:]  # of an external link: `[http://a.b]]]`
                block = is_block(whole, self._words)
                if captions:
                    for _, caption_targets in page.captions[captions_before:]:  # of images in this one's caption
                        counts["caption"] += len(caption_targets)
                    del page.captions[captions_before:]
                    self._add_caption(whole, part, inner, page, counts)
                else:
                    counts["caption"] += len(inner)
                del out[place:]
                del page.targets[before:]
                part = rest
                out.append(_file_mark(out, part, captions, block))
            else:  # a link around a link: the reader sees the words, only the inner one leads somewhere
                counts["nested"] += 1
                raw, bar, label = out[place].partition("|")
                if IS_ADDRESS(raw):
                    out[place], part = "[[" + out[place], "]]" + part
                elif file:
                    out[place] = NOTHING + out[place].rpartition("|")[2]
                else:
                    out[place] = NOTHING + (label if bar else raw)
            out.append(part)

    def _add_caption(
        self, inside: str, tail: str, targets: list[Meaning], page: PageLinks, counts: Counter[str]
    ) -> None:
        """Keeps the caption of a file for `BlockReader`; `targets` are those of the links `inside`."""
        if TAG in inside:
            inside = LIST_TAG.sub(BREAK, inside)
        inside = inside.replace(CAPTION, "").replace(IMAGE_BLOCK, "")
        if tail[:1] == "]" and inside.rfind("[") > inside.rfind("]"):
            inside += "]"  # of an external link: `[http://a.b]]]`
        caption, first = caption_of(inside, self._words)
        last = first + caption.count(LINK)
        if last - first < len(targets):
            counts["caption"] += len(targets) - (last - first)
        page.captions.append((caption, targets[first:last]))

    def _add_link(
        self,
        inside: str,
        tail: str,
        out: list[str],
        page: PageLinks,
        counts: Counter[str],
        nested: bool,
        captions: bool,
    ) -> str:
        """Appends what a whole link shows; returns what is left of the text after it."""
        raw, bar, label = inside.partition("|")
        meaning = self._meanings.get(raw) or self.meaning(raw)
        reason = meaning.reason
        if reason in _SHOWN:
            if bar:
                if not label:
                    label = without_qualifier(raw)
                elif "''" in label:
                    label = strip_quotes(label)
                if tail[:1] == "]" and "[" in label:
                    label, tail = label + "]", tail[1:]
            else:
                label = as_written(raw)
            if match := self._trail(tail):
                label += match[0]
                tail = tail[match.end() :]
            if self._before_prefix:
                before = out[-1]
                start = match.end() if (match := self._before_prefix(before)) else 0
                if start < len(before):
                    label = before[start:] + label
                    out[-1] = before[:start]
            if _BLOCK_MARK.search(label):
                label = _BLOCK_MARK.sub(" ", label)
            if reason or (meaning.title == page.title and meaning.fragment is None):
                counts[reason or "self"] += 1
                out.append(NOTHING + label)  # what it starts with is no list mark
            else:
                page.targets.append(meaning)
                out.append(LINK + label + END)
            return tail
        counts["invalid" if reason == "address" else reason] += 1
        if reason in ("category", "interlanguage") and tail[:1] == "]" and "[" in label:
            tail = tail[1:]
        if reason == "category":
            page.categories.append(meaning.title)
            _trim(out, nested)
            out.append(NOTHING)
        elif reason == "interlanguage":
            page.interlanguage.append((meaning.prefix, meaning.title))
            _trim(out, nested)
        elif reason == "file":
            if captions:
                self._add_caption(inside, tail, [], page, counts)
            if tail[:1] == "]" and "[" in inside:
                tail = tail[1:]
            out.append(_file_mark(out, tail, captions, is_block(inside, self._words)))
        elif (" " in raw or not bar) and (reason == "address" or (raw[:1] == "[" and IS_ADDRESS(raw[1:]))):
            # An external link in one bracket too many, or two: the outer ones stand around its label or number.
            out.append("[[" + inside + "]]")
        elif meaning.prefix:  # a category that is none, for what stands in its name: no text either
            _trim(out, nested)
            out.append(NOTHING)
        else:
            out.append(NOTHING + (label if bar else raw) + NOTHING)
        return tail


def _trim(out: list[str], nested: bool) -> None:
    """MediaWiki takes white space away before a category, so that a line of its own leaves no gap.

    A heading has been read by then: what follows the category does not join its line.
    """
    if nested:
        return
    has_line_end = False
    while len(out) > 1 and not out[-1].rstrip():
        has_line_end |= "\n" in out.pop()
    stripped = out[-1].rstrip()
    has_line_end |= "\n" in out[-1][len(stripped) :]
    out[-1] = stripped
    if has_line_end and stripped[-1:] == "=" and _begins_with_equals(out):
        out.append("\n")


def _begins_with_equals(out: list[str]) -> bool:
    """Whether the line that is being written does."""
    for i in range(len(out) - 1, -1, -1):
        start = out[i].rfind("\n") + 1
        if start or not i:
            first = next((piece for piece in (out[i][start:], *out[i + 1 :]) if piece), "")
            return first[:1] == "="
    return False


def _file_mark(out: list[str], tail: str, captions: bool, block: bool) -> str:
    if block:
        mark = IMAGE_BLOCK + PLACEHOLDER
    else:  # a line of its own does not end the paragraph
        mark = NOTHING if (not out[-1] or out[-1].endswith("\n")) and (not tail or tail[0] == "\n") else PLACEHOLDER
    # Nothing but BlockReader looks at CAPTION: behind another mark it changes no text around it.
    return mark + CAPTION if captions else mark
