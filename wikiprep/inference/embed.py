"""`wikiprep embed`: vectors of texts (tokens, words, mentions, pairs of these) or of the entity table, to a file."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from wikiprep.errors import UsageError
from wikiprep.inference.asked_pairs import AskedPairs, asked_pairs
from wikiprep.inference.texts import TextLine
from wikiprep.inference.usable_lines import BATCH, UsableLines, batches
from wikiprep.inference.vector_files import Index, vector_writer
from wikiprep.pretrain.frozen import PairVectors
from wikiprep.pretrain.open_checkpoint import open_model
from wikiprep.pretrain.ranks import join_ranks
from wikiprep.pretrain.trained import ENTITIES, PAIRS, SPANS, Floats, Trained, Vectors
from wikiprep.terminal.streams import numbered_lines

_ROWS = 8192  # of the entity table, written at once


@dataclass(frozen=True)
class EmbeddingSummary:
    """Vectors that were written, numbers in each, and the links of the texts by what was found (`linked.ways`).

    `cut`: mentions with more tokens than the model's span encoder looks at.
    """

    count: int
    size: int
    links: Counter[str]
    cut: int = 0


def embed_texts(
    model: str,
    source: str,
    output: str,
    kind: str,
    *,
    strict: bool,
    unknown: str,
    language: str | None = None,
    titles_from: str | None = None,
) -> EmbeddingSummary:
    """Vectors of one of `trained.KINDS` of all texts, or of PAIRS; for `model` and `language` see `open_model`.

    `unknown`: one of `linked.UNKNOWN`, for links to what the model does not know; `titles_from`: whose titles links
    have, as --titles-from takes it.
    Raises WikiprepError where no line can be used, UsageError where no text has what is asked for.
    """
    with join_ranks(timeout_minutes=1) as ranks, vector_writer(Path(output)) as writer:
        trained = open_model(model, ranks, language).trained
        if kind == PAIRS and not isinstance(trained, PairVectors):
            raise UsageError(f"{model}: has no vectors of pairs", "a run of SPOT has them: pretrain --config spot-base")
        mentions = kind in (SPANS, ENTITIES, PAIRS)
        extra_check = asked_pairs if kind == PAIRS else None
        lines = UsableLines(
            trained,
            source,
            strict=strict,
            mentions=mentions,
            unknown=unknown,
            titles_from=titles_from,
            also=extra_check,
        )
        cut = 0
        for batch in batches(lines, BATCH):
            texts = [line.marked for line in batch]
            if kind in (SPANS, PAIRS) and isinstance(trained, PairVectors):
                cut += trained.cut_spans(texts)
            for index, rows in _pair_vectors(trained, batch) if kind == PAIRS else _text_vectors(trained, batch, kind):
                writer.write(index, rows)
        lines.close()
        return EmbeddingSummary(writer.count, writer.size, lines.links, cut)


def _text_vectors(trained: Trained, batch: Sequence[TextLine], kind: str) -> Iterator[tuple[Index, Floats]]:
    for line, vectors in zip(batch, trained.vectors([line.marked for line in batch], kind), strict=True):
        yield _index(line, vectors, kind), vectors.rows


def _pair_vectors(trained: Trained, batch: Sequence[TextLine]) -> Iterator[tuple[Index, Floats]]:
    assert isinstance(trained, PairVectors)
    line_pairs = [asked_pairs(line) for line in batch]
    pair_rows = trained.vectors_of_pairs([line.marked for line in batch], [pairs.places for pairs in line_pairs])
    for line, pairs, rows in zip(batch, line_pairs, pair_rows, strict=True):
        yield _index_of_pairs(line, pairs), rows


def embed_table(model: str, titles: str | None, output: str, language: str | None = None) -> tuple[int, int, list[str]]:
    """Rows of the entity table: of the titles in a file, one a line, or all. The third: titles that it does not have.

    Raises UsageError where it has none of them.
    """
    with join_ranks(timeout_minutes=1) as ranks, vector_writer(Path(output)) as writer:
        trained = open_model(model, ranks, language).trained
        unknown: list[str] = []
        for part in _parts(trained, titles):
            part_titles, missing, rows = trained.entity_rows(part)
            unknown += missing
            if part_titles:
                writer.write(Index(title=part_titles), rows.numpy())
        if not writer.count:
            raise UsageError(
                f"{titles}: none of its {len(unknown):,} titles is an entity of the model ({', '.join(unknown[:3])})",
                "titles are those of tables/entity_vocab.parquet, one a line",
            )
        return writer.count, writer.size, unknown


def read_table(model: str) -> tuple[list[str], Floats]:
    """Titles and rows [entities, H] of the whole entity table. Raises UsageError for a model without one."""
    with join_ranks(timeout_minutes=1) as ranks:
        titles, _, rows = open_model(model, ranks).trained.entity_rows(None)
        return titles, rows.numpy()


def _parts(trained: Trained, titles: str | None) -> Iterator[list[str] | None]:
    if titles is None:
        all_titles, _, _ = trained.entity_rows(None)
        yield from batches(all_titles, _ROWS)
        return
    for part in batches(numbered_lines(titles), _ROWS):
        yield [line.decode("utf-8", "replace").strip() for _, line in part]


def _index(line: TextLine, vectors: Vectors, kind: str) -> Index:
    spans = list(zip(vectors.starts.tolist(), vectors.ends.tolist(), strict=True))
    seen = line.seen if kind in (SPANS, ENTITIES) else ()
    return Index(
        line=[line.number] * len(spans),
        start=[start for start, _ in spans],
        end=[end for _, end in spans],
        text=[line.marked.text[start:end] for start, end in spans],
        target=[one.target for one in seen],
        entity=[one.entity for one in seen],
        found=[one.way for one in seen],
    )


def _index_of_pairs(line: TextLine, pairs: AskedPairs) -> Index:
    heads, tails = ([line.marked.spans[pair[side]] for pair in pairs.places] for side in (0, 1))
    return Index(
        line=[line.number] * len(heads),
        head=[head for head, _ in pairs.numbers],
        tail=[tail for _, tail in pairs.numbers],
        head_start=[start for start, _ in heads],
        head_end=[end for _, end in heads],
        head_text=[line.marked.text[start:end] for start, end in heads],
        tail_start=[start for start, _ in tails],
        tail_end=[end for _, end in tails],
        tail_text=[line.marked.text[start:end] for start, end in tails],
    )
