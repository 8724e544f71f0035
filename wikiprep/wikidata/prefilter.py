"""Tells, from bytes alone, that an item has no page in the chosen wikis: nine of ten items are never decoded.

Never wrong, since a line is skipped only where its bytes have the dump's own compact form: it begins as an item does,
and its end, from the last `,"sitelinks":` on, is nothing but sitelinks with plain keys, and revision fields. Where JSON
is valid, a letter after `,"` or `},"` begins a key, so no string can pose as one; and as the line ends with the
outermost object, the braces of that end can only balance if these are the item's own sitelinks. Any other line is
decoded. What is skipped is not checked to be valid JSON: that is what makes it quick.
"""

import re
from collections.abc import Sequence

# Special:EntityData writes the page's fields first; a dump may.
_START = re.compile(
    rb'\{(?:"pageid":\d++,"ns":\d++,"title":"[^"\\]*+",(?:"lastrevid":\d++,"modified":"[^"\\]*+",)?)?'
    rb'"type":"item","id":"Q([1-9]\d{0,17})","'
)
_LINKS = b',"sitelinks":'
_LINK = rb'"[a-z_-]++":\{[^}]*+\}'
_END = re.compile(
    _LINKS + rb"(?:\[\]|\{(?:" + _LINK + rb"(?:," + _LINK + rb')*+)?\})(?:,"(?:lastrevid|modified)":[\w"+:.-]++)*+\}',
    re.DOTALL,
)


class Prefilter:
    """Skips items without a sitelink to any of `wikis` (such as "enwiki"); an empty list skips every compact item."""

    def __init__(self, wikis: Sequence[str]) -> None:
        self._keys = [b'"' + wiki.encode() + b'":' for wiki in wikis]

    def skipped(self, line: bytes) -> int | None:
        """The number of the item on `line` (without a comma at its end), if it can be skipped; else None."""
        end = line.rfind(_LINKS)
        if end < 0:
            return None
        for key in self._keys:
            if line.find(key, end) >= 0:
                return None
        start = _START.match(line)
        if start is None or _END.fullmatch(line, end) is None:
            return None
        return int(start[1])
