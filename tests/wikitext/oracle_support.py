"""../shared/oracle as a module: what MediaWiki shows for wikitext, for the tests marked `oracle` and for benchmarks."""

import functools
import importlib.util
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ORACLE = Path(__file__).resolve().parents[3] / "shared" / "oracle" / "oracle.py"
# An image that the oracle does not have is a link to the upload form there; readers of the wiki see the image.
_UPLOAD = re.compile(r'<a href="[^"]*(?:wpDestFile=|Special:Upload)[^"]*"[^>]*>.*?</a>', re.S)


def home() -> Path:
    """Where ../shared/oracle/setup puts MediaWiki."""
    return Path(os.environ.get("WIKIPREP_ORACLE", Path.home() / ".cache" / "wikiprep-oracle"))


def missing() -> str:
    """Why the oracle cannot be asked here; "" if it can."""
    if not ORACLE.is_file():
        return "../shared/oracle is not there"
    if not (home() / "LocalSettings.php").is_file():
        return "the oracle is not set up (../shared/oracle/setup)"
    for module in ("lxml", "rapidfuzz"):
        if importlib.util.find_spec(module) is None:
            return f"the oracle needs {module}"
    return ""


@functools.cache
def oracle() -> Any:
    """The module oracle.py."""
    spec = importlib.util.spec_from_file_location("oracle", ORACLE)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shown(
    rows: list[dict[str, Any]], language: str, templates: dict[str, str] | None = None, *, images: bool = True
) -> Iterator[dict[str, Any] | None]:
    """MediaWiki's answer for each row of {"title", "text"}: blocks, links, categories, langlinks; None for a redirect.

    `images=False` takes the stand-ins of images away, which no reader of a real wiki sees.
    """
    for pair in both_ways(rows, language, templates):
        yield pair and pair[0 if images else 1]


def both_ways(
    rows: list[dict[str, Any]], language: str, templates: dict[str, str] | None = None
) -> Iterator[tuple[dict[str, Any], dict[str, Any]] | None]:
    """`shown` with the stand-ins of images and without, of one rendering."""
    module = oracle()
    rendered = module.render([{"id": None, **row} for row in rows], language, templates)
    for row, out in zip(rows, rendered, strict=True):
        if out["redirect"]:
            yield None
            continue
        answer = module.answer({"id": None, **row}, out)
        without = _UPLOAD.sub("", out["html"])
        answer["html"] = out["html"]
        if without == out["html"]:
            yield answer, answer
        else:
            yield answer, {**module.answer({"id": None, **row}, {**out, "html": without}), "html": without}
    rendered.close()
