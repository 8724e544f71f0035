"""Damage that exports of a certain time are known to have, told by the header, the name and the first pages of a file.

The content exports name themselves as generator ("MediaWiki Content File Export 0.3.12"). Two faults of theirs:
lines lost their `|` (a `stripMargin` of Scala over the text, mended for the exports of November 2025), and pages edited
between the first of the month and the making of the export were left out (T431872, in those of up to August 2026).
Neither can be mended from the file. Sources: docs/build-corpus.md, "Where this was read".
"""

import html
import re
from pathlib import PurePosixPath

from wikiprep.dump.names import parse_name
from wikiprep.dump.siteinfo import Siteinfo

GENERATOR = "MediaWiki Content File Export"
BARS_WHOLE = "2025-11-01"  # date of the first export with every |
PAGES_WHOLE = "2026-09-01"  # of the first that is not known to leave pages out
_TEXT = re.compile(r'<text\b[^<>]{0,200}?\bbytes="(\d+)"[^<>]{0,200}(?<!/)>([^<]*)</text>')
_BAR_LINE = re.compile(r"^[ \t]*\|", re.M)
_WAY_OUT = "take a newer one"


def known_damage(path: str, info: Siteinfo, head: str) -> tuple[str, ...]:
    """The damage in words, without the file's name; `head` is the beginning of its XML. Empty for sound dumps."""
    if not info.generator.startswith(GENERATOR):
        return ()
    parsed = parse_name(PurePosixPath(path).name)
    day = parsed.day if parsed else None
    lines = []
    lost_bars = _has_lost_bars(head)
    if lost_bars or (lost_bars is None and ((day is not None and day < BARS_WHOLE) or info.schema == "0.10")):
        lines.append(
            "content exports of before November 2025 lost every | at the start of a line, so that tables and templates "
            f"over several lines are garbled: {_WAY_OUT}"
        )
    history = parsed is not None and parsed.revisions is not None and parsed.revisions[0] != parsed.revisions[1]
    if day is not None and day < PAGES_WHOLE and not history:
        lines.append(
            "mediawiki_content_current of up to August 2026 left out pages that were edited between the first of the "
            f"month and the making of the export (Wikimedia's T431872): {_WAY_OUT}; --page-props counts them"
        )
    return tuple(lines)


def _has_lost_bars(head: str) -> bool | None:
    """Whether texts are shorter than they say; a line with | first in a text of the right length speaks against it.
    None where these pages do not tell."""
    is_shorter = False
    for stated_size, escaped in _TEXT.findall(head):
        text = html.unescape(escaped)
        size = len(text.encode("utf-8", "surrogatepass"))
        if size == int(stated_size) and _BAR_LINE.search(text):
            return False
        is_shorter |= size < int(stated_size)
    return True if is_shorter else None
