"""`[[…]]`: text of links with marks around it, their targets, categories, interlanguage links, files.

The page is read from `[[` to `[[`. A piece that holds its own `]]` is a link; one that does not is a file with links in
its caption, or a bracket that stays open, and goes on a stack. As in MediaWiki a file is closed by the second `]]` of a
later piece, if every piece before has one: where another bracket stays open the file is none, and its caption is text.
So the pass is linear whatever is nested or unclosed.
"""

import re
from collections import Counter
from typing import Literal

from wikiprep.compiled.pairs import find_pair
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
from wikiprep.wikitext.page_links import PageLinks

_CACHE_SIZE = 300_000
_BLOCK_MARK = re.compile(rf"{LIST_TAG.pattern}|[\n\x05-\x08]")
# What mostly stands behind links, and joins on to none but in few languages.
_SIGNS = f'* .,;:)(\n"|/?!<{PLACEHOLDER}{NOTHING}、。（）・「」'
# Reasons of links that still show their text; "" is a link to a page of this wiki.
_SHOWN = frozenset(("", "section", "interwiki"))


# `[[` that waits for its `]]`: its place in the output, how many targets and captions came before it, is it a file: one
# that can still be closed, or what only begins as one
_OpenLink = tuple[int, int, int, Literal["", "file", "broken file"]]


class LinkReader:
    """Reads the links of pages of one site; remembers what a target means, bounded."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._meanings: dict[str, Meaning] = {}
        language = site.language
        self._subpages = site.subpages
        self._words = words(language.code)
        self._trail = re.compile(language.link_trail or "(?!)").match
        # Most of what stands behind links joins on to none: it is told without a search.
        self._last_letter = max(language.link_trail, default="\0")  # no trail has a greater character
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

    def read(self, text: str, page: PageLinks, counts: Counter[str], captions: bool) -> str:
        """The text with each shown link as LINK text END; the n-th LINK leads to `page.targets[n]`."""
        if self._subpages:
            text = with_whole_titles(text, page.title)
        at = text.find("[[")
        if at < 0:
            return text
        out = [text[:at]]
        open_links: list[_OpenLink] = []
        title, targets = page.title, page.targets
        found = counts["found"]
        counts["found"] = found  # before all other counts of the page
        size = len(text)
        while at >= 0:
            found += 1
            start = at + 2
            at = find_pair(text, "[", start, size)
            stop = at if at >= 0 else size
            end = find_pair(text, "]", start, stop)
            if end < 0:
                inside = text[start:stop]
                open_links.append((len(out), len(targets), len(page.captions), self._bracket_kind(inside, open_links)))
                out.append(inside)
                continue
            bar = text.find("|", start, end)
            raw = text[start : bar if bar >= 0 else end]
            meaning = self._meanings.get(raw)
            if meaning is None:
                meaning = self.meaning(raw)
            behind = end + 2
            reason = meaning.reason
            if not reason or reason in _SHOWN:
                label = text[bar + 1 : end] if bar >= 0 else None
                behind = self._show(raw, label, meaning, text, behind, stop, out, title, targets, counts)
            else:
                behind = self._leave_out(
                    raw, text[start:end], meaning, text, behind, stop, out, page, counts, bool(open_links), captions
                )
            tail = text[behind:stop]
            if open_links and "]]" in tail:
                self._close(tail, out, open_links, page, counts, captions)
            elif tail or not out[-1].endswith(END):  # a file beside a link does not stand alone
                out.append(tail)
        counts["found"] = found
        if open_links:
            self._give_up(open_links, out, counts)
        return "".join(out)

    def _give_up(self, open_links: list[_OpenLink], out: list[str], counts: Counter[str]) -> None:
        """What `[[` that nothing closes show."""
        for place, _, _, file in open_links:
            counts["unclosed"] += 1
            raw, bar, label = out[place].partition("|")
            if IS_ADDRESS(raw) and "]" in out[place].partition("\n")[0]:  # an external link behind a bracket too many
                out[place] = "[[" + out[place]
            else:
                out[place] = NOTHING + (out[place].rpartition("|")[2] if file else label if bar else raw)

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

    def _show(
        self,
        raw: str,
        label: str | None,
        meaning: Meaning,
        text: str,
        at: int,
        stop: int,
        out: list[str],
        title: str,
        targets: list[Meaning],
        counts: Counter[str],
    ) -> int:
        """Appends what a link to something shows; returns how far of `text[at:stop]`, which is behind it, joins on."""
        if label is None:
            label = meaning.shown or as_written(raw)
        else:
            if not label:
                label = without_qualifier(raw)
            elif "'" in label and "''" in label:
                label = strip_quotes(label)
            if at < stop and text[at] == "]" and "[" in label:
                label += "]"
                at += 1
        if at < stop and text[at] <= self._last_letter and text[at] not in self._stops:
            trail = self._trail(text, at, stop)
            if trail is not None:
                last = trail.end()
                label += text[at:last]
                at = last
        if self._before_prefix is not None:
            before = out[-1]
            match = self._before_prefix(before)
            start = match.end() if match else 0
            if start < len(before):
                label = before[start:] + label
                out[-1] = before[:start]
        if not label.isprintable() and _BLOCK_MARK.search(label):
            label = _BLOCK_MARK.sub(" ", label)
        reason = meaning.reason
        if reason or (meaning.title == title and meaning.fragment is None):
            counts[reason or "self"] += 1
            out.append(NOTHING)  # what the label starts with is no list mark
            out.append(label)
        else:
            targets.append(meaning)
            out.append(LINK)
            out.append(label)
            out.append(END)
        return at

    def _leave_out(
        self,
        raw: str,
        inside: str,
        meaning: Meaning,
        text: str,
        at: int,
        stop: int,
        out: list[str],
        page: PageLinks,
        counts: Counter[str],
        nested: bool,
        captions: bool,
    ) -> int:
        """Appends what stands for a link that is not shown; returns how far of `text[at:stop]`, behind it, goes too."""
        reason = meaning.reason
        counts["invalid" if reason == "address" else reason] += 1
        bar = len(raw) < len(inside)
        label = inside[len(raw) + 1 :]
        bracket = at < stop and text[at] == "]"
        if reason in ("category", "interlanguage") and bracket and "[" in label:
            at += 1
        if reason == "category":
            page.categories.append(meaning.title)
            _trim(out, nested)
            out.append(NOTHING)
        elif reason == "interlanguage":
            page.interlanguage.append((meaning.prefix, meaning.title))
            _trim(out, nested)
        elif reason == "file":
            if captions:
                self._add_caption(inside, text[at : at + 1] if bracket else "", [], page, counts)
            if bracket and "[" in inside:
                at += 1
            out.append(_file_mark(out, text[at : at + 1] if at < stop else "", captions, is_block(inside, self._words)))
        elif (" " in raw or not bar) and (reason == "address" or (raw[:1] == "[" and IS_ADDRESS(raw[1:]))):
            # An external link in one bracket too many, or two: the outer ones stand around its label or number.
            out.append("[[" + inside + "]]")
        elif meaning.prefix:  # a category that is none, for what stands in its name: no text either
            _trim(out, nested)
            out.append(NOTHING)
        else:
            out.append(NOTHING + (label if bar else raw) + NOTHING)
        return at


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
