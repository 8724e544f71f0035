"""`wikiprep embed`: vectors of tokens, words, spans or entities of texts, or rows of the entity table, to a file."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from wikiprep.errors import UsageError
from wikiprep.local.lines_in import numbered_lines
from wikiprep.pretrain.open_checkpoint import open_model
from wikiprep.pretrain.ranks import joined
from wikiprep.pretrain.texts import Line
from wikiprep.pretrain.trained import ENTITIES, SPANS, Trained, Vectors
from wikiprep.pretrain.usable_lines import BATCH, UsableLines, batches
from wikiprep.pretrain.vector_files import Index, vector_writer

_ROWS = 8192  # of the entity table, written at once


@dataclass(frozen=True)
class Embedded:
    """Vectors that were written, numbers in each, and the links of the texts by what was found (`linked.ways`)."""

    count: int
    size: int
    links: Counter[str]


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
) -> Embedded:
    """Vectors of one of `trained.KINDS` of all texts; for `model` and `language` see `open_model`.

    `unknown`: one of `linked.UNKNOWN`, for links to what the model does not know; `titles_from`: whose titles links
    have, as --titles-from takes it.
    Raises WikiprepError where no line can be used, UsageError where no text has what is asked for.
    """
    with joined(timeout_minutes=1) as ranks, vector_writer(Path(output)) as writer:
        trained = open_model(model, ranks, language).trained
        mentions = kind in (SPANS, ENTITIES)
        lines = UsableLines(trained, source, strict=strict, mentions=mentions, unknown=unknown, titles_from=titles_from)
        for batch in batches(lines, BATCH):
            for line, vectors in zip(batch, trained.vectors([line.marked for line in batch], kind), strict=True):
                writer.write(_index(line, vectors, kind), vectors.rows)
        lines.close()
        return Embedded(writer.count, writer.size, lines.links)


def embed_table(model: str, titles: str | None, output: str, language: str | None = None) -> tuple[int, int, list[str]]:
    """Rows of the entity table: of the titles in a file, one a line, or all. The third: titles that it does not have.

    Raises UsageError where it has none of them.
    """
    with joined(timeout_minutes=1) as ranks, vector_writer(Path(output)) as writer:
        trained = open_model(model, ranks, language).trained
        unknown: list[str] = []
        for part in _parts(trained, titles):
            found, missing, rows = trained.entity_rows(part)
            unknown += missing
            if found:
                writer.write(Index(title=found), rows.numpy())
        if not writer.count:
            raise UsageError(
                f"{titles}: none of its {len(unknown):,} titles is an entity of the model ({', '.join(unknown[:3])})",
                "titles are those of tables/entity_vocab.parquet, one a line",
            )
        return writer.count, writer.size, unknown


def _parts(trained: Trained, titles: str | None) -> Iterator[list[str] | None]:
    if titles is None:
        found, _, _ = trained.entity_rows(None)
        yield from batches(found, _ROWS)
        return
    for part in batches(numbered_lines(titles), _ROWS):
        yield [line.decode("utf-8", "replace").strip() for _, line in part]


def _index(line: Line, vectors: Vectors, kind: str) -> Index:
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
