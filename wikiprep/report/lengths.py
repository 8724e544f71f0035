"""How long articles and records are, and how many mentions they have."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.corpus.record_counts import RECORDS_WRITTEN
from wikiprep.corpus.shards import open_shard
from wikiprep.report.blocks import Cell, Figure, Section, Table, figure_title, percent
from wikiprep.report.charts import Axis, ChartLine, draw_lines
from wikiprep.report.corpus import ReportCorpus
from wikiprep.report.sampling import SampledArticles, choose
from wikiprep.report.themed_svg import inline
from wikiprep.stages.extract_counts import count_articles

Ints = npt.NDArray[np.int64]
_BINS = 30
_MEASURES = ("number", "mean", "median", "90 % are below", "greatest")


def lengths(corpora: Sequence[ReportCorpus], articles: Mapping[str, SampledArticles], seed: int) -> Section:
    """Articles by the sample that was read before, records by one of their own."""
    section = Section(
        "lengths", "Lengths", "Characters and links of an article, tokens and mentions of a record, as shares."
    )
    records = {}
    for corpus in corpora:
        if corpus.name not in articles:
            section.notes.append(corpus.lacks("articles", "it was made of other files"))
        if corpus.parts("records"):
            records[corpus.name], note = _records(corpus, seed)
            section.notes += note
        else:
            section.notes.append(corpus.lacks("records", "`wikiprep records` makes them"))
    for key, title, x, values_by_corpus in (
        ("characters", "Characters of an article", Axis("characters", "log"), _field_by_corpus(articles, "characters")),
        ("links", "Links of an article", Axis("links", "log"), _field_by_corpus(articles, "links")),
        ("tokens", "Tokens of a record", Axis("tokens"), {name: one[0] for name, one in records.items()}),
        ("mentions", "Mentions of a record", Axis("mentions"), {name: one[1] for name, one in records.items()}),
    ):
        nonempty_values = {name: values for name, values in values_by_corpus.items() if len(values)}
        if nonempty_values:
            section.figures.append(_figure(key, figure_title(title, nonempty_values, corpora), x, nonempty_values))
    return section


def sample_notes(corpora: Sequence[ReportCorpus], articles: Mapping[str, SampledArticles]) -> list[str]:
    """A line for each corpus of which a part was read."""
    notes = []
    for corpus in corpora:
        corpus_articles = articles.get(corpus.name)
        if corpus_articles is not None and not corpus_articles.sample.whole:
            total = count_articles(corpus.counts("extract"))
            of_total = f" of {total:,}" if total else ""
            notes.append(f"{corpus.name}: of a sample, {len(corpus_articles.characters):,}{of_total} articles.")
    return notes


def _field_by_corpus(articles: Mapping[str, SampledArticles], field: str) -> dict[str, Ints]:
    return {name: getattr(one, field) for name, one in articles.items()}


def _records(corpus: ReportCorpus, seed: int) -> tuple[tuple[Ints, Ints], list[str]]:
    """Tokens and mentions of each sampled record; shards are mapped, of a column the offsets alone are read."""

    def batches(path: str) -> int:
        return int(open_shard(corpus.local(path)).num_record_batches)

    sample = choose(corpus.parts("records"), batches, seed, "records")
    tokens, mentions = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for piece in sample.pieces:
        with corpus.whole(piece.path):
            batch = open_shard(corpus.local(piece.path)).get_batch(piece.number)
        tokens.append(_sizes(batch["word_ids"]))
        mentions.append(_sizes(batch["entity_ids"]))
    sizes = np.concatenate(tokens), np.concatenate(mentions)
    total = corpus.counts("records").get(RECORDS_WRITTEN, 0)
    note = [] if sample.whole else [f"{corpus.name}: of a sample, {len(sizes[0]):,} of {total:,} records."]
    return sizes, note


def _sizes(column: pa.Array) -> Ints:
    sizes: Ints = pc.list_value_length(column).to_numpy(zero_copy_only=False).astype(np.int64)
    return sizes


def _figure(key: str, title: str, x: Axis, values_by_corpus: Mapping[str, Ints]) -> Figure:
    edges = _edges(np.concatenate(list(values_by_corpus.values())), x.kind == "log")
    lines, shares = [], {}
    for name, values in values_by_corpus.items():
        counts = np.histogram(np.maximum(values, edges[0]), edges)[0]
        shares[name] = [*(counts / len(values)).tolist(), 0.0]
        lines.append(ChartLine(name, edges.tolist(), shares[name]))
    rows: list[list[Cell]] = [
        [int(start), *(percent(of[i]) for of in shares.values())] for i, start in enumerate(edges[:-1].tolist())
    ]
    measures_by_corpus = {name: _measures(values) for name, values in values_by_corpus.items()}
    rows += [[measure, *(one[measure] for one in measures_by_corpus.values())] for measure in _MEASURES]
    details = "; ".join(
        f"{name}: median {one['median']:,}, mean {one['mean']:,}" for name, one in measures_by_corpus.items()
    )
    svg = draw_lines(lines, x, Axis("share", "percent"), steps=True)
    summary = f"{title}. {details}"
    table = Table(title, [f"{x.label} from", *(f"{name}, %" for name in values_by_corpus)], rows)
    return Figure(title, summary, inline(svg, f"lengths-{key}", summary), table)


def _edges(values: Ints, logarithmic: bool) -> Ints:
    """Whole numbers that bins start at, and the end of the last one; 0 stands with the first where it is no log."""
    least, most = max(1, int(values.min())) if logarithmic else 0, int(values.max()) + 1
    spaced: Callable[..., npt.NDArray[np.float64]] = np.geomspace if logarithmic else np.linspace
    edges: Ints = np.unique(spaced(least, max(most, least + 1), _BINS + 1).round().astype(np.int64))
    return edges


def _measures(values: Ints) -> dict[str, Cell]:
    numbers = (
        len(values),
        round(float(values.mean()), 1),
        float(np.median(values)),
        float(np.quantile(values, 0.9)),
        int(values.max()),
    )
    return dict(zip(_MEASURES, numbers, strict=True))
