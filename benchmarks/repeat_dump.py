"""A dump made larger: its pages several times over, with ids and titles of their own, in one bz2 stream.

    python benchmarks/repeat_dump.py DUMP OUT.xml.bz2 --mb 60

Copies link to the pages of the first copy, as text links to what exists. For benchmarks only.
"""

import argparse
import bz2
import re
from pathlib import Path

PAGE = re.compile(rb"<page>.*?</page>\s*", re.S)
TITLE = re.compile(rb"<title>(.*?)</title>")
PAGE_ID = re.compile(rb"(<id>)(\d+)(</id>)")


def repeat(source: Path, target: Path, megabytes: float) -> int:
    """Write about `megabytes` of XML; returns the bytes of XML written."""
    data = source.read_bytes()
    if source.suffix == ".bz2":
        data = bz2.decompress(data)
    pages = PAGE.findall(data)
    head = data[: data.index(b"<page>")]
    bytes_written = len(head)
    with bz2.open(target, "wb") as out:
        out.write(head)
        copy = 0
        while bytes_written < megabytes * 1e6:
            for page in pages:
                new_page = page if copy == 0 else _rename_page(page, copy)
                out.write(new_page)
                bytes_written += len(new_page)
            copy += 1
        out.write(b"</mediawiki>\n")
    return bytes_written


def _rename_page(page: bytes, copy: int) -> bytes:
    page = TITLE.sub(lambda m: b"<title>%s (copy %d)</title>" % (m[1], copy), page, count=1)
    return PAGE_ID.sub(lambda m: b"%s%d%s" % (m[1], int(m[2]) + copy * 1_000_000_000, m[3]), page, count=1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dump", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mb", type=float, default=60.0)
    arguments = parser.parse_args()
    print(f"{repeat(arguments.dump, arguments.out, arguments.mb):,} bytes of XML")
