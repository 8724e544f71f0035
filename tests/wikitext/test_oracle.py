"""MediaWiki's own opinion, where ../shared/oracle is set up: `pytest -m oracle` (dumps are marked slow as well)."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import extract

from .cases import Case, read_cases
from .fidelity import Score, score_dump, without_table
from .local_words import page_of_language
from .oracle_kinds import kinds_of
from .oracle_support import missing, shown

pytestmark = [
    pytest.mark.oracle,
    pytest.mark.skipif(bool(missing()), reason=missing() or "-"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),  # oracle.py leaves a pipe open
]

# Languages whose words are tried one by one: every script, every language with variants, prefixes, digits of its own.
LANGUAGES = (
    *("en", "de", "fr", "es", "it", "pl", "ru", "uk", "sr", "ar", "fa", "he", "zh", "ko", "vi", "th", "hi", "tr", "kk"),
    *("ja", "nl", "pt", "sv", "cs", "ca", "el", "bn", "ta", "my", "km", "ka", "hy", "uz", "ku", "ltg", "eo", "sw"),
    *("az", "cv", "is", "se", "gl", "ks", "mni", "sd"),
)


def differences(case: Case, answer: dict[str, Any]) -> list[str]:
    """What of a case MediaWiki shows otherwise."""
    links = Counter((mention, target.partition("#")[0]) for mention, target in answer["links"] if target[0] != "#")
    out = []
    if [" ".join(str(block).split()) for block in answer["blocks"]] != case.blocks:
        out.append("text")
    elif case.kinds and kinds_of(answer["html"]) != case.kinds:
        out.append("kinds")
    if links != Counter((mention, target) for mention, target, _ in case.links):
        out.append("links")
    return out


def test_cases_are_what_mediawiki_shows() -> None:
    """All agree but those that say why ours is other; and each of those differs indeed, or could not be judged."""
    by_language: dict[str, list[Case]] = defaultdict(list)
    for case in read_cases():
        by_language[case.language].append(case)
    wrong, needless = [], []
    for language, cases in by_language.items():
        rows = [{"title": "Page", "text": case.text} for case in cases]
        for case, answer in zip(cases, shown(rows, language, {}), strict=True):
            assert answer is not None
            differs = differences(case, answer)
            if differs and case.ours is None:
                kinds = kinds_of(answer["html"])
                wrong.append((case.name, language, differs, answer["blocks"], answer["links"], kinds))
            elif case.ours and not differs:
                needless.append(case.name)
    assert wrong == []
    assert needless == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_languages(language: str) -> None:
    """Image options, namespaces, switches, magic words, trails, numbers: each word of the language, on a page."""
    site = Site.for_language(language)
    rows = [{"title": "Page", "text": text} for text in page_of_language(site)]
    wrong = []
    for row, answer in zip(rows, shown(rows, language, {}), strict=True):
        assert answer is not None
        result = extract(row["text"], "Page", site, templates="drop")
        links = Counter((p.text[k.start : k.end], k.target) for p in result.paragraphs for k in p.links)
        theirs = Counter((mention, target.partition("#")[0]) for mention, target in answer["links"] if target[0] != "#")
        same = [" ".join(block.split()) for block in answer["blocks"]] == [p.text for p in result.paragraphs]
        known = {name.replace("_", " ") for name in answer["categories"]}
        if not same or links != theirs or not set(result.categories) <= known:
            wrong.append(
                (row["text"], answer["blocks"], [p.text for p in result.paragraphs], theirs - links, links - theirs)
            )
    assert wrong == []


def holds(score: Score, words: tuple[float, float], links: tuple[float, float]) -> None:
    for rate, limit in zip(score.rates, (*words, *links), strict=True):
        assert rate >= limit, (score.rates, score.left, score.links_left)


def test_a_part_of_a_dump(shared_data: Path) -> None:
    """What continuous integration has time for: English and Japanese pages, every template as nothing."""
    dumps = shared_data / "dumps"
    small = score_dump(str(dumps / "enwiki-schema011-70pages.xml.bz2"))
    holds(small, (99.9, 99.9), (99.5, 99.5))
    japanese = score_dump(str(dumps / "jawiki-20250801-234pages-truncated.xml.bz2"), limit=12)
    holds(japanese, (99.9, 99.9), (99.5, 99.5))


@pytest.mark.parametrize(("name", "language"), [("bgwiki-utf16-bom.xml.bz2", "bg"), ("zhwiki-broken-1.xml", "zh")])
def test_quirks(name: str, language: str, shared_data: Path) -> None:
    """A Bulgarian and a Chinese page, from files that are unlike others."""
    score = score_dump(str(shared_data / "dumps" / "quirks" / name), language=language)
    assert score.pages == 1
    holds(score, (100.0, 100.0), (100.0, 100.0))


# Recall and precision, in percent, of words and of links: what was measured, rounded down to a tenth or so. None is
# under 99.9 of the words and 99.5 of the links.
LIMITS = [
    ("enwiki-2016-206pages", (99.98, 99.99), (99.9, 99.9)),
    ("enwiki-232pages-noredirects", (99.93, 99.99), (99.99, 99.99)),
    ("enwiki-196pages-allns", (99.99, 99.99), (99.99, 99.99)),
    ("enwiki-27pages-longarticles", (99.99, 100.0), (100.0, 100.0)),
    ("enwiki-schema011-70pages", (99.97, 99.99), (99.9, 99.9)),
    ("enwiki-3pages", (99.99, 99.99), (99.99, 99.99)),
    ("simplewiki-7pages", (99.99, 99.99), (99.99, 99.99)),
    ("jawiki-20250801-234pages-truncated", (99.98, 99.99), (99.85, 99.8)),
    ("ltgwiki-whole-2004pages", (99.9, 99.99), (99.7, 99.99)),
    ("enwiktionary-20150224-300pages-multistream", (99.98, 99.99), (99.99, 99.5)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "words", "links"), LIMITS)
def test_dumps_with_templates_as_nothing(
    name: str, words: tuple[float, float], links: tuple[float, float], shared_data: Path
) -> None:
    holds(score_dump(str(shared_data / "dumps" / f"{name}.xml.bz2")), words, links)


@pytest.mark.slow
def test_a_whole_wiki_with_its_own_templates(shared_data: Path) -> None:
    """Our tables, and the wiki's own templates without a table of its language, against MediaWiki with all of them."""
    path = str(shared_data / "dumps" / "ltgwiki-whole-2004pages.xml.bz2")
    holds(score_dump(path, templates="own"), (99.8, 99.9), (99.6, 99.9))
    holds(score_dump(path, templates="own", expand=True), (99.9, 99.98), (99.7, 99.9))
    with without_table("ltg"):
        holds(score_dump(path, templates="own", expand=True), (99.9, 99.98), (99.7, 99.9))
