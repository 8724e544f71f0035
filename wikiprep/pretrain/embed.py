"""`wikiprep embed`: vectors of tokens, words, spans or entities of texts, or rows of the entity table, to a file."""

from collections.abc import Iterator
from pathlib import Path

from wikiprep.errors import UsageError
from wikiprep.local.lines_in import numbered_lines
from wikiprep.pretrain.open_checkpoint import open_checkpoint
from wikiprep.pretrain.ranks import joined
from wikiprep.pretrain.texts import Line
from wikiprep.pretrain.trained import ENTITIES, SPANS, Trained, Vectors
from wikiprep.pretrain.usable_lines import BATCH, UsableLines, batches
from wikiprep.pretrain.vector_files import Index, vector_writer

_ROWS = 8192  # of the entity table, written at once


def embed_texts(checkpoint: str, source: str, output: str, kind: str, *, strict: bool) -> tuple[int, int]:
    """Vectors of one of `trained.KINDS` of all texts. Returns how many there are, and how many numbers each has.

    Raises WikiprepError where no line can be used, UsageError where no text has what is asked for.
    """
    with joined(timeout_minutes=1) as ranks, vector_writer(Path(output)) as writer:
        trained = open_checkpoint(checkpoint, ranks).trained
        lines = UsableLines(trained, source, strict=strict, mentions=kind in (SPANS, ENTITIES))
        for batch in batches(lines, BATCH):
            for line, vectors in zip(batch, trained.vectors([line.marked for line in batch], kind), strict=True):
                writer.write(_index(line, vectors), vectors.rows)
        lines.close()
        return writer.count, writer.size


def embed_table(checkpoint: str, titles: str | None, output: str) -> tuple[int, int, list[str]]:
    """Rows of the entity table: of the titles in a file, one a line, or all. The third: titles that it does not have.

    Raises UsageError where it has none of them.
    """
    with joined(timeout_minutes=1) as ranks, vector_writer(Path(output)) as writer:
        trained = open_checkpoint(checkpoint, ranks).trained
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


def _index(line: Line, vectors: Vectors) -> Index:
    spans = list(zip(vectors.starts.tolist(), vectors.ends.tolist(), strict=True))
    return Index(
        line=[line.number] * len(spans),
        start=[start for start, _ in spans],
        end=[end for _, end in spans],
        text=[line.marked.text[start:end] for start, end in spans],
    )
