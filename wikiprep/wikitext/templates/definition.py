"""What a wiki's own Template page puts in the place of its call, where that is simple enough to be text.

Parts for the template page alone (`<noinclude>`) go, parts for the call (`<includeonly>`, `<onlyinclude>`) stay, by
MediaWiki's rules. A definition that runs a script or builds a table or a box is not text: such a call is dropped, as
without this.
"""

import re
from collections import Counter
from typing import Literal

from wikiprep.wikitext.marks import clean
from wikiprep.wikitext.opaque import strip_opaque
from wikiprep.wikitext.references import strip_references

MAX_LENGTH = 5_000  # characters; what is longer is a box, or a table in disguise

Reason = Literal["simple", "empty", "long", "script", "box"]

_NOINCLUDE = re.compile(r"<noinclude\s*>.*?(?:</noinclude\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_ONLY = re.compile(r"<onlyinclude\s*>(.*?)(?:</onlyinclude\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_INCLUDEONLY = re.compile(r"</?(?:includeonly|noinclude|onlyinclude)\s*/?>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_SCRIPT = re.compile(r"\{\{\s*#(?:invoke|lst|lsth|section)\s*:", re.IGNORECASE)
_BOX = re.compile(r"\{\||<(?:table|div|gallery|timeline|imagemap|score|center|h[1-6])\b|^[!|][-+}]?|^=", re.I | re.M)


def prepare(text: str) -> tuple[str, Reason]:
    """(the wikitext that a call of the template whose page is `text` stands for, "simple"), or ("", why not)."""
    body = _COMMENT.sub("", clean(text))
    body = _NOINCLUDE.sub("", body)
    if parts := _ONLY.findall(body):
        body = "".join(parts)
    body = _INCLUDEONLY.sub("", body)
    if not body.strip():
        return "", "empty"
    if len(body) > MAX_LENGTH:
        return "", "long"
    if _SCRIPT.search(body):
        return "", "script"
    if _BOX.search(body):
        return "", "box"
    nobody: Counter[str] = Counter()
    return strip_references(strip_opaque(body, nobody, Counter()), nobody, Counter()), "simple"
