"""One page in each language, with all the words that the language has for wikitext: nothing but what MediaWiki shows.

Needs ../shared/oracle set up: `pytest -m oracle`. Some ten minutes, since MediaWiki starts anew for each language.
"""

import orjson
import pytest

from wikiprep.dump.site import Site
from wikiprep.languages.language import DATA
from wikiprep.wikitext.extract import extract

from .fidelity import Score, add
from .local_words import page_of_language
from .oracle_support import missing, shown

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(bool(missing()), reason=missing() or "-"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # oracle.py leaves a pipe open
]
QUICK = ("en", "de", "ar", "zh", "ja", "vi")  # what continuous integration has time for
KNOWN = {orjson.loads(row)["code"] for row in (DATA / "languages.jsonl").read_bytes().splitlines()}
# Of wikis that exist: those whose disambiguation pages we know.
LANGUAGES = sorted(KNOWN & orjson.loads((DATA / "disambiguation.json").read_bytes()).keys())


def test_there_are_as_many_as_were_held_out() -> None:
    assert len(LANGUAGES) >= 121


@pytest.mark.parametrize(
    "language", [pytest.param(code, marks=() if code in QUICK else pytest.mark.slow) for code in LANGUAGES]
)
def test_a_page_of_the_language(language: str) -> None:
    site = Site.for_language(language)
    *pieces, variant_rule = page_of_language(site)
    # A page that asks for no conversion, by one of the switches, shows variant rules as they are typed: a page of its
    # own for the rule.
    rows = [{"title": "Page", "text": text} for text in ("\n\n".join(pieces), variant_rule)]
    score = Score()
    for row, answer in zip(rows, shown(rows, language, {}), strict=True):
        assert answer is not None
        add(score, "Page", answer, extract(row["text"], "Page", site, templates="drop").paragraphs)
    assert score.want > 200 and score.theirs > 30
    assert score.rates == (100.0, 100.0, 100.0, 100.0), dict(score.examples)
