"""Names in a folder of a web server, from the page that lists it (nginx's and Apache's have a link a name)."""

from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.hrefs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.hrefs += [value for name, value in attrs if name == "href" and value]


def names_in(page: bytes) -> list[str]:
    """Names of files and, without their slash, folders, in order; links that lead elsewhere give names too, so that
    whoever asks looks only for names of the form that he knows."""
    links = _Links()
    links.feed(page.decode("utf-8", "replace"))
    links.close()
    paths = [unquote(urlsplit(link).path).rstrip("/") for link in links.hrefs]
    return list(dict.fromkeys(path.rpartition("/")[2] for path in paths if path))
