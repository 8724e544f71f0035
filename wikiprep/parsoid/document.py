"""A page whose text is HTML, and what a whole document of Parsoid's says of its page in its head.

Title, ids, time, language, redirect.

See https://www.mediawiki.org/wiki/Specs/HTML, "Page metadata". A body alone says nothing, and titles come from
elsewhere (`folder.py`).
"""

import html
import re
from dataclasses import dataclass
from urllib.parse import unquote

from wikiprep.dump.pages import Page

_HEAD = 1 << 16  # characters; Parsoid's heads have some 2,000
_TAG = re.compile(r"<(html|meta|link|base|body)\b([^<>]*)>", re.I)
_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_TITLE = re.compile(r"<title>([^<]*)</title>", re.I)
_REVISION = re.compile(r"/revision/(\d{1,18})\Z")
_REDIRECT = re.compile(r"""<link\b(?=[^<>]*\brel=["']mw:PageProp/redirect["'])[^<>]*\bhref=["']([^"'<>]*)["']""", re.I)
HTML = "html"  # the content model of such pages: their `text` is a document, or the inside of its body


@dataclass(slots=True)
class DocumentHead:
    """What is not said is None, or "" of the texts. `base` is the address of the wiki's pages, //…/wiki/."""

    title: str = ""
    page_id: int | None = None
    namespace: int | None = None
    revision_id: int | None = None
    timestamp: str = ""
    language: str = ""
    base: str = ""


def read_head(document: str) -> DocumentHead:
    """The head of a document, or of a piece of one."""
    head, text = DocumentHead(), document[:_HEAD]
    for tag in _TAG.finditer(text):
        attributes = {name.lower(): html.unescape(a or b) for name, a, b in _ATTRIBUTE.findall(tag[2])}
        _read_tag(head, tag[1].lower(), attributes)
        if tag[1].lower() == "body":
            break
    if not head.title and (match := _TITLE.search(text)):
        head.title = html.unescape(match[1]).replace("_", " ").strip()
    return head


def _read_tag(head: DocumentHead, tag: str, attributes: dict[str, str]) -> None:
    content = attributes.get("content", "")
    if tag == "html":
        match = _REVISION.search(attributes.get("about", ""))
        head.revision_id = int(match[1]) if match else None
    elif tag == "base":
        head.base = attributes.get("href", "")
    elif tag == "link":
        if attributes.get("rel") == "dc:isVersionOf":
            _, _, name = attributes.get("href", "").partition("/wiki/")
            head.title = unquote(name).replace("_", " ").strip()
    elif tag == "body":
        head.language = head.language or attributes.get("lang", "")
    elif attributes.get("http-equiv", "").lower() == "content-language":
        head.language = content
    elif (name := attributes.get("property", "")) == "dc:modified":
        head.timestamp = re.sub(r"\.\d+Z\Z", "Z", content)
    elif name == "mw:pageId" and content.isdigit() and len(content) <= 18 and int(content):
        head.page_id = int(content)
    elif name == "mw:pageNamespace" and re.fullmatch(r"-?\d{1,6}", content):
        head.namespace = int(content)


def redirect_of(document: str) -> str | None:
    """Where the page redirects to, None for a page that does not."""
    if "mw:PageProp/redirect" not in document:
        return None
    match = _REDIRECT.search(document)
    return unquote(html.unescape(match[1]).removeprefix("./")).replace("_", " ") if match else None


@dataclass(frozen=True, slots=True)
class HtmlPage(Page):
    """`xml_bytes` is the length of the source's line or file in bytes. `templates`: names that the source lists."""

    qid: str | None = None
    templates: tuple[str, ...] = ()
