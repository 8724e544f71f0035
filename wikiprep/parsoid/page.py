"""A page whose text is HTML, with what its source says beside it."""

from dataclasses import dataclass

from wikiprep.dump.pages import Page

HTML = "html"  # the content model of such pages: their `text` is a document, or the inside of its body


@dataclass(frozen=True, slots=True)
class HtmlPage(Page):
    """`xml_bytes` is the length of the source's line or file in bytes. `templates`: names that the source lists."""

    qid: str | None = None
    templates: tuple[str, ...] = ()
