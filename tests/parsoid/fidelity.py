"""Scores our text of Parsoid's HTML against what MediaWiki's own parser shows for the same wikitext."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wikitext.fidelity import Score, add, rows_of
from wikitext.oracle_support import oracle, shown

from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import read_siteinfo
from wikiprep.parsoid.extract import HtmlExtractor

from .render_parsoid import rendered


def pages_of(
    path: str, *, own_templates: bool = False, limit: int | None = None, kept: Path | None = None
) -> Iterator[dict[str, Any]]:
    """{"title", "text", "blocks", "links", "html"} of each article of a dump: its wikitext, what the oracle has of the
    old parser's HTML, and Parsoid's HTML. No redirects.

    Every template is nothing to both, or, with `own_templates`, the dump's own. `kept`: a file that is written, or read
    if it is there, since rendering takes a second a page.
    """
    if kept is not None and kept.is_file():
        yield from map(json.loads, kept.read_text(encoding="utf-8").splitlines()[:limit])
        return
    rows, own = rows_of(path)
    rows, own = rows[:limit], own if own_templates else {}
    language = oracle().site_language(path)
    made = []
    for row, answer, ours in zip(rows, shown(rows, language, own), rendered(rows, language, own), strict=True):
        if answer is None:
            continue
        if ours["error"]:
            raise RuntimeError(f"Parsoid, {row['title']}: {ours['error']}")
        page = {**row, "blocks": answer["blocks"], "links": answer["links"], "html": ours["html"]}
        made.append(json.dumps(page, ensure_ascii=False))
        yield page
    if kept is not None:
        kept.write_text("\n".join(made) + "\n", encoding="utf-8")


def score_html(path: str, pages: Iterator[dict[str, Any]]) -> Score:
    """Ours of the HTML against the oracle's, counted as `oracle.py score` does."""
    extractor, score = HtmlExtractor(Site.of(read_siteinfo(path))), Score()
    for page in pages:
        add(score, page["title"], page, extractor.extract(page["html"], page["title"]).paragraphs)
    return score
