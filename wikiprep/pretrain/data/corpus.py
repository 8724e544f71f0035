"""A corpus as training sees it: numbered records in shards, and which of their pages are set apart.

Opening it reads the manifest, of each shard the batch headers, page ids and list offsets (some 20 bytes a record), and
nothing else; nothing is written, so the folder may be read-only and shared. Checksums are looked at row by row when
a row is read (`reader.py`).
"""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.corpus.schema import RELATION, RELATIONS_KEY, record_schema
from wikiprep.corpus.shards import open_shard
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import read_manifest
from wikiprep.pretrain.data.held_out import Split, is_held_out
from wikiprep.pretrain.data.held_out_pairs import PAGE, PAIR, HeldOutFacts, Part, facts_of, part_of

TOKENIZER, ENTITIES = "tokenizer/tokenizer.json", "tokenizer/entity_vocab.json"


@dataclass(frozen=True)
class Shard:
    """A file of records: its name in the corpus, where it lies, and how many rows each of its batches has."""

    name: str
    path: Path
    batches: tuple[int, ...]


@dataclass(frozen=True)
class TrainingCorpus:
    """The records of a corpus, numbered in the order of its shards. `digests`: sha256 of its files by name.

    `entity_ids` is the same for two corpora whose entity ids mean the same things. `relations`: which mentions were
    looked up (see `open_corpora`), where relations were asked for. `of_sentences`: whether it was made for relations, a
    sentence a record (`--preset spot`). `facts`: where pairs of entities are set apart, not pages.
    """

    url: str
    shards: tuple[Shard, ...]
    split: Split
    longest: int  # the number of a record with the most tokens
    digests: Mapping[str, str]
    entity_ids: str
    relations: str = ""
    of_sentences: bool = False
    facts: HeldOutFacts | None = None


def open_corpora(
    urls: Sequence[str], held_out: float, relations: str = "", by: str = PAGE
) -> tuple[TrainingCorpus, ...]:
    """All corpora of a run. Raises WikiprepError where one cannot be trained on, or they do not go together.

    `relations`: "sentence" or "record" for records with the relations of mentions that share one; "" for none.
    `by`: what is set apart, one of `held_out_pairs.HELD_OUT_BY`.
    """
    for number, url in enumerate(urls):
        if Store(url).url in {Store(other).url for other in urls[:number]}:
            raise UsageError(f"{url}: given twice", "its records would come twice as often: give each --corpus once")
    corpora = tuple(open_corpus(url, held_out, relations, by) for url in urls)
    first = corpora[0]
    for corpus in corpora[1:]:
        if corpus.digests.get(TOKENIZER) != first.digests.get(TOKENIZER):
            raise WikiprepError(
                f"{corpus.url}/{TOKENIZER}: not that of {first.url}", "build the corpora with one --tokenizer"
            )
        if corpus.entity_ids != first.entity_ids:
            raise WikiprepError(
                f"{corpus.url}: its entity ids mean other things than those of {first.url}",
                "build the corpora with one --entity-vocab (`wikiprep merge-vocabularies` makes one)",
            )
    if not sum(corpus.split.training for corpus in corpora):
        raise WikiprepError(
            f"{', '.join(urls)}: no record to train on (all {sum(c.split.size for c in corpora)} are held out)",
            "give a lower held_out in [data], or a larger corpus",
        )
    return corpora


def open_corpus(url: str, held_out: float, relations: str = "", by: str = PAGE) -> TrainingCorpus:
    """One corpus; `held_out` is the share of its pages (or pairs) that is set apart; see `open_corpora`.

    Raises WikiprepError where it is missing, not finished, empty, cut short, or of another version.
    """
    store = Store(url)
    manifest = read_manifest(store)
    files = {entry["path"]: entry for entry in manifest["files"]}
    names = sorted(name for name in files if name.startswith("records/"))
    if not names:
        raise WikiprepError(f"{url}: no records in it", "run `wikiprep records` (or build-corpus) to its end")
    share = held_out if by == PAIR else None
    shards, pages, lengths, parts = [], [], [], list[Part]()
    for name in names:
        path = store.fetch(name)
        _check_size(store, name, path, files[name]["size"])
        batches = list(_scan(path, f"{url}/{name}", relations, share))
        shards.append(Shard(name, path, tuple(len(ids) for ids, _, _ in batches)))
        pages += [ids for ids, _, _ in batches]
        lengths += [tokens for _, tokens, _ in batches]
        parts += [part for _, _, part in batches if part is not None]
    if not sum(map(len, pages)):
        raise WikiprepError(f"{url}: 0 records", "see `wikiprep verify` and README.md there: what was dropped, and why")
    page_ids = np.concatenate(pages)
    if share is None:
        held, facts = np.flatnonzero(is_held_out(page_ids, held_out)), None
    else:
        held, facts = facts_of(parts, share)
    split = Split(len(page_ids), held)
    longest = int(np.argmax(np.concatenate(lengths)))
    digests = {name: entry["sha256"] for name, entry in files.items()}
    of_sentences = _of_sentences(manifest)
    return TrainingCorpus(
        url, tuple(shards), split, longest, digests, _entity_ids(manifest, digests), relations, of_sentences, facts
    )


def _of_sentences(manifest: Mapping[str, Any]) -> bool:
    options: Mapping[str, Mapping[str, Any]] = manifest["options"].get("records", {})
    sentences = options.get("records", {}).get("sentence_records")
    return bool(sentences and options.get("relations", {}).get("drop_unrelated"))


def _entity_ids(manifest: Mapping[str, Any], digests: Mapping[str, str]) -> str:
    """The vocabulary that was given, of which each language has its own titles; else the one that was made."""
    given = manifest["options"].get("vocabulary", {}).get("entity_vocab")
    return f"given {given['size']} {given['edges_sha256']}" if given else digests.get(ENTITIES, "")


def _check_size(store: Store, name: str, path: Path, expected: int) -> None:
    size = path.stat().st_size if path.is_file() else None
    if size == expected:
        return
    found = "no such file" if size is None else f"{size:,} bytes, the manifest says {expected:,}"
    raise WikiprepError(f"{store.url}/{name}: {found}", "the corpus is damaged: copy it again, or build it anew")


def _scan(path: Path, where: str, relations: str, share: float | None) -> Any:
    """Of each batch the page ids (a hash of the title where there is none) and the number of tokens of each row, and
    with the `share` of pairs to be set apart what that means there."""
    reader = open_shard(path)
    for field in record_schema():
        if reader.schema.get_field_index(field.name) < 0 or reader.schema.field(field.name).type != field.type:
            raise WikiprepError(
                f"{where}: its schema lacks the column {field.name} ({field.type})",
                "the corpus is damaged: copy it again, or build it anew",
            )
    if relations or share is not None:
        _check_relations(reader.schema, where, relations)
    for number in range(reader.num_record_batches):
        try:
            batch = reader.get_batch(number)
            part = None if share is None else part_of(batch, share)
            yield _page_ids(batch), np.diff(batch.column("word_ids").offsets.to_numpy()), part
        except (pa.ArrowException, OSError, ValueError, IndexError) as error:
            raise WikiprepError(
                f"{where}: batch {number}: cannot be read ({error})",
                "the corpus is damaged: copy it again, or build it anew",
            ) from error


def _check_relations(schema: pa.Schema, where: str, wanted: str) -> None:
    """Raises WikiprepError where relations are missing, or of other pairs of mentions than `wanted` ("": any)."""
    place = schema.get_field_index("relations")
    found = (schema.metadata or {}).get(RELATIONS_KEY, b"").decode()
    if place < 0 or schema.field(place).type != pa.list_(RELATION):
        asked = "the model learns them" if wanted else 'data.held_out_by = "pair" asks for them'
        raise WikiprepError(
            f"{where}: records without relations, and {asked}",
            "build the corpus with --wikidata and --preset spot (wikiprep docs relations)",
        )
    if wanted and found != wanted:
        raise WikiprepError(
            f"{where}: its relations are of mentions that share a {found or 'place that it does not name'}, and the "
            f"model learns those of a {wanted}",
            f"build the corpus with --relations {wanted}",
        )


def _page_ids(batch: pa.RecordBatch) -> npt.NDArray[np.int64]:
    column = batch.column("page_id")
    if not column.null_count:
        ids: npt.NDArray[np.int64] = column.to_numpy()
        return ids
    titles = [-1 - zlib.crc32(title.encode()) for title in batch.column("title").to_pylist()]
    filled: npt.NDArray[np.int64] = pc.coalesce(column, pa.array(titles, pa.int64())).to_numpy()
    return filled
