"""../shared/oracle as a module: what MediaWiki shows for wikitext, for the tests marked `oracle` and for benchmarks."""

import functools
import importlib.util
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ORACLE = Path(__file__).resolve().parents[3] / "shared" / "oracle" / "oracle.py"
# An image that the oracle does not have is a link to the upload form in its HTML; readers of the wiki see the image.
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
    rows: list[dict[str, Any]], language: str, templates: dict[str, str] | None = None
) -> Iterator[dict[str, Any] | None]:
    """MediaWiki's answer for each row of {"title", "text"}: blocks, links, categories, langlinks, html; None for a
    redirect. What stands in the place of an image that the oracle does not have, the oracle leaves out itself."""
    module = oracle()
    rendered = module.render([{"id": None, **row} for row in rows], language, templates)
    for row, out in zip(rows, rendered, strict=True):
        if out["redirect"]:
            yield None
        else:
            yield {**module.answer({"id": None, **row}, out), "html": _UPLOAD.sub("", out["html"])}
    rendered.close()
