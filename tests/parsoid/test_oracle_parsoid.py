"""Parsoid's HTML of real pages against what MediaWiki's own parser shows for them: `pytest -m oracle`."""

from pathlib import Path

import pytest
from wikitext.oracle_support import missing

from .fidelity import pages_of, score_html

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(bool(missing()), reason=missing() or "-"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # oracle.py leaves a pipe open
]


def holds(path: Path, *, own_templates: bool = False, limit: int | None = None) -> None:
    score = score_html(str(path), pages_of(str(path), own_templates=own_templates, limit=limit))
    assert score.pages
    for rate, least in zip(score.rates, (99.9, 99.9, 99.9, 99.9), strict=True):
        assert rate >= least, (score.rates, score.left, score.links_left)


def test_a_part_of_a_dump(shared_data: Path) -> None:
    """What continuous integration has time for: some forty Latgalian pages with their own templates."""
    holds(shared_data / "dumps" / "ltgwiki-whole-2004pages.xml.bz2", own_templates=True, limit=60)


@pytest.mark.slow
def test_whole_dumps(shared_data: Path) -> None:
    holds(shared_data / "dumps" / "ltgwiki-whole-2004pages.xml.bz2", own_templates=True)
    holds(shared_data / "dumps" / "enwiki-232pages-noredirects.xml.bz2")
    holds(shared_data / "dumps" / "enwiki-2016-206pages.xml.bz2")
