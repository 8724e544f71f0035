"""Sections and kinds of paragraphs."""

from collections import Counter
from collections.abc import Mapping, Sequence

from wikiprep.report.article_sample import Articles
from wikiprep.report.blocks import Section, titled
from wikiprep.report.charts import Axis
from wikiprep.report.corpus import Corpus
from wikiprep.report.lengths import sampled
from wikiprep.report.ranked import ranked


def kinds(corpora: Sequence[Corpus], articles: Mapping[str, Articles]) -> Section:
    """Shares, so that corpora of different sizes can be compared."""
    section = Section(
        "kinds",
        "Sections and kinds of paragraphs",
        "Which share of paragraphs and of text is prose, lists and so on; which share of articles has each heading.",
    )
    section.notes += sampled(corpora, articles)
    found = {name: one for name, one in articles.items() if one.paragraphs}
    if not found:
        section.notes.append("There is no paragraph to count.")
        return section
    paragraphs = {name: _shares(one.paragraphs, one.paragraphs.total()) for name, one in found.items()}
    text = {name: _shares(one.text, one.text.total()) for name, one in found.items()}
    headings = {name: _shares(one.sections, len(one.characters)) for name, one in found.items()}
    percent = Axis("share", "percent")
    section.figures += [
        ranked("kinds-paragraphs", titled("Paragraphs by kind", paragraphs, corpora), "kind", percent, paragraphs),
        ranked("kinds-text", titled("Text by kind", text, corpora), "kind", percent, text),
    ]
    if any(headings.values()):
        section.figures.append(
            ranked(
                "kinds-sections",
                titled("Articles with a heading", headings, corpora),
                "heading",
                Axis("share of articles", "percent"),
                headings,
            )
        )
    return section


def _shares(counts: Counter[str], whole: int) -> dict[str, int | float]:
    return {name: count / max(1, whole) for name, count in counts.items()}
