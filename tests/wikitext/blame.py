"""Which templates make what a page lacks: each is taken away on both sides, and the difference that goes is its own."""

from collections import Counter
from typing import Any

from wikiprep.dump.site import Site
from wikiprep.wikitext.extract import Extractor
from wikiprep.wikitext.templates.dispatch import DefinitionLookup
from wikiprep.wikitext.templates.own_table import OwnTable

from .oracle_support import oracle, shown


def _apart(answer: dict[str, Any] | None, paragraphs: list[Any]) -> int:
    """How many words one side has alone."""
    from rapidfuzz.distance import LCSseq

    assert answer is not None
    words = oracle().words
    want, got = words(answer["blocks"]), words([p.text for p in paragraphs])
    return len(want) + len(got) - 2 * int(LCSseq.similarity(want, got))


def blame(
    article: dict[str, str], own: dict[str, str], site: Site, language: str, definitions: DefinitionLookup | None = None
) -> Counter[str]:
    """Words by template of one page; `own` are the wiki's templates and modules by title."""
    space = site.titles.names[10]
    made = Extractor(site, definitions=definitions).extract(article["text"], article["title"])
    (full,) = shown([article], language, own)
    before = _apart(full, made.paragraphs)
    found = Counter[str]()
    for name in sorted({name for name, _ in made.templates}):
        answer = full
        if (page := f"{space}:{name}") in own:
            (answer,) = shown([article], language, {**own, page: ""})
        without = Extractor(site, own_templates=OwnTable((f"{name} = @drop",)), definitions=definitions)
        found[name] = before - _apart(answer, without.extract(article["text"], article["title"]).paragraphs)
    return +found
