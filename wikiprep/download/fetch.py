"""One file, from one server after the other, and nothing of it under its name before its sums are right.

A part that is there is gone on with (RFC 9110, 14.2: `Range`), where the server can say that it is still the same file
(13.1.5: `If-Range` with what it called it, an ETag or a date); of another server's, the sums at the end decide.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

import requests

from wikiprep.download.client import Client, NextServer, TryAgain, is_page, title_of, translate_errors
from wikiprep.download.partial_file import PartialFile
from wikiprep.download.remote_file import RemoteFile
from wikiprep.dump.source import is_html
from wikiprep.errors import WikiprepError

_PIECE = 1 << 16
_HEAD = 1024  # bytes that tell a web page
PROGRESS = 1 << 16  # bytes of one try that make its failure the first in a row
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+|\*)")


class Fetch:
    """Fetches into a part. `on_bytes` gets the bytes that are there, `note` lines for the user."""

    def __init__(
        self,
        file: RemoteFile,
        part: PartialFile,
        client: Client,
        on_bytes: Callable[[int], None],
        note: Callable[[str], None],
    ) -> None:
        self._file = file
        self._part = part
        self._client = client
        self._on_bytes = on_bytes
        self._note = note

    def run(self, servers: Sequence[str]) -> None:
        """Bring the file and give it its name. Raises WikiprepError with each server's reason where none gives it."""
        reasons = []
        for number, server in enumerate(servers):
            host = urlsplit(server).netloc
            try:
                self._fetch_from(f"{server}/{self._file.path}", is_last=number + 1 == len(servers))
                return
            except NextServer as trouble:
                reasons.append(f"{host} {trouble}")
                if number + 1 < len(servers):
                    self._note(f"{self._file.name}: {reasons[-1]}; the next server is asked")
        raise WikiprepError(
            f"{self._file.name}: {'; '.join(reasons)}",
            "the same command goes on with what is there; --mirror URL asks another server, --date another dump",
        )

    def _fetch_from(self, url: str, is_last: bool) -> None:
        failures = 0
        while True:
            size_before = self._part.size
            try:
                if self._file.size is None or self._part.size < self._file.size:
                    self._try(url)
                self._finish()
                return
            except TryAgain as again:
                failures = 1 if self._part.size - size_before >= PROGRESS else failures + 1
                tries = 2 if again.unreachable and not is_last else None
                self._client.bear(url, again, failures, self._file.name, tries)

    def _finish(self) -> None:
        if difference := self._part.difference():
            mixed = self._part.pieces > 1
            self._restart({})
            if mixed:  # of two versions of the file, perhaps: once more, in one piece
                raise TryAgain(f"{difference}; it is fetched anew")
            raise NextServer(f"sends another file: {difference}")
        self._part.publish()

    def _try(self, url: str) -> None:
        """One request: append what it brings. Returns when the server says that this was all."""
        origin = self._part.origin if self._part.origin.get("url") == url else {}
        headers = {}
        if self._part.size:
            headers["Range"] = f"bytes={self._part.size}-"
            if validator := _validator(origin):
                headers["If-Range"] = validator
        with self._client.open(url, headers, elsewhere=True) as answer:
            if answer.status_code == 416:
                self._refused_range()
                return
            body = _Body(answer, self._client.manners.timeout)
            if is_page(answer) or (answer.status_code != 206 and is_html(body.head)):
                raise NextServer(f"sends a web page{title_of(body.head)} in its place")
            total = self._parse_range(answer, url, origin) if answer.status_code == 206 else _length(answer)
            if None not in (total, self._file.size) and total != self._file.size:
                raise NextServer(f"says that it has {total:,} bytes, {self._file.source} says {self._file.size:,}")
            if answer.status_code != 206:
                if self._part.size:
                    reason = "was changed on the server" if headers.get("If-Range") else "cannot be gone on with there"
                    self._note(f"{self._file.name}: {reason}; it is fetched from its beginning")
                self._restart(_origin(answer, url))
            self._part.pieces += 1
            total = self._file.size if total is None else total
            self._append(body, total)
        if total is not None and self._part.size < total:
            raise TryAgain(f"was cut after {self._part.size:,} of {total:,} bytes")

    def _append(self, body: "_Body", total: int | None) -> None:
        for piece in body:
            if total is not None and self._part.size + len(piece) > total:
                self._restart({})
                raise NextServer(f"sends more than the {total:,} bytes that it has")
            self._part.append(piece)
            self._on_bytes(self._part.size)

    def _parse_range(self, answer: requests.Response, url: str, origin: dict[str, Any]) -> int | None:
        """The whole file's bytes by a part of it, None where it does not say.

        Raises TryAgain, with the part emptied, where it is not the range that was asked for, or is of another file.
        """
        match = _RANGE.fullmatch(answer.headers.get("Content-Range", "").strip())
        if not match or int(match[1]) != self._part.size:
            self._restart({})
            raise TryAgain("sends another range than was asked for; it is fetched from its beginning")
        current = _origin(answer, url)
        if any(origin.get(key) and current.get(key) and origin[key] != current[key] for key in ("etag", "modified")):
            self._restart({})
            raise TryAgain("was changed on the server; it is fetched from its beginning")
        return None if match[3] == "*" else int(match[3])

    def _refused_range(self) -> None:
        """There is nothing behind what is there: either it is whole, or it is not of this file."""
        if not self._part.size or self._part.difference():
            self._restart({})
            raise TryAgain("has fewer bytes than were fetched; it is fetched from its beginning")

    def _restart(self, origin: dict[str, Any]) -> None:
        self._part.begin(origin)
        self._on_bytes(0)


class _Body:
    """The bytes of an answer as they come, not unpacked: each read waits for one piece of the network.

    `head` is enough to see what they are. What fails is raised when all bytes before it have been given.
    """

    def __init__(self, answer: requests.Response, timeout: float) -> None:
        self._answer = answer
        self._timeout = timeout
        self._trouble: TryAgain | None = None
        self.head = b""
        try:
            while len(self.head) < _HEAD and (piece := self._read()):
                self.head += piece
        except TryAgain as trouble:
            self._trouble = trouble

    def __iter__(self) -> Iterator[bytes]:
        if self.head:
            yield self.head
        if self._trouble:
            raise self._trouble
        while piece := self._read():
            yield piece

    def _read(self) -> bytes:
        with translate_errors(self._timeout):
            return bytes(self._answer.raw.read1(_PIECE, decode_content=False))


def _length(answer: requests.Response) -> int | None:
    length = answer.headers.get("Content-Length", "")
    return int(length) if length.isdecimal() else None


def _origin(answer: requests.Response, url: str) -> dict[str, Any]:
    return {"url": url, "etag": answer.headers.get("ETag"), "modified": answer.headers.get("Last-Modified")}


def _validator(origin: dict[str, Any]) -> str | None:
    """What If-Range may hold: an ETag that is not weak, else the date."""
    etag = origin.get("etag")
    return etag if etag and not etag.startswith("W/") else origin.get("modified")
