"""Templates that were left out, by the words that they were given: what a corpus lacks, at most."""

from collections.abc import Sequence

from wikiprep.report.blocks import Cell, Section, Table, figure_title
from wikiprep.report.charts import Axis
from wikiprep.report.corpus import ReportCorpus
from wikiprep.report.ranked_names import ranked_figure
from wikiprep.tables.templates import TEMPLATES

_PLACE = f"tables/{TEMPLATES}"
MOST = 50


def templates(corpora: Sequence[ReportCorpus]) -> Section:
    """A picture for all corpora, a table for each."""
    section = Section(
        "templates",
        "Templates left out",
        "By the words of the arguments that their calls were given: what they would have shown, at most, but for words "
        "of their own. An infobox shows most of them, a navigation box none.",
    )
    words: dict[str, dict[str, int | float]] = {}
    for corpus in corpora:
        if not corpus.has(_PLACE):
            section.notes.append(corpus.lacks("count of templates", "it was not made of a dump, or of articles alone"))
            continue
        with corpus.parquet(_PLACE) as file:
            old = "dropped_words" not in file.schema_arrow.names
        if old:
            section.notes.append(f"{corpus.name}: built by an older wikiprep, which counted no words: build it anew.")
            continue
        rows = [
            row
            for batch in corpus.batches(_PLACE, ["name", "rendered", "dropped", "pages", "dropped_words"])
            for row in batch.to_pylist()
            if row["dropped"]
        ]
        rows.sort(key=lambda row: (-row["dropped_words"], -row["dropped"], row["name"]))
        if not rows:
            section.notes.append(f"{corpus.name}: no template was left out.")
            continue
        words[corpus.name] = {row["name"]: row["dropped_words"] for row in rows[:1000]}
        columns = ["template", "words given", "calls left out", "calls rendered", "pages that call it"]
        top_rows: list[list[Cell]] = [
            [row["name"], row["dropped_words"], row["dropped"], row["rendered"], row["pages"]] for row in rows[:MOST]
        ]
        caption = f"Templates left out: {corpus.name}, the first {len(top_rows):,} of {len(rows):,}"
        section.tables.append(Table(caption, columns, top_rows))
    if words:
        section.figures.append(
            ranked_figure(
                "templates-words", figure_title("Words given to them", words, corpora), "template", Axis("words"), words
            )
        )
    return section
