"""Pages that could not be used, by reason, with examples."""

from collections import Counter
from collections.abc import Sequence

from wikiprep.report.blocks import Cell, Section, Table, figure_title, shorten
from wikiprep.report.charts import Axis
from wikiprep.report.corpus import ReportCorpus
from wikiprep.report.ranked_names import ranked_figure

EXAMPLES = 3


def rejects(corpora: Sequence[ReportCorpus]) -> Section:
    """Of rejects/, a batch at a time: the first examples of each reason."""
    section = Section("rejects", "Rejects", "Pages, lines and redirects that the build could not use, by reason.")
    counts_by_corpus: dict[str, Counter[str]] = {}
    for corpus in corpora:
        counts, examples = _read_rejects(corpus)
        if counts:
            counts_by_corpus[corpus.name] = counts
            rows: list[list[Cell]] = [
                [reason, count, *_pad_examples(examples[reason])]
                for reason, count in sorted(counts.items(), key=lambda one: (-one[1], one[0]))
            ]
            columns = ["reason", "count", *(f"example {i + 1}" for i in range(EXAMPLES))]
            section.tables.append(Table(f"Rejects: {corpus.name}", columns, rows))
        else:
            section.notes.append(f"{corpus.name}: nothing was rejected.")
    if counts_by_corpus:
        section.figures.append(
            ranked_figure(
                "rejects-reasons",
                figure_title("Rejects by reason", counts_by_corpus, corpora),
                "reason",
                Axis("rejects"),
                dict(counts_by_corpus),
            )
        )
    return section


def _read_rejects(corpus: ReportCorpus) -> tuple[Counter[str], dict[str, list[str]]]:
    counts, examples = Counter[str](), dict[str, list[str]]()
    for path in corpus.parts("rejects"):
        for batch in corpus.batches(path, ["title", "page_id", "reason", "detail"]):
            batch_counts = Counter[str](batch["reason"].to_pylist())
            counts.update(batch_counts)
            if all(len(examples.get(reason, ())) >= EXAMPLES for reason in batch_counts):
                continue
            for row in batch.to_pylist():
                reason_examples = examples.setdefault(row["reason"], [])
                if len(reason_examples) < EXAMPLES:
                    reason_examples.append(_example(row["title"], row["page_id"], row["detail"]))
    return counts, examples


def _example(title: str | None, page: int | None, detail: str | None) -> str:
    name = title if title else f"page {page}" if page is not None else "(no title)"
    return shorten(name, 60) + (f" ({shorten(detail, 80)})" if detail else "")


def _pad_examples(examples: list[str]) -> list[str | None]:
    return [*examples, *[None] * (EXAMPLES - len(examples))]
