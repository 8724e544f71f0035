"""The report in a real browser: no error, pictures, hover and keyboard, themes, phones, hostile text."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium import Opened, started
from logged_run import write_run

from wikiprep.report.blocks import Section, Table
from wikiprep.report.charts import Axis, Bars, draw_bars
from wikiprep.report.make_report import ReportOptions, render, write_report
from wikiprep.report.pages import ShownMention, ShownPage, ShownParagraph, ShownPiece
from wikiprep.report.ranked_names import ranked_figure

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg onload=alert(3)>\u202egnp.exe\u2066{{7*7}}"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with started() as one:
        yield one


@pytest.fixture(scope="module")
def report(sample_related: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    write_report(ReportOptions(str(sample_related), runs=[str(write_run(folder / "run"))]), str(folder / "report.html"))
    return folder / "report.html"


def rgb(colour: str) -> list[float]:
    return [float(part) for part in re.findall(r"[\d.]+", colour)[:3]]


def contrast(one: str, other: str) -> float:
    """Of WCAG 2, https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio."""

    def light(colour: str) -> float:
        parts = [part / 255 for part in rgb(colour)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_it_opens_offline_without_an_error_and_its_pictures_are_there(browser: Any, report: Path) -> None:
    opened = Opened(browser, report, offline=True)
    assert opened.said == []
    assert opened.asked == [report.as_uri()]
    boxes = opened.page.eval_on_selector_all(
        "svg.chart",
        "all => all.map(e => [e.getBoundingClientRect().width, e.getBoundingClientRect().height, "
        "e.querySelectorAll('path').length, e.getAttribute('aria-label').length, e.getAttribute('role')])",
    )
    assert len(boxes) > 15
    for width, height, paths, label, role in boxes:
        assert width > 250 and height > 80 and paths > 3 and label > 10 and role == "img"
    ids = opened.page.eval_on_selector_all("[id]", "all => all.map(e => e.id)")
    assert len(ids) == len(set(ids))
    # Each picture has its numbers, each table a name and heads.
    assert opened.page.eval_on_selector_all(
        "figure", "all => all.every(f => f.querySelector('details table tbody tr'))"
    )
    assert opened.page.eval_on_selector_all(
        "table", "all => all.every(t => t.caption && t.querySelector('th[scope=col]'))"
    )


def test_a_mention_says_what_it_is_on_hover_and_on_focus(browser: Any, report: Path) -> None:
    opened = Opened(browser, report)
    page = opened.page
    mention, tip = page.locator("details.page[open] a.m").first, page.locator("#tip")
    assert tip.is_hidden()
    mention.scroll_into_view_if_needed()
    mention.hover()
    row = page.locator(mention.get_attribute("href")).locator("th, td").all_text_contents()
    assert tip.is_visible()
    assert tip.locator("dd").all_text_contents() == row
    assert row[0] == mention.text_content() and re.fullmatch(r"Q\d+|–", row[3]) and re.fullmatch(r"[01]\.\d{3}", row[4])
    tip.hover()  # it stays while one points at the box itself
    assert tip.is_visible()
    page.mouse.move(0, 0)
    assert tip.is_hidden()
    page.locator("#search").focus()
    page.keyboard.press("Tab")  # the summary of the first page, then what is in it
    for _ in range(4):
        if page.evaluate("document.activeElement.matches('a.m')"):
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('a.m')") and tip.is_visible()
    page.keyboard.press("Escape")
    assert tip.is_hidden()
    page.keyboard.press("Enter")  # to the row of the table, which opens
    assert page.evaluate("document.querySelector(':target').closest('details').open")
    assert opened.said == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes_can_be_read(browser: Any, report: Path, scheme: str) -> None:
    opened = Opened(browser, report, color_scheme=scheme)

    def readable() -> tuple[str, str]:
        page, raised = opened.style("body", "backgroundColor"), opened.style("figure", "backgroundColor")
        assert contrast(opened.style("body", "color"), page) > 7
        assert contrast(opened.style("a", "color"), page) > 4.5
        assert contrast(opened.style("svg.chart text", "fill"), raised) > 7
        for colour in ("entity", "known", "missing", "other"):
            assert (
                contrast(opened.style(f".m.{colour}", "color"), opened.style(f".m.{colour}", "backgroundColor")) > 4.5
            )
        bar = opened.style("#funnel svg.chart path[style*='--series-0']", "fill")
        assert contrast(bar, raised) > 3
        return page, bar

    of_system = readable()
    assert (sum(rgb(of_system[0])) < 150) is (scheme == "dark")
    opened.page.select_option("#theme", "light" if scheme == "dark" else "dark")
    chosen = readable()
    assert (sum(rgb(chosen[0])) < 150) is (scheme == "light")
    assert chosen[1] != of_system[1]
    opened.page.select_option("#theme", "")
    assert readable() == of_system


def test_on_a_phone_nothing_is_wider_than_the_screen(browser: Any, report: Path) -> None:
    opened = Opened(browser, report, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    opened.page.eval_on_selector_all("details", "all => all.forEach(d => { d.open = true; })")
    assert opened.page.evaluate("document.documentElement.scrollWidth") == 360
    sizes = opened.page.eval_on_selector_all(
        "svg.chart text", "all => all.map(e => e.getBoundingClientRect().height).filter(h => h > 0)"
    )
    assert min(sizes) > 8
    mention = opened.page.locator("details.page a.m").first
    mention.tap()
    box = opened.page.locator("#tip").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 360


def test_titles_are_searched_without_case_and_marks(browser: Any, report: Path) -> None:
    opened = Opened(browser, report)
    titles = opened.page.locator("details.page .title").all_text_contents()
    assert len(titles) == 20
    opened.page.fill("#search", f"  {titles[3].upper()}")
    left = opened.page.locator("details.page:visible .title").all_text_contents()
    assert titles[3] in left and all(titles[3].lower() in title.lower() for title in left)
    assert opened.page.locator("#found").text_content() == f"{len(left)} of 20 pages"
    opened.page.fill("#search", "")
    assert opened.page.locator("details.page:visible").count() == 20


def test_a_table_is_copied_with_plain_numbers(browser: Any, report: Path) -> None:
    opened = Opened(browser, report)
    opened.page.evaluate("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve(); }")
    figure = opened.page.locator("#funnel figure").first
    figure.locator("summary").click()
    figure.locator("button.copy").click()
    lines = opened.page.evaluate("window.copied").split("\n")
    assert lines[0].startswith("step\t") and re.fullmatch(r"in the dump\t\d+\t100", lines[1])


def test_text_of_a_wiki_does_nothing(browser: Any, tmp_path: Path) -> None:
    mention = ShownMention("a0-0", HOSTILE, HOSTILE, HOSTILE, "entity", "Q1", 0.5, HOSTILE)
    paragraph = ShownParagraph(HOSTILE, "prose", [ShownPiece(HOSTILE, None), ShownPiece(HOSTILE, mention)])
    shown = ShownPage("a0", HOSTILE, "en", HOSTILE, "", 1, "Q1", [paragraph], [mention], 0)
    section = Section("one", "One", HOSTILE, [HOSTILE], [], [Table(HOSTILE, [HOSTILE], [[HOSTILE], [1]])])
    section.figures.append(
        ranked_figure("bars", HOSTILE, HOSTILE, Axis("n"), {HOSTILE: {HOSTILE: 3, "$x$ 東京 القاهرة": 2}})
    )
    path = tmp_path / "hostile.html"
    path.write_text(render(HOSTILE, [section], [shown], [HOSTILE], 0), encoding="utf-8")
    opened = Opened(browser, path)
    opened.page.locator("details.page a.m").hover()
    opened.page.locator("#tip").wait_for()
    opened.page.fill("#search", HOSTILE)
    assert opened.said == []
    assert opened.asked == [path.as_uri()]
    counts = opened.page.evaluate(
        "['script', 'img', 'svg:not(.chart)', '[onerror]', '[onload]'].map(s => document.querySelectorAll(s).length)"
    )
    assert counts == [1, 0, 0, 0, 0]
    text = opened.page.locator("body").text_content()
    assert "<U+202E>gnp.exe<U+2066>" in text and not set("\u202e\u2066") & set(path.read_text("utf-8"))
    assert "<script>alert(1)</script>" in text and "{{7*7}}" in text
    assert draw_bars(["a"], [Bars("", [1])], Axis("n")).count("<svg") == 1


def test_a_script_that_came_in_all_the_same_would_not_run(browser: Any, report: Path, tmp_path: Path) -> None:
    """The policy of the file allows its own script alone."""
    copy = tmp_path / "changed.html"
    shutil.copy(report, copy)
    copy.write_text(
        copy.read_text("utf-8").replace("<footer>", "<script>document.title = 'run'</script><footer>"), "utf-8"
    )
    opened = Opened(browser, copy)
    assert opened.page.title() != "run"
    assert any("Content Security Policy" in line for line in opened.said)
