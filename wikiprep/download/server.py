"""One server of dumps: dumps.wikimedia.org or a mirror of it, whose folders lie below some address."""

from dataclasses import dataclass

from wikiprep.download.client import Client
from wikiprep.download.listing import names_in
from wikiprep.download.trouble import Absent

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
