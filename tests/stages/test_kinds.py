"""Each kind of page and each reason for a reject; where several fit, the first counts."""

from dataclasses import replace
from typing import Any

import pytest

from wikiprep.config import ExtractConfig
from wikiprep.dump.pages import BadPage, Page
from wikiprep.dump.site import Site
from wikiprep.stages.kinds import Kind, KindRules, kind_of

PAGE = Page(
    page_id=1,
    namespace=0,
    title="Oslo",
    revision_id=2,
    timestamp=None,
    model="wikitext",
    redirect=None,
    text="'''Oslo''' is the capital of [[Norway]].",
    xml_bytes=100,
)
DISAMBIGUATION = 7


TEXT = ExtractConfig(math="drop", max_page_mb=1e-4)


def kind(lost: str | None = None, **changes: Any) -> Kind:
    rules = KindRules(
        Site.for_language("en"),
        ExtractConfig(math="drop", max_page_mb=1e-4),
        lambda page: page.page_id == DISAMBIGUATION,
    )
    return kind_of(replace(PAGE, **changes), lost, rules)


def test_an_article_has_its_text() -> None:
    found = kind()
    assert (found.name, found.reason) == ("article", "")
    assert found.extraction is not None
    assert [p.text for p in found.extraction.paragraphs] == ["Oslo is the capital of Norway."]


@pytest.mark.parametrize(
    ("changes", "name", "reason"),
    [
        ({"namespace": 14}, "other_namespace", ""),
        ({"redirect": "Norway"}, "redirect", ""),
        ({"model": "css"}, "reject", "content model"),
        ({"text": "x" * 101}, "reject", "page too large"),
        ({"text": "x" * 100}, "article", ""),
        ({"text": ""}, "article", ""),
        ({"text": "* [[A]]\n{{disambig}}"}, "disambiguation", ""),
        ({"page_id": DISAMBIGUATION}, "disambiguation", ""),
        # the first that fits
        ({"namespace": 14, "redirect": "Norway", "model": "css", "text": "x" * 101}, "other_namespace", ""),
        ({"redirect": "Norway", "model": "css", "text": "x" * 101}, "redirect", ""),
        ({"model": "css", "text": "x" * 101}, "reject", "content model"),
        ({"text": "{{disambig}}" + "x" * 101, "page_id": DISAMBIGUATION}, "reject", "page too large"),
        ({"lost": "timeout", "namespace": 14, "redirect": "Norway"}, "reject", "timeout"),
        ({"lost": "crash"}, "reject", "crash"),
        ({"lost": "memory"}, "reject", "memory"),
    ],
)
def test_kinds(changes: dict[str, Any], name: str, reason: str) -> None:
    found = kind(**changes)
    assert (found.name, found.reason) == (name, reason)
    assert (found.extraction is not None) == (name in ("article", "disambiguation"))
    assert bool(found.detail) == (name == "reject")


def test_details_say_what_was_met() -> None:
    assert kind(model="css").detail == "css"
    assert kind(text="x" * 101).detail == "101 bytes of wikitext"
    assert kind(text="東" * 34).detail == "102 bytes of wikitext"
    assert "alone" in kind(lost="crash").detail


def test_a_page_that_cannot_be_read_keeps_its_reason_whatever_happened_to_its_worker() -> None:
    rules = KindRules(Site.for_language("en"), TEXT, lambda page: True)
    bad = BadPage(3, "X", "no text", "the text is hidden")
    for lost in (None, "crash"):
        found = kind_of(bad, lost, rules)
        assert (found.name, found.reason, found.detail) == ("reject", "no text", "the text is hidden")
