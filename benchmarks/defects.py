"""Counts defects in the text that we make of a dump: `python benchmarks/defects.py [DUMP] [--show N]`.

Prints each kind (wikiprep/wikitext/defects.py) with its count, per 10,000 words, and the hits in their contexts.
Without DUMP, the 106 English articles of ../shared/data.
"""

import argparse
from pathlib import Path

from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.pages import Page, RangeReader
from wikiprep.dump.ranges import plan_ranges
from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import read_siteinfo
from wikiprep.wikitext.defects import KINDS, Defects, count_defects
from wikiprep.wikitext.extract import Extractor

DUMP = Path(__file__).resolve().parents[2] / "shared" / "data" / "dumps" / "enwiki-2016-206pages.xml.bz2"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", nargs="?", default=str(DUMP))
    parser.add_argument("--show", type=int, default=30, help="hits of a kind to print")
    args = parser.parse_args()
    site = Site.of(read_siteinfo(args.dump))
    extractor, defects, pages = Extractor(site), Defects(), 0
    for piece in plan_ranges(find_parts([args.dump]), 32_000_000):
        for page in RangeReader(piece, site.siteinfo):
            if isinstance(page, Page) and page.namespace == 0 and page.redirect is None:
                pages += 1
                paragraphs = extractor.extract(page.text, page.title, page.timestamp or "").paragraphs
                count_defects(defects, page.title, [p.text for p in paragraphs], site.language.code)
    print(f"{pages:,} pages, {defects.words:,} words")
    for kind in KINDS:
        print(f"{defects.counts[kind]:6}  {defects.rate(kind):6.2f}  {kind}")
        for _, title, context in [hit for hit in defects.hits if hit[0] == kind][: args.show]:
            print(f"                  {title}: …{context}…")


if __name__ == "__main__":
    main()
