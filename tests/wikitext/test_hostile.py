"""Hostile pages of every kind: CPU time and memory in proportion, the rest remains, the page flagged."""

import tracemalloc
from collections.abc import Callable

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.article import Extraction
from wikiprep.wikitext.extract import Extractor

from .growth import check_growth
from .hostile import UNITS, mixture, repeated

SITE = Site.for_language("zh")  # a language with variants, so that `-{` means something
EXTRACTORS = [Extractor(SITE), Extractor(SITE, captions=True), Extractor(SITE, templates="drop")]


def check(text: str, extractor: Extractor = EXTRACTORS[0]) -> Extraction:
    """The extraction, once it is sound: the end of the page is there, and every link has a reason.

    A comment that is never closed hides the end, as in MediaWiki.
    """
    result = extractor.extract(text, "T")
    if "unclosed:comment" not in result.flags:
        assert result.paragraphs[-1].text.endswith("end link.")
        assert [link.target for link in result.paragraphs[-1].links][-1:] == ["Link"]
    assert sum(result.links.values()) == 2 * result.links["found"]
    assert result.links["kept"] == sum(len(p.links) for p in result.paragraphs)
    return result


def check_megabyte(text_of: Callable[[int], str], extractor: Extractor = EXTRACTORS[0]) -> None:
    check_growth(lambda text: check(text, extractor), text_of, 1_000_000)


@pytest.mark.parametrize("unit", UNITS)
def test_the_page_is_flagged_and_the_rest_remains(unit: str) -> None:
    for extractor in EXTRACTORS:
        flags = check(repeated(unit, 5_000), extractor).flags
        assert any(flag.startswith(UNITS[unit]) for flag in flags) or not UNITS[unit], flags


@pytest.mark.parametrize("seed", range(200))
def test_mixtures(seed: int) -> None:
    check(mixture(seed, 8_000), EXTRACTORS[seed % 3])


@pytest.mark.parametrize("seed", range(1000, 1010))
def test_a_megabyte_of_a_mixture(seed: int) -> None:
    check_megabyte(lambda size: mixture(seed, size), EXTRACTORS[seed % 3])


@pytest.mark.parametrize("unit", ["[[a|", "{{nowrap|", "<div>", "\n{|\n| [[a]]\n", "\n;a:b", "-{zh:a;", "'''a''b"])
def test_memory_grows_with_size(unit: str) -> None:
    def peak(count: int) -> int:
        text = repeated(unit, count * len(unit))
        tracemalloc.start()
        EXTRACTORS[0].extract(text, "T")
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    peak(101)  # what is loaded once
    assert peak(20_001) < 2.5 * peak(10_001) < 120_000_000


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
def test_a_megabyte_of_one_unit(unit: str) -> None:
    for extractor in EXTRACTORS:
        check_megabyte(lambda size: repeated(unit, size), extractor)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2000, 2400))
def test_megabytes_of_mixtures(seed: int) -> None:
    check_megabyte(lambda size: mixture(seed, size), EXTRACTORS[seed % 3])
