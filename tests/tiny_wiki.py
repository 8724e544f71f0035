"""A wiki of a dozen pages for tests of annotation: names with two referents, odd titles, other scripts, QIDs."""

from pathlib import Path
from typing import Any

from inline import build, write_dump, xml_page

PAGES = {
    "Solar System": "The planet [[Mercury (planet)|Mercury]] is near the [[Sun]]. Mercury has no moon, and the Sun is "
    "hot.\n\n[[Venus]] follows Mercury; [[Venus (goddess)|Venus]] does not. The Solar System is old. Mercury's day is "
    "long.",
    "Mercury (planet)": "Mercury is the planet next to the [[Sun]]. Nothing on Mercury lives. The [[Solar System]] has "
    "it.",
    "Mercury (element)": "Mercury is a metal. Alchemists of [[Cairo]] loved Mercury as others loved [[gold]].",
    "Mercury": "'''Mercury''' may mean:\n* [[Mercury (planet)]]\n* [[Mercury (element)]]\n{{disambiguation}}",
    "Sun": "The Sun is a star of the [[Solar System]]. See [[Mercury (planet)|Mercury]] and [[Venus]] of the Sun.",
    "Venus": "Venus is a planet. It is near [[Mercury (planet)|Mercury]] and [[Sun|the Sun]].",
    "Venus (goddess)": "Venus is a goddess of [[Rome]].",
    "Gold": "Gold is a metal, as [[Mercury (element)|mercury]] is. In [[Cairo]] gold is sold; gold is dear.",
    "Cairo": "Cairo (القاهرة) has the [[What? (band)|band What?]] and [[AC/DC]]. [[القاهرة]] is its name: القاهرة.",
    "Rome": "Rome lies far from [[東京]]. 東京都は日本の首都、東京である。",
    "Tokyo": "Tokyo is far from [[Rome]]. Of [[Rome]] it knows [[R&B \"Hits\"]].",
    "What? (band)": "What? is a band of [[Cairo]], unlike [[AC/DC]].",
    "AC/DC": "AC/DC are louder than [[What? (band)|What?]].",
    "R&B \"Hits\"": "A record of [[Rome]].",
    "کتاب\u200cها": "Books of [[Rome]], a title with a joiner.",
}  # fmt: skip
REDIRECTS = {"القاهرة": "Cairo", "東京": "Tokyo"}
MENTIONS: dict[str, Any] = {"mentions": {"mentions": True}}


def tiny_dump(folder: Path) -> Path:
    """The dump."""
    pages = [xml_page(i, title, text) for i, (title, text) in enumerate(PAGES.items(), 1)]
    pages += [xml_page(i, title, "", redirect=to) for i, (title, to) in enumerate(REDIRECTS.items(), 101)]
    return write_dump(folder / "tinywiki.xml", *pages)


def tiny_props(folder: Path) -> Path:
    """QIDs of all pages but Gold: Q1000 and the page id."""
    rows = ",".join(f"({i},'wikibase_item','Q{1000 + i}')" for i, title in enumerate(PAGES, 1) if title != "Gold")
    path = folder / "page_props.sql"
    path.write_text(
        "CREATE TABLE `page_props` (\n  `pp_page` int,\n  `pp_propname` varbinary(60),\n  `pp_value` blob\n);\n"
        f"INSERT INTO `page_props` VALUES {rows};\n-- Dump completed on 2026-01-01\n"
    )
    return path


def build_tiny(output: Path, folder: Path, **records: Any) -> Path:
    """A corpus of it with mention statistics; options of [records] by name."""
    sections: dict[str, Any] = MENTIONS | {"input": {"page_props": str(tiny_props(folder))}}
    build(output, tiny_dump(folder), sections=sections | {"records": {"text": True, **records}})
    return output
