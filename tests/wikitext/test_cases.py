"""Small pieces of wikitext: ours, and the public reports of ../shared/data."""

import json
from pathlib import Path

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.extract import extract

from .cases import Case, account, read_cases


def blocks_of(result: Extraction) -> list[str]:
    return [paragraph.text for paragraph in result.paragraphs]


def links_of(result: Extraction) -> list[tuple[str, str]]:
    return [(p.text[link.start : link.end], link.target) for p in result.paragraphs for link in p.links]


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
def test_case(case: Case) -> None:
    result = extract(case.text, "Page", Site.for_language(case.language))
    assert blocks_of(result) == case.blocks
    found = [(p.text[k.start : k.end], k.target, k.fragment) for p in result.paragraphs for k in p.links]
    # A case that names no fragment does not ask for one.
    assert [link if want[2] else (*link[:2], None) for link, want in zip(found, case.links, strict=True)] == case.links
    if case.kinds:
        assert [(p.kind, p.depth) for p in result.paragraphs] == case.kinds
    if case.counted is not None:
        assert account(result) == case.counted


def test_names_are_unique() -> None:
    cases = read_cases()
    assert len({(case.name, case.language) for case in cases}) == len(cases) >= 250
    assert sum(1 for case in cases if case.ours is None) >= 200


def test_public_reports(shared_data: Path) -> None:
    """All 57 that are wikitext and no redirect pass; the others are about reading a dump."""
    failed = []
    tried = 0
    for line in (shared_data / "cases" / "extraction.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if "input" not in case or case["kind"] in ("xml", "redirect"):
            continue
        tried += 1
        result = extract(case["input"], "Case", Site.for_language(case["lang"]))
        right = [
            [" ".join(block.split()) for block in text]
            for text in (case["expected_text"], *case.get("accept_text", []))
        ]
        links = [(" ".join(a.split()), b) for a, b in case["expected_links"] if not b.startswith("#")]
        categories = case.get("expected_categories", result.categories)
        if blocks_of(result) not in right or links_of(result) != links or categories != result.categories:
            failed.append(case["report"])
    assert tried == 57
    assert failed == []
