"""Small pieces of wikitext with what they show."""

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.extract import extract

from .cases import Case, account, read_cases


def blocks_of(result: Extraction) -> list[str]:
    return [paragraph.text for paragraph in result.paragraphs]


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
