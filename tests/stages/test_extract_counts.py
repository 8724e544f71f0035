"""The warning of a build whose template calls mostly gave no text."""

from pathlib import Path

import pytest
from inline import build, write_dump, xml_page

from wikiprep.stages.extract_counts import CallFacts, warnings_of


@pytest.mark.parametrize(("templates", "told"), [("expand", True), ("render", True), ("drop", False)])
def test_most_calls_without_text_are_told_with_the_largest(tmp_path: Path, templates: str, told: bool) -> None:
    calls = "Text. {{Word|a b c}} {{Word|d}} {{Short|a}} {{Bare}} {{Other|k=a b}} {{nowrap|f}} {{Infobox x|a=b}}"
    calls += "{{Long|" + "x " * 20 + "}}"
    dump = write_dump(tmp_path / "d.xml", xml_page(1, "P", calls))
    made = build(tmp_path / "o", dump, sections={"extract": {"templates": templates}}, until="extract")
    assert made["extract"].warnings == (
        (
            "7 of 8 template calls (87 %) gave no text; of those that nothing here knows, these were given the most "
            "words: Long (20), Word (4), Other (2) (`wikiprep templates`, `wikiprep docs templates`)",
        )
        if told
        else ()
    )


def test_half_is_not_most_and_known_boxes_are_no_loss() -> None:
    assert warnings_of([CallFacts(rendered=2, dropped=2, words={"A": 5})]) == []
    assert warnings_of([CallFacts(rendered=1, dropped=9, words={})]) == []
    (told,) = warnings_of([CallFacts(rendered=0, dropped=1, words={n: 1}) for n in "BA"])
    assert "A (1), B (1)" in told
