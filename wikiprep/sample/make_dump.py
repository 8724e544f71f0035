"""Makes a MediaWiki export (schema 0.11) from pages kept as plain text files.

The sources are what people edit; the XML beside them is what ships. Everything that a real export holds and that a text
file lacks (revision ids, times, sizes, hashes) is a function of the page's id and text, so the same sources always
give the same bytes. `python -m wikiprep.sample.make_dump` writes the sample's XML anew.

A source file holds one page or several. A page starts with a header of `%%` lines and goes on to the next header:

    %% id: 12
    %% ns: 0
    %% title: Mars
    %% redirect: Another page       (only for redirects)
    the wikitext …

The wiki itself (name, language, namespaces) is described by a TOML file.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HERE = Path(__file__).parent
FIRST_DAY = datetime(2026, 8, 1, tzinfo=UTC)
MODELS = {828: ("Scribunto", "text/plain")}
SCHEMA = "http://www.mediawiki.org/xml/export-0.11/"
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class SamplePage:
    """One page as written down: `title` is full (with its namespace's name), `redirect` the target's full title."""

    page_id: int
    namespace: int
    title: str
    redirect: str | None
    text: str


def read_pages(paths: Iterable[Path]) -> list[SamplePage]:
    """Reads every page of the source files, ordered by page id. Raises ValueError for a file without a header."""
    pages = [page for path in paths for page in _split(path)]
    return sorted(pages, key=lambda page: page.page_id)


def _split(path: Path) -> Iterator[SamplePage]:
    text = path.read_text(encoding="utf-8")
    if not text.startswith("%% id:"):
        raise ValueError(f"{path}: a source starts with '%% id:'")
    for block in re.split(r"^(?=%% id:)", text, flags=re.MULTILINE)[1:]:
        header: dict[str, str] = {}
        rest = block
        while rest.startswith("%% "):
            line, _, rest = rest.partition("\n")
            key, _, value = line[3:].partition(":")
            header[key] = value.strip()
        yield SamplePage(
            int(header["id"]), int(header.get("ns", "0")), header["title"], header.get("redirect"), rest.strip("\n")
        )


def base36_sha1(data: bytes) -> str:
    """SHA-1 the way MediaWiki writes it: base 36, 31 digits."""
    number = int.from_bytes(hashlib.sha1(data, usedforsecurity=False).digest(), "big")
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = DIGITS[digit] + digits
    return digits.rjust(31, "0")


def siteinfo_xml(site: dict[str, str], namespaces: dict[str, str]) -> str:
    """The `<siteinfo>` element; `namespaces` maps ids (as text, TOML has no other keys) to names."""
    case = site.get("case", "first-letter")
    lines = ["  <siteinfo>"]
    lines += [f"    <{key}>{escape(site[key])}</{key}>" for key in ("sitename", "dbname", "base", "generator")]
    lines += [f"    <case>{case}</case>", "    <namespaces>"]
    for number, name in namespaces.items():
        start = f'      <namespace key="{number}" case="{case}"'
        lines.append(f"{start}>{escape(name)}</namespace>" if name else f"{start} />")
    return "\n".join([*lines, "    </namespaces>", "  </siteinfo>"])


def page_xml(page: SamplePage) -> str:
    """The `<page>` element with one revision."""
    data = page.text.encode("utf-8")
    revision = 100_000 + 7 * page.page_id
    model, form = MODELS.get(page.namespace, ("wikitext", "text/x-wiki"))
    if page.title.endswith(".css"):
        model, form = "css", "text/css"
    time = (FIRST_DAY + timedelta(minutes=97 * page.page_id)).strftime("%Y-%m-%dT%H:%M:%SZ")
    attributes = f'bytes="{len(data)}" sha1="{base36_sha1(data)}" xml:space="preserve"'
    content = escape(page.text, {'"': "&quot;"})
    redirect = f"    <redirect title={quoteattr(page.redirect)} />\n" if page.redirect else ""
    return f"""  <page>
    <title>{escape(page.title)}</title>
    <ns>{page.namespace}</ns>
    <id>{page.page_id}</id>
{redirect}    <revision>
      <id>{revision}</id>
      <parentid>{revision - 3}</parentid>
      <timestamp>{time}</timestamp>
      <contributor>
        <username>Sample writer</username>
        <id>2</id>
      </contributor>
      <comment>written for wikiprep</comment>
      <origin>{revision}</origin>
      <model>{model}</model>
      <format>{form}</format>
      <text {attributes}{f">{content}</text>" if content else " />"}
      <sha1>{base36_sha1(data)}</sha1>
    </revision>
  </page>"""


def make_dump(site_file: Path, sources: Iterable[Path]) -> str:
    """The whole export as text: the wiki described in `site_file`, the pages of `sources` ordered by id."""
    site = tomllib.loads(site_file.read_text(encoding="utf-8"))
    head = (
        f'<mediawiki xmlns="{SCHEMA}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:schemaLocation="{SCHEMA} http://www.mediawiki.org/xml/export-0.11.xsd" '
        f'version="0.11" xml:lang="{site["language"]}">'
    )
    pages = [page_xml(page) for page in read_pages(sources)]
    return "\n".join([head, siteinfo_xml(site, site["namespaces"]), *pages, "</mediawiki>", ""])


def make_sample() -> str:
    """The sample's export, from the sources beside this file."""
    return make_dump(HERE / "site.toml", sorted((HERE / "pages").glob("*.txt")))


if __name__ == "__main__":
    from wikiprep.sample import dump_path, wikidata_path
    from wikiprep.sample.make_wikidata import make_wikidata

    dump_path().write_text(make_sample(), encoding="utf-8", newline="\n")
    wikidata_path().write_text(make_wikidata(), encoding="utf-8", newline="\n")
