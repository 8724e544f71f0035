"""One server of dumps: dumps.wikimedia.org or a mirror of it, whose folders lie below some address."""

from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from wikiprep.download.client import Absent, Client

OFFICIAL = "https://dumps.wikimedia.org"


@dataclass(frozen=True)
class Server:
    """`address` has no slash at its end."""

    address: str
    client: Client

    def names(self, folder: str) -> list[str]:
        """Names in a folder, none where there is no such folder. Raises NextServer."""
        try:
            return names_in(self.client.text(f"{self.address}/{folder}/"))
        except Absent:
            return []

    def text(self, path: str) -> bytes | None:
        """A small file, None where there is none. Raises NextServer."""
        try:
            return self.client.text(f"{self.address}/{path}")
        except Absent:
            return None


class _Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.hrefs: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "a":
            self.hrefs += [value for name, value in attrs if name == "href" and value]


def names_in(page: bytes) -> list[str]:
    """Names of files and, without their slash, folders, in order.

    Links that lead elsewhere give names too, so that whoever asks looks only for names of the form that he knows.
    nginx's and Apache's pages have a link a name.
    """
    links = _Links()
    links.feed(page.decode("utf-8", "replace"))
    links.close()
    paths = [unquote(urlsplit(link).path).rstrip("/") for link in links.hrefs]
    return list(dict.fromkeys(path.rpartition("/")[2] for path in paths if path))
