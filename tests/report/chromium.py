"""The system's Chromium, driven by playwright; tests of it are skipped, with the reason, where either is absent."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def started() -> Iterator[Any]:
    """A browser without a window. As root, as in a container, Chromium starts without its sandbox only."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install '.[test]'")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


class Opened:
    """A page of the browser with a file in it, and all that the browser complained of."""

    def __init__(self, browser: Any, file: Path, **context: Any) -> None:
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page = browser.new_context(**context).new_page()
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.said.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(file.as_uri())

    def style(self, selector: str, name: str) -> str:
        """A computed style of the first element."""
        found: str = self.page.eval_on_selector(selector, f"e => getComputedStyle(e)[{name!r}]")
        return found
