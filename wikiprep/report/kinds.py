"""Sections and kinds of paragraphs."""

from collections import Counter
from collections.abc import Mapping, Sequence

from wikiprep.report.blocks import Section, figure_title
from wikiprep.report.charts import Axis
from wikiprep.report.corpus import ReportCorpus
from wikiprep.report.lengths import sample_notes
from wikiprep.report.ranked_names import ranked_figure
from wikiprep.report.sampling import SampledArticles


def kinds(corpora: Sequence[ReportCorpus], articles: Mapping[str, SampledArticles]) -> Section:
    """Shares, so that corpora of different sizes can be compared."""
    section = Section(
        "kinds",
        "Sections and kinds of paragraphs",
        "Which share of paragraphs and of text is prose, lists and so on; which share of articles has each heading.",
    )
    section.notes += sample_notes(corpora, articles)
    articles_by_corpus = {
        name: corpus_articles for name, corpus_articles in articles.items() if corpus_articles.paragraphs
    }
    if not articles_by_corpus:
        section.notes.append("There is no paragraph to count.")
        return section
    paragraphs = {
        name: _shares(corpus_articles.paragraphs, corpus_articles.paragraphs.total())
        for name, corpus_articles in articles_by_corpus.items()
    }
    text = {
        name: _shares(corpus_articles.text, corpus_articles.text.total())
        for name, corpus_articles in articles_by_corpus.items()
    }
    headings = {
        name: _shares(corpus_articles.sections, len(corpus_articles.characters))
        for name, corpus_articles in articles_by_corpus.items()
    }
    percent = Axis("share", "percent")
    section.figures += [
        ranked_figure(
            "kinds-paragraphs", figure_title("Paragraphs by kind", paragraphs, corpora), "kind", percent, paragraphs
        ),
        ranked_figure("kinds-text", figure_title("Text by kind", text, corpora), "kind", percent, text),
    ]
    if any(headings.values()):
        section.figures.append(
            ranked_figure(
                "kinds-sections",
                figure_title("Articles with a heading", headings, corpora),
                "heading",
                Axis("share of articles", "percent"),
                headings,
            )
        )
    return section


def _shares(counts: Counter[str], whole: int) -> dict[str, int | float]:
    return {name: count / max(1, whole) for name, count in counts.items()}
