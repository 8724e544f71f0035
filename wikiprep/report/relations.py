"""Relations between the mentions of records, by property."""

from collections.abc import Sequence

from wikiprep.report.blocks import Section, comparison_table, figure_title
from wikiprep.report.charts import Axis
from wikiprep.report.corpus import ReportCorpus
from wikiprep.report.ranked_names import ranked_figure
from wikiprep.tables.relation_vocab import RELATION_VOCAB

_PLACE = f"tables/{RELATION_VOCAB}"


def relations(corpora: Sequence[ReportCorpus]) -> Section:
    """By the relation vocabulary."""
    section = Section(
        "relations", "Relations by property", "Pairs of mentions of a record between which Wikidata has a statement."
    )
    counts_by_corpus: dict[str, dict[str, int | float]] = {}
    totals = {}
    for corpus in corpora:
        if not corpus.has(_PLACE):
            section.notes.append(corpus.lacks("relations", "the build's command with --wikidata adds them"))
            continue
        rows = [
            row
            for batch in corpus.batches(_PLACE, ["property", "label", "count", "triples", "heads", "tails"])
            for row in batch.to_pylist()
        ]
        if not any(row["count"] for row in rows):
            section.notes.append(f"{corpus.name}: no pair of mentions is related.")
            continue
        counts_by_corpus[corpus.name] = {_property_name(row["property"], row["label"]): row["count"] for row in rows}
        totals[corpus.name] = {
            "properties": len(rows),
            "relations": sum(row["count"] for row in rows),
            "different triples": sum(row["triples"] for row in rows),
        }
    if counts_by_corpus:
        section.figures.append(
            ranked_figure(
                "relations-property",
                figure_title("Relations", counts_by_corpus, corpora),
                "property",
                Axis("relations"),
                counts_by_corpus,
            )
        )
        section.tables.append(comparison_table("Relations in all", "what", totals))
    return section


def _property_name(number: int, label: str | None) -> str:
    return f"P{number} {label}" if label else f"P{number}"
