"""Requests to servers of dumps: who asks, how long is waited, where a redirect may lead, what an answer means.

What can go wrong with a server is an exception by what is done about it; none of them leaves the room `download/`.

The library is requests: it takes proxies (HTTP_PROXY, HTTPS_PROXY, NO_PROXY) and certificates (REQUESTS_CA_BUNDLE,
CURL_CA_BUNDLE) from the environment; SSL_CERT_FILE is added here. It takes long to import, so this
module is imported late.
"""

import contextlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from requests.adapters import HTTPAdapter

from wikiprep.download.host_pauses import CONNECTIONS, PATIENCE, Hosts, retry_after_seconds
from wikiprep.dump.source import is_html
from wikiprep.errors import UsageError
from wikiprep.terminal.wording import clock
from wikiprep.verbosity import detail
from wikiprep.version import wikiprep_version

REDIRECTS = 5
MOST_STATUS = 64 << 20  # bytes of a status file
POLICY = "https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy"
_RETRY_STATUS = (408, 425, 429, 500, 502, 503, 504)
_BUSY = (429, 503)


class TryAgain(Exception):
    """The same server may give it later: a cut, a stall, an answer that says to wait. `wait`: seconds it asked for."""

    def __init__(self, reason: str, wait: float = 0.0, *, unreachable: bool = False) -> None:
        super().__init__(reason)
        self.wait = wait
        self.unreachable = unreachable


class NextServer(Exception):
    """This server does not give it, however often it is asked: absent, forbidden, or not what it should be."""


class Absent(NextServer):
    """There is nothing at that address."""


class DownloadStopped(Exception):
    """The user ended the command, or another file's failure did."""


@dataclass(frozen=True, kw_only=True)
class Manners:
    """How servers are asked.

    `timeout`: seconds without a byte until a connection counts as stalled; `tries` in a row without progress until a
    server is given up; `first_pause` in seconds between the first two.
    """

    contact: str | None = None
    timeout: float = 60.0
    tries: int = 6
    first_pause: float = 2.0


def user_agent(contact: str | None) -> str:
    """As Wikimedia's policy wants it: the program, whom to ask about it, and the library."""
    if contact and not re.fullmatch(r"[!-'*-~][ -'*-~]{2,199}", contact):
        raise UsageError(f"{contact!r} cannot be sent as a contact", "give an e-mail address or a web address")
    version = re.sub(r"[^\w.+-]", "-", wikiprep_version())
    comment = f"Wikipedia corpus builder; {f'contact: {contact}' if contact else 'no contact given'}"
    return f"wikiprep/{version} ({comment}) python-requests/{metadata.version('requests')}"


class Client:
    """Threads share it. `note` is told of redirects to other hosts, once for each pair."""

    def __init__(self, manners: Manners, hosts: Hosts, note: Callable[[str], None]) -> None:
        self.manners = manners
        self.hosts = hosts
        self._note = note
        self._reported_redirects: set[tuple[str, str]] = set()
        self._session = requests.Session()
        self._session.headers.update({"User-Agent": user_agent(manners.contact), "Accept-Encoding": "identity"})
        self._session.verify = os.environ.get("SSL_CERT_FILE") or True
        # The pool keeps idle connections open: with its own limit these count too.
        adapter = HTTPAdapter(pool_maxsize=CONNECTIONS, pool_block=True)
        self._session.mount("http://", adapter)
        self._session.mount("https://", adapter)

    def close(self) -> None:
        """Close idle connections."""
        self._session.close()

    @contextlib.contextmanager
    def open(
        self, url: str, headers: Mapping[str, str] | None = None, *, method: str = "GET", elsewhere: bool = False
    ) -> Iterator[requests.Response]:
        """The answer, of a status under 300 or 416, its body not read yet; its connection is held meanwhile.

        `elsewhere`: follow redirects to other hosts, for what is compared with a checksum of the first one.
        Raises TryAgain, or NextServer for what will not change.
        """
        for _ in range(REDIRECTS + 1):
            host = urlsplit(url).hostname or ""
            with self.hosts.connection(host), self._answer(method, url, headers) as answer:
                if not answer.is_redirect:
                    _raise_for_status(answer)
                    yield answer
                    return
                target = urljoin(url, answer.headers["Location"])
            self._check_redirect(url, target, elsewhere)
            url = target
        raise NextServer(f"redirects more than {REDIRECTS} times")

    def text(self, url: str) -> bytes:
        """The body of a small file, such as a status file. Tries as often as `Manners` says; raises NextServer."""
        failures = 0
        while True:
            try:
                with self.open(url) as answer, translate_errors(self.manners.timeout):
                    body = b"".join(_read_limited(answer))
                if is_html(body) and not url.endswith("/"):
                    raise NextServer(f"sends a web page{title_of(body)} in the place of {_file_name(url)}")
                return body
            except TryAgain as again:
                failures += 1
                self.bear(url, again, failures, _file_name(url))

    def size(self, url: str) -> int | None:
        """What the server says a file's size is, in bytes; None where it does not say."""
        try:
            with self.open(url, method="HEAD", elsewhere=True) as answer:
                length = answer.headers.get("Content-Length", "")
                return int(length) if length.isdecimal() and not is_page(answer) else None
        except (TryAgain, NextServer):
            return None

    def bear(self, url: str, again: TryAgain, failures: int, what: str, tries: int | None = None) -> None:
        """Leave the host alone after the `failures`-th failure in a row. Raises NextServer where that is enough."""
        from wikiprep.download.host_pauses import pause

        if failures >= (tries or self.manners.tries):
            raise NextServer(f"{again}{f', {failures} times in a row' if failures > 1 else ''}")
        if again.wait > PATIENCE:
            raise NextServer(f"{again}, and asks to wait {clock(again.wait)}")
        seconds = max(again.wait, pause(failures, self.manners.first_pause))
        self._note(f"{what}: {again}; asked again in {clock(seconds)}")
        self.hosts.leave_alone(urlsplit(url).hostname or "", seconds)

    @contextlib.contextmanager
    def _answer(self, method: str, url: str, headers: Mapping[str, str] | None) -> Iterator[requests.Response]:
        with translate_errors(self.manners.timeout):
            answer = self._session.request(
                method,
                url,
                headers=dict(headers or {}),
                stream=True,
                allow_redirects=False,
                timeout=(self.manners.timeout, self.manners.timeout),
            )
        byte_range = (headers or {}).get("Range", "")
        detail(f"{method} {url}{f' ({byte_range})' if byte_range else ''}: {answer.status_code} {answer.reason}")
        try:
            yield answer
        finally:
            answer.close()

    def _check_redirect(self, url: str, target: str, elsewhere: bool) -> None:
        source, destination = urlsplit(url), urlsplit(target)
        if destination.scheme not in ("http", "https") or not destination.hostname:
            raise NextServer(f"redirects to {target}, which is no address of the web")
        if source.scheme == "https" and destination.scheme == "http":
            raise NextServer(f"redirects from https to {target}, which is not encrypted")
        if source.netloc == destination.netloc or (
            source.hostname == destination.hostname and destination.scheme == "https"
        ):
            return
        if not elsewhere:
            raise NextServer(f"redirects to another host, {destination.netloc}")
        if (source.netloc, destination.netloc) not in self._reported_redirects:
            self._reported_redirects.add((source.netloc, destination.netloc))
            self._note(
                f"{source.netloc} redirects to {destination.netloc}; what comes from there is compared with checksums"
            )


def is_page(answer: requests.Response) -> bool:
    """Whether an answer says that it is a web page."""
    return answer.headers.get("Content-Type", "").lower().startswith(("text/html", "application/xhtml"))


def title_of(page: bytes) -> str:
    """The title of a web page, in brackets, for a message; "" where it has none."""
    match = re.search(rb"<title>\s*([^<]{1,80})", page, re.IGNORECASE)
    return f' ("{match[1].decode("utf-8", "replace").strip()}")' if match else ""


@contextlib.contextmanager
def translate_errors(timeout: float) -> Iterator[None]:
    """What the library raises, as TryAgain or NextServer with a few words."""
    import urllib3.exceptions as low

    try:
        yield
    except (requests.ConnectTimeout, low.ConnectTimeoutError) as error:
        raise TryAgain(f"no connection in {timeout:g} s", unreachable=True) from error
    except (requests.Timeout, low.TimeoutError) as error:
        raise TryAgain(f"stalled: no byte in {timeout:g} s") from error
    except requests.exceptions.ProxyError as error:
        raise TryAgain("the proxy of HTTP_PROXY or HTTPS_PROXY does not answer", unreachable=True) from error
    except requests.exceptions.SSLError as error:
        raise NextServer(
            f"its certificate is not accepted ({_root_cause(error)}); SSL_CERT_FILE names a file with others"
        ) from error
    except requests.ConnectionError as error:
        if "Read timed out" in str(error):
            raise TryAgain(f"stalled: no byte in {timeout:g} s") from error
        was_cut = isinstance(error.args[0] if error.args else None, low.ProtocolError)
        raise TryAgain(
            "the connection was cut" if was_cut else f"cannot be reached ({_root_cause(error)})",
            unreachable=not was_cut,
        ) from error
    except (low.ProtocolError, requests.exceptions.ChunkedEncodingError, low.SSLError, ConnectionError) as error:
        raise TryAgain("the connection was cut") from error
    except (requests.RequestException, low.HTTPError) as error:
        raise NextServer(f"cannot be asked ({_root_cause(error)})") from error


def _root_cause(error: BaseException) -> str:
    """The innermost cause in a few words: libraries wrap them several times."""
    cause: Any = error
    while (inner := getattr(cause, "reason", None) or (cause.args[0] if cause.args else None)) is not None:
        if not isinstance(inner, BaseException):
            break
        cause = inner
    text = str(getattr(cause, "strerror", None) or cause)
    return re.sub(r"^<.*?>: ", "", text).splitlines()[0][:160] if text else type(cause).__name__


def _raise_for_status(answer: requests.Response) -> None:
    """Raise for a status that brings no file."""
    status = answer.status_code
    if status < 300 or status == 416:
        return
    message = f"says {status} {answer.reason or ''}".rstrip()
    if status in (404, 410):
        raise Absent(message)
    if status in _RETRY_STATUS:
        wait = retry_after_seconds(answer.headers.get("Retry-After"))
        raise TryAgain(f"{message}{' (busy)' if status in _BUSY else ''}", wait)
    if status == 403:
        raise NextServer(f"{message}; Wikimedia wants a contact from programs (--contact; {POLICY})")
    if status == 407:
        raise NextServer(
            f"{message}: the proxy wants a name and a password (https://NAME:PASSWORD@proxy in HTTPS_PROXY)"
        )
    raise NextServer(message)


def _read_limited(answer: requests.Response) -> Iterator[bytes]:
    size = 0
    for piece in answer.iter_content(1 << 16):
        size += len(piece)
        if size > MOST_STATUS:
            raise NextServer("sends a status file without an end")
        yield piece


def _file_name(url: str) -> str:
    path = urlsplit(url).path
    return path.rstrip("/").rpartition("/")[2] + ("/" if path.endswith("/") else "")
