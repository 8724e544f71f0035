"""Small dumps made in memory, for the tests of this folder."""

import bz2
import random
from pathlib import Path
from xml.sax.saxutils import escape

from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.pages import BadPage, LostRange, Page, RangeReader
from wikiprep.dump.ranges import plan_ranges

HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="{lang}">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <dbname>{dbname}</dbname>
    <case>first-letter</case>
    <namespaces>
      <namespace key="-1" case="first-letter">Special</namespace>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Talk</namespace>
      <namespace key="10" case="first-letter">Template</namespace>
    </namespaces>
  </siteinfo>
"""
FOOT = "</mediawiki>\n"


def page(number: int, title: str, text: str, inner: str = "", ns: int = 0) -> str:
    """The XML of one page as MediaWiki 1.40 exports it; `inner` comes before the revision."""
    return f"""  <page>
    <title>{escape(title)}</title>
    <ns>{ns}</ns>
    <id>{number}</id>
{inner}    <revision>
      <id>{number + 1000}</id>
      <timestamp>2026-01-02T03:04:05Z</timestamp>
      <contributor>
        <username>Someone</username>
        <id>7</id>
      </contributor>
      <comment>a &lt;page&gt; in a comment</comment>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="{len(text.encode())}" xml:space="preserve">{escape(text, {'"': "&quot;"})}</text>
      <sha1>x</sha1>
    </revision>
  </page>
"""


def dump(pages: list[str], dbname: str = "enwiki", lang: str = "en") -> bytes:
    """A whole dump."""
    return (HEAD.format(dbname=dbname, lang=lang) + "".join(pages) + FOOT).encode()


def words(seed: int, count: int) -> str:
    """Text that compresses about as badly as prose."""
    rng = random.Random(seed)
    return " ".join("".join(rng.choices('abcdefghijklmnopqrstuvwxyz<&"é', k=rng.randint(2, 9))) for _ in range(count))


def multistream(pages: list[str], group: int) -> bytes:
    """As `-multistream.xml.bz2` files are made: header, `group` pages a stream, footer."""
    head, foot = HEAD.format(dbname="enwiki", lang="en").encode(), FOOT.encode()
    groups = ["".join(pages[i : i + group]).encode() for i in range(0, len(pages), group)]
    return b"".join(bz2.compress(data) for data in [head, *groups, foot])


def read(path: Path, range_bytes: int = 1 << 30, keep_damaged: bool = False) -> list[Page | BadPage | LostRange]:
    """All that the ranges of a file give, in order."""
    parts = find_parts([str(path)])
    return [
        found
        for part in parts
        for range_ in plan_ranges([part], range_bytes)
        for found in RangeReader(range_, part.siteinfo, keep_damaged)
    ]


def ids(found: list[Page | BadPage | LostRange]) -> list[int | None]:
    """Page ids, bad ones too."""
    return [f.page_id for f in found if not isinstance(f, LostRange)]
