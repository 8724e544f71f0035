"""Servers, and a download with a record of its pauses and lines."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from dump_server import DumpServer, serving

from wikiprep.download.client import Manners
from wikiprep.download.download import Downloader
from wikiprep.download.remote_file import TargetFolder
from wikiprep.download.wanted import DownloadRequest, find_all
from wikiprep.terminal.screen import Screen


@pytest.fixture
def server() -> Iterator[DumpServer]:
    """Empty, to be filled."""
    with serving() as made:
        yield made


@pytest.fixture
def other() -> Iterator[DumpServer]:
    """A second one: a mirror."""
    with serving() as made:
        yield made


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Neither the developer's proxies nor his cache."""
    for name in (
        *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "WIKIPREP_CONTACT"),
        *("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
    ):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("WIKIPREP_CACHE", str(tmp_path / "cache"))


@dataclass
class Notes(Screen):
    """Keeps the lines."""

    lines: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()

    def note(self, text: str) -> None:
        self.lines.append(text)


class Run:
    """Downloads, with pauses written down and not made."""

    def __init__(self, folder: Path, addresses: Sequence[str], **manners: Any) -> None:
        self.folder = folder
        self.pauses: list[float] = []
        self._slept = 0.0
        self.display = Notes()
        self.downloader = Downloader(
            Manners(**{"timeout": 5.0, "tries": 4, "first_pause": 0.001} | manners), self.display, self._wait, self._now
        )
        self.servers = self.downloader.servers(addresses)

    def _wait(self, seconds: float) -> None:
        if seconds > 0:
            self.pauses.append(seconds)
            self._slept += seconds

    def _now(self) -> float:
        return time.monotonic() + self._slept

    @property
    def lines(self) -> list[str]:
        return self.display.lines

    def __call__(self, wiki: str = "tinywiki", **wanted: Any) -> list[Path]:
        found = find_all(DownloadRequest(wiki=wiki, **wanted), self.servers, self.display.note)
        return self.downloader.run(found, TargetFolder(self.folder, flat=True))


def names_in(folder: Path) -> list[str]:
    """What has got a name, without the notes of the download."""
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
