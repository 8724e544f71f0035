"""A server of dumps on loopback that can misbehave in every way that servers do, file by file and once or always."""

import gzip
import hashlib
import json
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Trick = Callable[["Handler", str, bytes], bool]


class DumpServer(ThreadingHTTPServer):
    """`files` by path without the first slash; folders of them are listed. `tricks`: path -> what is done instead."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, bytes] = {}
        self.etags: dict[str, str] = {}
        self.tricks: defaultdict[str, list[Trick]] = defaultdict(list)
        self.ranges = True
        self.requests: list[tuple[str, str, dict[str, str]]] = []  # method, path, headers
        self.lock = threading.Lock()
        self.open = self.most_open = 0
        self.release = threading.Event()  # what stalled requests wait for

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def asked(self, name: str, method: str = "GET") -> list[dict[str, str]]:
        """Headers of the requests for a file."""
        return [headers for how, path, headers in self.requests if how == method and path.endswith(name)]

    def once(self, path: str, *tricks: Trick) -> None:
        """The next requests of the file are answered by these, one each."""
        self.tricks[path] += tricks

    def handle_error(self, *_: Any) -> None:
        """Clients that went away are part of it."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: DumpServer

    def setup(self) -> None:
        super().setup()
        with self.server.lock:
            self.server.open += 1
            self.server.most_open = max(self.server.most_open, self.server.open)

    def finish(self) -> None:
        super().finish()
        with self.server.lock:
            self.server.open -= 1

    def log_message(self, *_: Any) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = self.path.lstrip("/")
        self.server.requests.append((self.command, path, dict(self.headers.items())))
        data = self.server.files.get(path)
        tricks = self.server.tricks[path] if self.command == "GET" else []
        if tricks and tricks.pop(0)(self, path, data or b""):
            return
        if data is not None:
            self.send(path, data)
        elif path.endswith("/") and (names := self._names(path)):
            body = "".join(f'<a href="{name}">{name}</a>   01-Nov-2026 01:02   -\n' for name in ["../", *names])
            self.page(f"<html><head><title>Index of /{path}</title></head><body><pre>{body}</pre></body></html>")
        else:
            self.page("<html><title>404 Not Found</title></html>", 404)

    def _names(self, folder: str) -> list[str]:
        inside = [it.removeprefix(folder) for it in self.server.files if it.startswith(folder)]
        return sorted({it.split("/")[0] + ("/" if "/" in it else "") for it in inside})

    def page(self, html: str, status: int = 200, **headers: str) -> None:
        self.head(status, {"Content-Type": "text/html", "Content-Length": str(len(html)), **headers})
        if self.command != "HEAD":
            self.wfile.write(html.encode())

    def head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def send(self, path: str, data: bytes, **other: str) -> None:
        """As nginx does, with ranges and If-Range."""
        etag = self.server.etags.get(path, f'"{hashlib.md5(data).hexdigest()[:8]}"')
        headers = {"ETag": etag, "Last-Modified": formatdate(1_790_000_000, usegmt=True)}
        asked, start = self.headers.get("Range"), 0
        if asked and self.server.ranges and self.headers.get("If-Range", etag) in (etag, headers["Last-Modified"]):
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            if start >= len(data):
                self.page("<html>416</html>", 416, Content_Range=f"bytes */{len(data)}")
                return
            headers["Content-Range"] = f"bytes {start}-{len(data) - 1}/{len(data)}"
        headers |= {"Content-Type": "application/octet-stream", "Content-Length": str(len(data) - start)}
        self.head(206 if "Content-Range" in headers else 200, headers | other)
        if self.command != "HEAD":
            self.wfile.write(data[start:])


def cut(after: int) -> Trick:
    """So many bytes of those promised, and the line goes dead."""

    def trick(handler: Handler, path: str, data: bytes) -> bool:
        handler.head(200, {"Content-Length": str(len(data)), "ETag": f'"{hashlib.md5(data).hexdigest()[:8]}"'})
        handler.wfile.write(data[:after])
        handler.close_connection = True
        return True

    return trick


def hang_up(handler: Handler, path: str, data: bytes) -> bool:
    """The line goes dead without a word."""
    handler.close_connection = True
    return True


def stall(after: int) -> Trick:
    """So many bytes, and then nothing, with the line open."""

    def trick(handler: Handler, path: str, data: bytes) -> bool:
        handler.head(200, {"Content-Length": str(len(data)), "ETag": f'"{hashlib.md5(data).hexdigest()[:8]}"'})
        handler.wfile.write(data[:after])
        handler.wfile.flush()
        handler.server.release.wait(20)
        handler.close_connection = True
        return True

    return trick


def status(code: int, **headers: str) -> Trick:
    """An answer without a file."""

    def trick(handler: Handler, path: str, data: bytes) -> bool:
        handler.page(f"<html><title>{code}</title></html>", code, **headers)
        return True

    return trick


def page(title: str = "Log in to the hotel") -> Trick:
    """A web page with the status of a file."""

    def trick(handler: Handler, path: str, data: bytes) -> bool:
        handler.page(f"<!DOCTYPE html><html><head><title>{title}</title></head></html>")
        return True

    return trick


def instead(other: bytes, **headers: str) -> Trick:
    """Other bytes."""

    def trick(handler: Handler, path: str, data: bytes) -> bool:
        handler.send(path, other, **headers)
        return True

    return trick


def without_length(after: int | None = None) -> Trick:
    """No Content-Length: the end of the connection is that of the file."""

    def trick(handler: Handler, path: str, data: bytes) -> bool:
        handler.head(200, {"Connection": "close"})
        handler.wfile.write(data[:after])
        handler.close_connection = True
        return True

    return trick


def then(change: Callable[[], None], trick: Trick) -> Trick:
    """Something happens on the server at this request."""

    def both(handler: Handler, path: str, data: bytes) -> bool:
        done = trick(handler, path, data)
        change()
        return done

    return both


@contextmanager
def serving() -> Iterator[DumpServer]:
    """A server, and its end."""
    server = DumpServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.release.set()
        server.shutdown()
        server.server_close()
        thread.join()


def add_export(server: DumpServer, wiki: str, day: str, parts: dict[str, bytes], *, whole: bool = True) -> None:
    """A content export: parts by their range of pages, as p1p100."""
    folder = f"other/mediawiki_content_current/{wiki}/{day}/xml/bzip2/"
    lines = []
    for span, data in parts.items():
        name = f"{wiki}-{day}-{span}.xml.bz2"
        server.files[folder + name] = data
        lines.append(f"{hashlib.sha256(data).hexdigest()}  {name}\n")
    if whole:
        server.files[f"{folder}SHA256SUMS"] = "".join(lines).encode()


def add_classic(
    server: DumpServer,
    wiki: str,
    date: str,
    jobs: dict[str, dict[str, bytes]],
    states: dict[str, str] | None = None,
    sums: bool = True,
) -> None:
    """A classic dump: job -> rest of a file's name -> bytes; `states` of jobs that are not done."""
    made: dict[str, Any] = {}
    for job, files in jobs.items():
        state = (states or {}).get(job, "done")
        made[job] = {"status": state, "updated": "2026-11-02 01:26:57"}
        if state == "done":
            about = {}
            for rest, data in files.items():
                name = f"{wiki}-{date}-{rest}"
                server.files[f"{wiki}/{date}/{name}"] = data
                about[name] = {"size": len(data), "url": f"/{wiki}/{date}/{name}"}
                if sums:
                    about[name] |= {"md5": hashlib.md5(data).hexdigest(), "sha1": hashlib.sha1(data).hexdigest()}
            made[job]["files"] = about
    server.files[f"{wiki}/{date}/dumpstatus.json"] = json.dumps({"version": "0.8", "jobs": made}).encode()


def add_wikidata(server: DumpServer, folder: str, stamp: str, data: bytes, listed: str = "sha1") -> None:
    """Wikidata's JSON dump in its folder, and its list of checksums."""
    name = f"wikidata-{stamp}-all.json.bz2"
    server.files[f"wikidatawiki/entities/{folder}/{name}"] = data
    digest = hashlib.new(listed, data).hexdigest()
    path = f"wikidatawiki/entities/{folder}/wikidata-{stamp}-{listed}sums.txt"
    server.files[path] = f"{digest}  {name}\n".encode()


def packed(text: str) -> bytes:
    """As SQL tables are."""
    return gzip.compress(text.encode(), mtime=0)
