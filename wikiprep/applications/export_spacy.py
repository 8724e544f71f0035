"""Writes what spaCy reads of a corpus's names: a knowledge base for its entity linker, or patterns for its ruler."""

import shutil
import tempfile
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
import pyarrow.parquet as pq

from wikiprep.errors import UsageError
from wikiprep.files import Store, whole_file
from wikiprep.progress import Advance, ignore_progress
from wikiprep.runtime.output_folder import must_be_outside
from wikiprep.tables.mentions.export import Row, names_of
from wikiprep.tables.mentions.export_spacy import Named, alias_of, entity_namer, patterns
from wikiprep.tables.mentions.mention_table import MentionTable
from wikiprep.terminal.command_progress import show_progress
from wikiprep.terminal.wording import plural
from wikiprep.verbosity import tell

_TABLE = "tables/mentions.parquet"
KB_FILES = ("contents", "strings.json")  # what InMemoryLookupKB.to_disk writes


@dataclass(frozen=True)
class SpacyOptions:
    """`ids`: "qid", "title" or None (items where there are any). `most` entities a name."""

    ids: str | None = None
    most: int | None = None
    min_link_probability: float = 0.0


@dataclass(frozen=True)
class EntityVectors:
    """Row i of `rows` [entities, numbers] is of the entity of that title."""

    titles: Sequence[str]
    rows: npt.NDArray[np.float32]


def write_patterns(corpus: str, target: str, options: SpacyOptions, label: str, min_prior: float) -> None:
    """JSON lines for `EntityRuler.from_disk`. Raises WikiprepError for a corpus without mention statistics."""
    row_count, namer, kind = _open_table(corpus, target, options)
    counts: Counter[str] = Counter()
    with (
        whole_file(target) as file,
        show_progress(target=target) as progress,
        progress.part("names", row_count, "row") as advance,
    ):
        names = _read_names(corpus, options, advance)
        for pattern in patterns(names, namer, label, min_prior, counts):
            file.write(orjson.dumps(pattern, option=orjson.OPT_APPEND_NEWLINE))
    tell(f"{target}: {plural(counts['names.kept'], 'pattern')}, ids are {kind}s{_format_left_out(counts)}")


def write_kb(corpus: str, target: str, options: SpacyOptions, vectors: EntityVectors | None, length: int) -> None:
    """A folder for `InMemoryLookupKB.from_disk`. Entities without vectors have zeros, `length` of them.

    With `vectors` only their entities are in it. Raises WikiprepError for a corpus without mention statistics,
    UsageError where spaCy is not installed, or `target` is a folder that holds anything else.
    """
    try:
        from spacy.kb import InMemoryLookupKB
        from spacy.vocab import Vocab
    except ModuleNotFoundError as error:
        raise UsageError("spaCy is not installed", 'pip install "wikiprep[tagger]"') from error
    folder = Path(target)
    others = sorted(p.name for p in folder.iterdir() if p.name not in KB_FILES) if folder.is_dir() else []
    if others:
        raise UsageError(f"{target}: holds other files ({others[0]})", "name a new folder")
    row_count, namer, kind = _open_table(corpus, target, options)
    row_of: dict[str, int] | None = None
    if vectors is not None:
        length = vectors.rows.shape[1]
        row_of = {title: row for row, title in enumerate(vectors.titles)}
        namer = _restrict_namer(row_of, namer)
    counts: Counter[str] = Counter()
    parts = ("entities", "names")
    with show_progress(parts) as progress, progress.part(parts[0], row_count, "row") as advance:
        links, titles = _entities(corpus, namer, counts, advance)
    base = InMemoryLookupKB(vocab=Vocab(), entity_vector_length=length)
    zeros = [0.0] * length
    rows = [zeros if row_of is None or vectors is None else vectors.rows[row_of[titles[one]]].tolist() for one in links]
    base.set_entities(list(links), [float(n) for n in links.values()], rows)
    with show_progress(parts) as progress, progress.part(parts[1], row_count, "row") as advance:
        for name_rows in _read_names(corpus, options, advance):
            alias = alias_of(name_rows, namer, counts)
            if alias is not None:
                base.add_alias(alias.name, list(alias.entities), list(alias.priors))
    _write_base(base, folder)
    vector_source = "zeros" if vectors is None else "the model's"
    entities = plural(len(links), "entity").replace("entitys", "entities")
    aliases = plural(counts["names.kept"], "alias").replace("aliass", "aliases")
    tell(f"{target}: {entities} ({kind}s; vectors of {length}: {vector_source}), {aliases}{_format_left_out(counts)}")


def _open_table(corpus: str, target: str, options: SpacyOptions) -> tuple[int, Named, str]:
    """Rows of the mention table, and what entities are called."""
    must_be_outside(target, corpus)
    MentionTable.open(corpus)  # says what is missing
    store = Store(corpus)
    kind, namer = entity_namer(store, options.ids)
    return pq.read_metadata(store.fetch(_TABLE)).num_rows, namer, kind


def _read_names(corpus: str, options: SpacyOptions, advance: Advance) -> Iterator[list[Row]]:
    return names_of(Store(corpus).fetch(_TABLE), options.most, options.min_link_probability, advance)


def _restrict_namer(titles: Container[str], namer: Named) -> Named:
    """`namer` for these titles alone; others have no name."""

    def name(title: str, page_id: int | None) -> str | None:
        return namer(title, page_id) if title in titles else None

    return name


def _entities(
    corpus: str, namer: Named, counts: Counter[str], advance: Advance = ignore_progress
) -> tuple[dict[str, int], dict[str, str]]:
    """Identifier -> links under all names, in order of the table; and the title of each."""
    links: dict[str, int] = {}
    titles: dict[str, str] = {}
    seen: set[str] = set()
    with pq.ParquetFile(Store(corpus).fetch(_TABLE)) as file:
        for batch in file.iter_batches(columns=["target", "page_id", "link_count"]):
            columns = [batch[name].to_pylist() for name in ("target", "page_id", "link_count")]
            for title, page, count in zip(*columns, strict=True):
                entity = namer(title, page)
                if entity is not None:
                    links[entity] = links.get(entity, 0) + count
                    titles.setdefault(entity, title)
                elif title not in seen:
                    seen.add(title)
                    counts["entities.without_id_or_vector"] += 1
            advance(batch.num_rows)
    return links, titles


def _write_base(base: Any, folder: Path) -> None:
    """Write the knowledge base whole or not at all: beside `folder`, then moved."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as scratch:
        scratch_folder = Path(scratch, "kb")
        base.to_disk(scratch_folder)
        folder.mkdir(exist_ok=True)
        for name in KB_FILES:
            (scratch_folder / name).replace(folder / name)
        shutil.copymode(scratch_folder, folder)


def _format_left_out(counts: Counter[str]) -> str:
    left_out = {key: n for key, n in sorted(counts.items()) if n and not key.endswith(".kept")}
    texts = [f"{key.replace('.', ' ').replace('_', ' ')} {n:,}" for key, n in left_out.items()]
    return f"; left out: {', '.join(texts)}" if texts else ""
