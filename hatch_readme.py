"""What the package index shows: the README, without links that lead nowhere there.

The README links to files of the checkout. A package has its pages of docs/ along, and `wikiprep docs PAGE` shows them:
so a link to one is that command here, and one to another file is its words alone. No host of the project is known that
links could lead to instead.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"\[(?P<words>[^][]+)\]\((?!https?:|mailto:|#)(?P<path>[^)\s#]+)(?:#[^)\s]*)?\)")
PAGE = re.compile(r"docs/([\w-]+)\.md")


class Readme(MetadataHookInterface):
    """Hatchling finds the hook by its being the one in this file (pyproject.toml names it)."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Give the long description, which pyproject.toml lists as dynamic."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_the_index(text)}


def for_the_index(text: str) -> str:
    """Markdown without relative links."""
    return LINK.sub(_instead, text)


def _instead(link: re.Match[str]) -> str:
    words, path = link["words"], link["path"]
    if not (page := PAGE.fullmatch(path)):
        return words
    command = f"`wikiprep docs {page[1]}`"
    return command if words == path else f"{words} ({command})"
