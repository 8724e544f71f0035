"""How fast pages become paragraphs, against bz2 decompression measured in the same run.

    python benchmarks/extract.py DUMP.xml.bz2 [--runs 5] [--steps]

Prints MB of wikitext (UTF-8) per CPU second and the ratio of the extractor's CPU time to that of `bz2.decompress` on
the dump's bytes. The two are run in turn, since other load slows them unequally; the median pair is reported. `--steps`
adds the time of each pass. Pages are read once and held in memory, so reading XML is not in the figures.
"""

import argparse
import bz2
import re
import statistics
import time
from collections import defaultdict
from html import unescape
from pathlib import Path
from typing import Any

from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import read_siteinfo
from wikiprep.wikitext import extract as extract_module
from wikiprep.wikitext.extract import Extractor

_PAGE = re.compile(r"<title>(.*?)</title>.*?<text[^>]*>(.*?)</text>", re.S)
_STEPS = (
    "clean strip_opaque strip_references strip_tables strip_boxes without_invisible decode_entities strip_tags"
    " strip_variants strip_external"
)


def pages_of(path: str) -> list[tuple[str, str]]:
    """(title, wikitext) of every page of a dump that is no redirect and has no colon in its title."""
    xml = bz2.decompress(Path(path).read_bytes()).decode()
    pages = [(unescape(title), unescape(text)) for title, text in _PAGE.findall(xml)]
    return [(title, text) for title, text in pages if ":" not in title and not text.startswith("#")]


def time_steps(extractor: Extractor) -> dict[str, float]:
    """Wraps each pass; returns the table that its CPU time is added to."""
    spent: dict[str, float] = defaultdict(float)

    def wrap(owner: object, name: str, label: str) -> None:
        inner = getattr(owner, name)

        def timed(*args: object, **options: object) -> object:
            start = time.process_time()
            try:
                return inner(*args, **options)
            finally:
                spent[label] += time.process_time() - start

        setattr(owner, name, timed)

    class Reader:
        """One whose `read` is timed: classes that are compiled cannot be changed."""

        def __init__(self, label: str, reader: Any) -> None:
            self.read = reader.read
            wrap(self, "read", label)

    for name in _STEPS.split():
        wrap(extract_module, name, name)
    wrap(extractor._templates, "read", "templates")
    block_reader = extract_module._block_reader
    vars(extract_module)["_block_reader"] = lambda *given: Reader("blocks", block_reader(*given))
    vars(extractor)["_links"] = Reader("links", extractor._links)
    return spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("--templates", choices=["render", "drop"], default="render")
    options = parser.parse_args()
    compressed = Path(options.dump).read_bytes()
    pages = pages_of(options.dump)
    size = sum(len(text.encode()) for _, text in pages) / 1e6
    extractor = Extractor(Site.of(read_siteinfo(options.dump)), templates=options.templates)
    for title, text in pages:  # once, so that what link targets mean is known, as it is in a long run
        extractor.extract(text, title)
    spent = time_steps(extractor) if options.steps else {}
    pairs: list[tuple[float, float, float]] = []
    for _ in range(options.runs):
        start = time.process_time()
        bz2.decompress(compressed)
        middle = time.process_time()
        for title, text in pages:
            extractor.extract(text, title)
        end = time.process_time()
        pairs.append(((end - middle) / (middle - start), middle - start, end - middle))
    ratio = statistics.median(pair[0] for pair in pairs)
    ours = min(pair[2] for pair in pairs)
    theirs = min(pair[1] for pair in pairs)
    print(f"{len(pages)} pages, {size:.2f} MB of wikitext")
    print(f"extraction {ours:.3f} s, {size / ours:.1f} MB/s; bz2 {theirs:.3f} s; ratio {ratio:.2f}")
    for label, seconds in sorted(spent.items(), key=lambda item: -item[1]):
        print(f"  {label:20} {1000 * seconds / options.runs:7.1f} ms")


if __name__ == "__main__":
    main()
