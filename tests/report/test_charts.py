"""Charts: the same bytes, whatever a user's matplotlib is set to; nothing in them reaches the page around them."""

import re
from xml.etree import ElementTree

import matplotlib

from wikiprep.report.blocks import make_paragraph_visible, make_visible, shorten
from wikiprep.report.charts import Axis, Bars, ChartLine, Mark, draw_bars, draw_lines, short_number
from wikiprep.report.sampling import EACH, PARTS, choose
from wikiprep.report.themed_svg import inline, standalone

SVG = "{http://www.w3.org/2000/svg}"


def test_settings_of_the_user_do_not_matter() -> None:
    def drawn() -> str:
        return draw_lines([ChartLine("a", [1, 10], [0.1, 0.9])], Axis("x", "log"), Axis("y", "percent"))

    first = drawn()
    with matplotlib.rc_context({"font.size": 30, "axes.grid": False, "svg.fonttype": "path"}):
        assert drawn() == first
        assert matplotlib.rcParams["font.size"] == 30


def test_letters_and_signs_of_any_script_are_text() -> None:
    names = ["東京", "القاهرة", "$x_1$", "a < b & c"]  # none warns of a glyph, none is mathematics
    tree = ElementTree.fromstring(inline(draw_bars(names, [Bars("n", [1, 2, None, 4])], Axis("n")), "k", "A & B"))
    assert set(names) <= {text.text for text in tree.iter(f"{SVG}text")}
    assert tree.attrib["aria-label"] == "A & B" and tree.attrib["role"] == "img"


def test_two_pictures_share_no_id_and_all_references_lead_to_one() -> None:
    svg = draw_lines([ChartLine("a", [0, 1, 2], [1, None, 3])], Axis("x"), Axis("y"))
    ids = [set(re.findall(r'\bid="([^"]+)"', made := inline(svg, key, key))) for key in ("one", "two")]
    assert ids[0] and not ids[0] & ids[1]
    assert {*re.findall(r"url\(#([^)]+)\)", made), *re.findall(r'href="#([^"]+)"', made)} <= ids[1]
    assert "#0102" not in made and "<style" not in made and "var(--series-0)" in made and "var(--text)" in made


def test_a_mark_stands_where_its_numbers_say() -> None:
    marks = [Mark(10, 0.5, "ten")]
    svg = standalone(
        draw_lines([ChartLine("a", [1, 100], [0.0, 1.0])], Axis("x", "log"), Axis("y", "percent"), marks=marks)
    )
    tree = ElementTree.fromstring(svg)
    (line,) = [
        p.attrib["d"] for p in tree.iter(f"{SVG}path") if "fill: none; stroke: #0072b2" in p.attrib.get("style", "")
    ]
    (x1, y1), (x2, y2) = (tuple(map(float, pair)) for pair in re.findall(r"[ML] (\S+) (\S+)", line))
    places = [
        (float(u.attrib["x"]), float(u.attrib["y"])) for u in tree.iter(f"{SVG}use") if "#d55e00" in u.attrib["style"]
    ]
    assert any(abs(x - (x1 + x2) / 2) < 0.01 and abs(y - (y1 + y2) / 2) < 0.01 for x, y in places)
    assert "a  ten" in {text.text for text in tree.iter(f"{SVG}text")}


def test_numbers_of_axes() -> None:
    assert [short_number(n) for n in (0.5, 1, 999, 20_000, 1_500_000, 2e9)] == ["0.5", "1", "999", "20K", "1.5M", "2G"]


def test_unseen_characters_are_named() -> None:
    assert make_visible("a\u202eb\u200fc\x00d") == "a<U+202E>b<U+200F>c<U+0000>d"
    assert make_paragraph_visible("א\u200f\u2067b\n") == "א\u200f<U+2067>b\n"
    assert shorten("abc\u202edef", 9) == "abc<U+20…" and shorten("abc", 3) == "abc"


def test_a_large_folder_is_sampled_by_the_seed() -> None:
    paths = [f"articles/part-{i:05}" for i in range(500)]
    asked: list[str] = []

    def groups(path: str) -> int:
        asked.append(path)
        return 10

    one = choose(paths, groups, 0, "articles")
    assert len(asked) == PARTS and len(one.pieces) == PARTS * EACH and not one.whole
    assert one.pieces == sorted(one.pieces, key=lambda piece: (piece.path, piece.number))
    assert choose(paths, groups, 0, "articles") == one != choose(paths, groups, 1, "articles")
    small = choose(paths[:3], lambda _: 2, 7, "articles")
    assert small.whole and [(p.path, p.number) for p in small.pieces] == [(p, n) for p in paths[:3] for n in (0, 1)]
