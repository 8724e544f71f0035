"""Writes a corpus as a folder for the Hugging Face hub: Parquet by configuration, a card, and Croissant.

The records of a corpus are Arrow files, which can be mapped; the hub, its viewer and Croissant read Parquet.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.applications.croissant import Configuration, DataFile, croissant
from wikiprep.corpus.shards import open_shard
from wikiprep.dump.file_names import dump_date
from wikiprep.errors import UsageError
from wikiprep.files import Store, sha256_of, whole_file, whole_path
from wikiprep.manifest import Manifest, read_manifest
from wikiprep.progress import Advance
from wikiprep.runtime.column_meanings import ARTICLES, ENTITIES, MENTIONS, RECORDS, REDIRECTS
from wikiprep.runtime.dataset_card import LICENCE_LINK, card, example_row, front_of, is_known
from wikiprep.runtime.output_folder import must_be_outside
from wikiprep.terminal.command_progress import show_progress
from wikiprep.terminal.wording import plural, size
from wikiprep.verbosity import detail, tell

CROISSANT = "croissant.json"
# Configuration -> where its files are in a corpus, what its columns are. The first is what load_dataset gives.
_CONFIGS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "articles": ("articles/", ARTICLES),
    "records": ("records/", RECORDS),
    "entities": ("tables/entity_vocab.parquet", ENTITIES),
    "redirects": ("tables/redirects.parquet", REDIRECTS),
    "mentions": ("tables/mentions.parquet", MENTIONS),
}


def export_dataset(corpus: str, target: str, url: str | None = None) -> None:
    """Write the folder `target`; `url`: where the data set will be, for Croissant.

    Raises WikiprepError for a corpus that is not finished, UsageError for a folder that holds anything.
    """
    must_be_outside(target, corpus)
    store, folder = Store(corpus), Path(target)
    manifest = read_manifest(store)
    if folder.is_dir() and any(folder.iterdir()):
        raise UsageError(f"{target}: is not empty", "name a new folder")
    files, parts = manifest.files_by_path(), []
    with show_progress(list(_CONFIGS)) as progress:
        for name, (place, columns) in _CONFIGS.items():
            part_paths = [path for path in manifest.paths(place) if path.endswith((".parquet", ".arrow"))]
            if part_paths:
                with progress.part(name, sum(files[path].size for path in part_paths)) as advance:
                    parts.append(_write_part(store, name, sorted(part_paths), folder, columns, advance))
    for path in manifest.paths("tokenizer/"):
        _copy(store, path, folder / path)
    _copy(store, "manifest.json", folder / "manifest.json")
    _write(folder / "README.md", _card(store, manifest, parts).encode())
    _write(folder / CROISSANT, orjson.dumps(_croissant(manifest, parts, url), option=orjson.OPT_INDENT_2) + b"\n")
    written = sum(len(part.files) for part in parts)
    total_size = size(sum(file.size for part in parts for file in part.files))
    tell(f"{target}: {', '.join(part.name for part in parts)} in {plural(written, 'Parquet file')}, {total_size}")
    tell(f"  to publish it: hf upload NAME/DATASET {target} --repo-type dataset")


def _write_part(
    store: Store, name: str, paths: list[str], folder: Path, columns: Mapping[str, str], advance: Advance
) -> Configuration:
    files, schema = [], pa.schema([])
    for number, path in enumerate(paths):
        relative_path = f"{name}/part-{number:05}-of-{len(paths):05}.parquet"
        detail(f"{path} -> {relative_path}")
        if path.endswith(".arrow"):
            _to_parquet(store.fetch(path), folder / relative_path, advance)
        else:
            _copy(store, path, folder / relative_path)
            advance((folder / relative_path).stat().st_size)
        files.append(
            DataFile(relative_path, (folder / relative_path).stat().st_size, sha256_of(folder / relative_path))
        )
        schema = pq.read_schema(folder / relative_path)
    return Configuration(name, files, schema, columns)


def _to_parquet(source: Path, target: Path, advance: Advance) -> None:
    """Batch by batch: no file is in memory as a whole."""
    reader = open_shard(source)
    with whole_path(target) as path, pq.ParquetWriter(path, reader.schema, compression="zstd") as writer:
        for number in range(reader.num_record_batches):
            batch = reader.get_batch(number)
            writer.write_batch(batch)
            advance(batch.nbytes)


def _copy(store: Store, path: str, target: Path) -> None:
    with whole_path(target) as scratch_path:
        shutil.copyfile(store.fetch(path), scratch_path)


def _write(target: Path, data: bytes) -> None:
    with whole_file(target) as file:
        file.write(data)


def _card(store: Store, manifest: Manifest, parts: list[Configuration]) -> str:
    """The corpus's own card, for these configurations and files."""
    return card(
        manifest,
        example_row(store, manifest.paths()),
        front=front_of(manifest, {part.name: f"{part.name}/*.parquet" for part in parts}),
        reading=_reading_instructions([part.name for part in parts]),
        tables={part.name: {field: part.columns.get(field, field) for field in part.schema.names} for part in parts},
    )


def _reading_instructions(names: list[str]) -> str:
    lines = [f'{name} = load_dataset(".", "{name}", split="train", streaming=True)' for name in names]
    code = "\n".join(["from datasets import load_dataset", *lines])
    return (
        f"In this folder (elsewhere the data set's name stands for the dot):\n```python\n{code}\n```\n"
        "`tokenizer/` is for `AutoTokenizer.from_pretrained`, and has `entity_vocab.json`."
    )


def _croissant(manifest: Manifest, parts: list[Configuration], url: str | None) -> dict[str, Any]:
    inputs, wiki_known = manifest.inputs, is_known(manifest.inputs)
    name = inputs.of_site("dbname") or inputs.files[0].name
    source_name = f"{inputs.of_site('sitename')} in the language {inputs.language}" if wiki_known else name
    return croissant(
        name=f"{name}-entities",
        description=f"The text of {source_name}, with every link as a span, made by wikiprep.",
        licence=LICENCE_LINK if wiki_known else "of its source, which wikiprep does not know",
        version="1.0.0",
        date=dump_date(inputs.files[0].name),
        url=url or inputs.of_site("base") or "https://example.org/",
        parts=parts,
    )
