"""Pages as HTML beside the same pages as wikitext: how close to MediaWiki, and pages a second, in one run.

    python benchmarks/html_pages.py [--runs 5] [--keep FOLDER] [NAME ...]

Needs ../shared/oracle set up: its Parsoid renders the pages of the dumps (a second a page; `--keep` remembers them).
Words and links of both are scored against the old parser's HTML of the same wikitext, as `oracle.py score` counts them.
The two extractors are timed in turn on pages held in memory, and the best of the runs is told. The wiki with its own
templates has them rendered in the HTML; the wikitext extractor is timed with our tables there.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from parsoid.fidelity import pages_of, score_html  # noqa: E402
from wikitext.oracle_support import missing  # noqa: E402

from wikiprep.dump.site import Site  # noqa: E402
from wikiprep.dump.siteinfo import read_siteinfo  # noqa: E402
from wikiprep.parsoid.extract import HtmlExtractor  # noqa: E402
from wikiprep.wikitext.extract import Extractor  # noqa: E402

DUMPS = ROOT.parent / "shared" / "data" / "dumps"
WHOLE = "ltgwiki-whole-2004pages"  # a wiki with its own templates
NAMES = (WHOLE, "enwiki-2016-206pages", "enwiki-232pages-noredirects", "jawiki-20250801-234pages-truncated")
HEAD = "| dump | pages | words: recall / precision | links: recall / precision | HTML, pages a second | wikitext |"


def seconds(pages: list[dict[str, Any]], read: Callable[[dict[str, Any]], object]) -> float:
    """CPU time of one pass."""
    start = time.process_time()
    for page in pages:
        read(page)
    return time.process_time() - start


def line(name: str, runs: int, keep: Path | None) -> str:
    """The row of one dump."""
    path = str(DUMPS / f"{name}.xml.bz2")
    cache_file = keep / f"{name}.jsonl" if keep else None
    pages = list(pages_of(path, own_templates=name == WHOLE, kept=cache_file))
    site = Site.of(read_siteinfo(path))
    rates = score_html(path, iter(pages)).rates
    html, wikitext = HtmlExtractor(site), Extractor(site, templates="render" if name == WHOLE else "drop")
    best = [float("inf"), float("inf")]
    for _ in range(runs):
        best[0] = min(best[0], seconds(pages, lambda page: html.extract(page["html"], page["title"])))
        best[1] = min(best[1], seconds(pages, lambda page: wikitext.extract(page["text"], page["title"])))
    ours, theirs = (len(pages) / each for each in best)
    size = sum(len(page["html"]) for page in pages) / len(pages) / 1e3
    return (
        f"| {name} | {len(pages):,} | {rates[0]:.2f} / {rates[1]:.2f} | {rates[2]:.2f} / {rates[3]:.2f} "
        f"| {ours:,.0f} ({size:,.0f} kB of HTML a page) | {theirs:,.0f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    if reason := missing():
        raise SystemExit(f"error: {reason}")
    print(HEAD, "|---|---|---|---|---|---|", sep="\n")
    for name in options.names:
        print(line(name, options.runs, options.keep), flush=True)


if __name__ == "__main__":
    main()
