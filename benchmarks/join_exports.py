"""Join small exports of one wiki into one dump: each page once, at its newest revision, in the order of page ids.

    python benchmarks/join_exports.py joined.xml.bz2 first.xml.bz2 second.xml.bz2 …

The real English pages at hand lie in several exports that share pages; `build-corpus` rightly refuses two revisions of
a page. Pages and the head of the first file are taken as they stand, byte by byte; no XML is written anew.
"""

import bz2
import re
import sys
from pathlib import Path

PAGE = re.compile(rb" *<page>\n.*?</page>\n", re.DOTALL)
PAGE_ID = re.compile(rb"<id>(\d+)</id>")  # the first of a page is its own, the second its revision's


def join_dumps(paths: list[Path]) -> bytes:
    """The dump; raises SystemExit where a file has no pages."""
    head, newest = b"", {}
    for path in paths:
        text = bz2.decompress(path.read_bytes())
        pages = list(PAGE.finditer(text))
        if not pages:
            raise SystemExit(f"{path}: no pages in it")
        head = head or text[: pages[0].start()]
        for page in (match[0] for match in pages):
            number, revision = (int(match) for match in PAGE_ID.findall(page)[:2])
            if number not in newest or revision > newest[number][0]:
                newest[number] = (revision, page)
    return head + b"".join(page for _, page in (newest[number] for number in sorted(newest))) + b"</mediawiki>\n"


if __name__ == "__main__":
    output, *inputs = map(Path, sys.argv[1:])
    output.write_bytes(bz2.compress(join_dumps(inputs)))
