"""Vocabularies of several corpora: merges them and says what came of it, and shows the changes between two."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import orjson
import pyarrow.parquet as pq
from rich.table import Table

from wikiprep.counts import in_json
from wikiprep.errors import UsageError
from wikiprep.files import Store, whole_file
from wikiprep.manifest import read_manifest
from wikiprep.progress import Advance
from wikiprep.runtime.output_folder import must_be_outside
from wikiprep.storage.parquet_files import read_parquet
from wikiprep.tables.choose_entities import LOST
from wikiprep.tables.entity_vocab import VOCAB_PARQUET
from wikiprep.tables.merge_vocabularies import (
    ENTITIES,
    MERGED,
    TITLES,
    TITLES_DROPPED,
    TITLES_KEPT,
    MergeOptions,
    WikiVocabulary,
    merge_vocabularies,
    to_vocabulary,
)
from wikiprep.tables.qids import Qids
from wikiprep.tables.vocabulary_changes import Changes, VocabularyRow, changes_between
from wikiprep.terminal.command_progress import show_progress
from wikiprep.terminal.console import Terminal
from wikiprep.terminal.wording import plural
from wikiprep.units.count_equations import must_close
from wikiprep.verbosity import tell
from wikiprep.version import wikiprep_version

REPORT = "merge.json"
_STEPS = ("vocabularies", MERGED)


def show_changes(old: str, new: str, top: int, as_json: bool) -> None:
    """Print the most linked of each kind (`top`, 0: all), or all of them as one JSON object."""
    changes = changes_between(Store(old), Store(new))
    if as_json:
        print(orjson.dumps(changes).decode())
        return
    console = Terminal(markup=False)
    counts = (len(changes.added), len(changes.removed), len(changes.renamed), changes.kept)
    console.print("{:,} entities added, {:,} removed, {:,} renamed, {:,} kept".format(*counts))
    for title, rows in _rows(changes).items():
        if rows:
            top_rows = rows[: top or None]
            table = Table(title=title, title_justify="left")
            table.add_column("entity", overflow="fold")
            table.add_column("page id", justify="right")
            table.add_column("links", justify="right")
            for name, entity in top_rows:
                page = "none" if entity.page_id is None else str(entity.page_id)
                table.add_row(name, page, f"{entity.count:,}")
            console.print(table)
            if len(top_rows) < len(rows):
                console.print(f"… {len(rows) - len(top_rows):,} more (--top 0 shows all)")


def _rows(changes: Changes) -> dict[str, list[tuple[str, VocabularyRow]]]:
    return {
        "Added": [(entity.title, entity) for entity in changes.added],
        "Removed": [(entity.title, entity) for entity in changes.removed],
        "Renamed": [(f"{before.title} -> {after.title}", after) for before, after in changes.renamed],
    }


def merge(corpora: Sequence[str], target: str, options: MergeOptions) -> None:
    """Write the merged vocabulary into the folder `target`, REPORT last.

    Raises WikiprepError for a corpus without a vocabulary or without items, UsageError as `merge_vocabularies` does.
    """
    must_be_outside(target, *corpora)
    folder = Path(target)
    if folder.is_file():
        raise UsageError(f"{target}: is a file", "name a folder as --output")
    with show_progress(_STEPS) as progress:
        with progress.part(_STEPS[0], sum(map(_count_titles, corpora)), "title") as advance:
            sources = sorted((_read_source(corpus, advance) for corpus in corpora), key=lambda it: str(it["language"]))
        wikis = [source.pop("vocabulary") for source in sources]
        counts = merge_vocabularies(wikis, options, folder, progress)
    must_close("merge-vocabularies", counts, (TITLES,))
    for source in sources:
        if outside := source["links_outside"]:
            tell(
                f"  {source['language']}: {outside:,} links lead to entities outside its own vocabulary, "
                "and do not count; "
                "build it with a larger --vocab-size"
            )
    with whole_file(folder / REPORT) as file:
        data = {
            "schema": "vocabulary-merge/1",
            "wikiprep": wikiprep_version(),
            "options": asdict(options),
            "sources": sources,
            "counts": in_json(counts),
            "equations": [TITLES.of(counts).in_json()],
        }
        file.write(orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n")
    dropped = ", ".join(f"{reason} {n:,}" for reason, n in TITLES_DROPPED.within(counts).items() if n)
    summary = f"{counts[ENTITIES]:,} entities with {plural(counts[TITLES_KEPT], 'title')}"
    summary += f" in {plural(len(wikis), 'language')}"
    tell(f"{target}: {summary}" + (f"; left out: {dropped}" if dropped else ""))


def _count_titles(corpus: str) -> int:
    """Rows of its vocabulary; 0 where there is none, which `_read_source` says."""
    store, path = Store(corpus), f"tables/{VOCAB_PARQUET}"
    read_manifest(store)
    return 0 if store.size(path) is None else int(pq.read_metadata(store.fetch(path)).num_rows)


def _read_source(corpus: str, advance: Advance) -> dict[str, Any]:
    """The vocabulary of a corpus, with what the report says of it."""
    store = Store(corpus)
    manifest = read_manifest(store)
    path = f"tables/{VOCAB_PARQUET}"
    if store.size(path) is None:
        raise UsageError(f"{corpus}/{path}: no such table", "give a corpus that has its tables (`wikiprep tables`)")
    language, file = manifest.inputs.language, manifest.files_by_path().get(path)
    return {
        "language": language,
        "dump": [file.name for file in manifest.inputs.files],
        "sha256": None if file is None else file.sha256,
        "links_outside": manifest.counts_of("vocabulary").get(LOST.of("outside"), 0),
        "vocabulary": _read_vocabulary(store, path, language, advance),
    }


def _read_vocabulary(store: Store, path: str, language: str, advance: Advance) -> WikiVocabulary:
    table = read_parquet(store, path)
    columns = [table[name].to_pylist() for name in ("id", "title", "page_id", "count")]
    rows = list(zip(*columns, strict=True))
    if "qid" in table.column_names:
        qids = table["qid"].to_pylist()
    else:
        page_qids = Qids(store)
        qids = [page_qids.of(page) for page in columns[2]]
    if not any(qids):
        raise UsageError(
            f"{store.url}/{path}: none of its entities has a Wikidata item",
            "build the corpus with --wikidata or --page-props",
        )
    vocabulary = to_vocabulary(language, rows, qids)
    advance(len(rows))
    return vocabulary
