"""A corpus as training sees it: numbered records in shards, and which of their pages are set apart.

Opening it reads the manifest, of each shard the batch headers, page ids and list offsets (some 20 bytes a record), and
nothing else; nothing is written, so the folder may be read-only and shared. Checksums are looked at row by row when
a row is read (`reader.py`). Shards of a corpus at an address are fetched when they are read (`shard_cache.py`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from wikiprep.corpus.schema import RELATION, RELATIONS_KEY
from wikiprep.corpus.shards import open_shard
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import Manifest, read_manifest
from wikiprep.records.held_out import PAGE, PAIR, HeldOutFacts, Split, facts_of, is_held_out
from wikiprep.records.shard_cache import RemoteShard, ShardCache
from wikiprep.records.shard_index import index_of

TOKENIZER, ENTITIES = "tokenizer/tokenizer.json", "tokenizer/entity_vocab.json"


@dataclass(frozen=True)
class Shard(RemoteShard):
    """A file of records, as the manifest has it, and how many rows each of its batches has."""

    batches: tuple[int, ...]


@dataclass(frozen=True)
class TrainingCorpus:
    """The records of a corpus, numbered in the order of its shards. `digests`: sha256 of its files by name.

    `entity_ids` is the same for two corpora whose entity ids mean the same things. `relations`: which mentions were
    looked up (see `open_corpora`), where relations were asked for. `of_sentences`: whether it was made for relations, a
    sentence a record (`--preset spot`). `facts`: where pairs of entities are set apart, not pages. `cache`: of a corpus
    at an address, through which its shards are read. `language`: of its titles, as the manifest has it.
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
    cache: ShardCache | None = None
    language: str = ""

    def where(self, shard: Shard) -> str:
        """The shard for people, with its file in the cache where there is one."""
        return f"{self.url}/{shard.name}" if self.cache is None else self.cache.where(shard)

    def open(self, shard: Shard) -> Any:
        """The shard mapped into memory (`open_shard`), fetched first where it must be. Raises WikiprepError."""
        return open_shard(Store(self.url).fetch(shard.name)) if self.cache is None else self.cache.open(shard)[0]


def open_corpora(
    urls: Sequence[str],
    held_out: float,
    relations: str = "",
    by: str = PAGE,
    *,
    cache_folder: str = "",
    cache_gb: float = 0.0,
) -> tuple[TrainingCorpus, ...]:
    """All corpora of a run. Raises WikiprepError where one cannot be trained on, or they do not go together.

    `relations`: "sentence" or "record" for records with the relations of mentions that share one; "" for none.
    `by`: what is set apart, one of `held_out.HELD_OUT_BY`. `cache_folder`, `cache_gb`: of corpora at an address,
    see `DataConfig`.
    """
    for number, url in enumerate(urls):
        if Store(url).url in {Store(other).url for other in urls[:number]}:
            raise UsageError(f"{url}: given twice", "its records would come twice as often: give each --corpus once")
    corpora = tuple(open_corpus(url, held_out, relations, by, cache_folder, cache_gb) for url in urls)
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


def open_corpus(
    url: str, held_out: float, relations: str = "", by: str = PAGE, cache_folder: str = "", cache_gb: float = 0.0
) -> TrainingCorpus:
    """One corpus; `held_out` is the share of its pages (or pairs) that is set apart; see `open_corpora`.

    Raises WikiprepError where it is missing, not finished, empty, cut short, or of another version.
    """
    store = Store(url)
    manifest = read_manifest(store)
    files = manifest.files_by_path()
    names = sorted(manifest.paths("records/"))
    if not names:
        raise WikiprepError(f"{url}: no records in it", "run `wikiprep records` (or build-corpus) to its end")
    share = held_out if by == PAIR else None
    remote_shards = [RemoteShard(name, files[name].size, files[name].sha256) for name in names]
    checks = {name: partial(_check_relations, f"{url}/{name}", relations, share is not None) for name in names}
    cache = None
    if store.root is None:
        cache = ShardCache.of(url, cache_folder, cache_gb)
        indexes = cache.indexes(remote_shards, share, checks)
    else:
        for shard in remote_shards:
            _check_size(store, shard.name, store.root / shard.name, shard.size)
        indexes = [index_of(store.root / name, f"{url}/{name}", share, checks[name]) for name in names]
    shards = tuple(
        Shard(one.name, one.size, one.sha256, i.batches) for one, i in zip(remote_shards, indexes, strict=True)
    )
    page_ids = np.concatenate([index.pages for index in indexes])
    if not len(page_ids):
        raise WikiprepError(f"{url}: 0 records", "see `wikiprep verify` and README.md there: what was dropped, and why")
    if share is None:
        held_out_records, facts = np.flatnonzero(is_held_out(page_ids, held_out)), None
    else:
        held_out_records, facts = facts_of([index.part for index in indexes if index.part is not None], share)
    rows = tuple(len(index.pages) for index in indexes)
    longest = max(range(len(rows)), key=lambda number: indexes[number].longest[1])  # of equals the first
    return TrainingCorpus(
        url,
        shards,
        Split(len(page_ids), held_out_records, rows),
        sum(rows[:longest]) + indexes[longest].longest[0],
        {name: file.sha256 for name, file in files.items()},
        _entity_ids(manifest),
        relations,
        _has_sentence_records(manifest),
        facts,
        cache,
        manifest.inputs.language,
    )


def _has_sentence_records(manifest: Manifest) -> bool:
    options = manifest.options_of("records")
    sentences = options.get("records", {}).get("sentence_records")
    return bool(sentences and options.get("relations", {}).get("drop_unrelated"))


def _entity_ids(manifest: Manifest) -> str:
    """The vocabulary that was given, of which each language has its own titles; else the one that was made."""
    if vocabulary := manifest.options_of("vocabulary").get("entity_vocab"):
        return f"given {vocabulary['size']} {vocabulary['edges_sha256']}"
    made = manifest.files_by_path().get(ENTITIES)
    return "" if made is None else made.sha256


def _check_size(store: Store, name: str, path: Path, expected: int) -> None:
    size = path.stat().st_size if path.is_file() else None
    if size == expected:
        return
    actual = "no such file" if size is None else f"{size:,} bytes, the manifest says {expected:,}"
    raise WikiprepError(f"{store.url}/{name}: {actual}", "the corpus is damaged: copy it again, or build it anew")


def _check_relations(where: str, scope: str, by_pair: bool, schema: pa.Schema) -> None:
    """Raises WikiprepError where relations are asked for and missing, or of other pairs than `scope`.

    `scope` says of which pairs of mentions they must be ("": any).
    """
    if not (scope or by_pair):
        return
    place = schema.get_field_index("relations")
    actual = (schema.metadata or {}).get(RELATIONS_KEY, b"").decode()
    if place < 0 or schema.field(place).type != pa.list_(RELATION):
        reason = "the model learns them" if scope else 'data.held_out_by = "pair" asks for them'
        raise WikiprepError(
            f"{where}: records without relations, and {reason}",
            "build the corpus with --wikidata and --preset spot (wikiprep docs relations)",
        )
    if scope and actual != scope:
        raise WikiprepError(
            f"{where}: its relations are of mentions that share a {actual or 'place that it does not name'}, and the "
            f"model learns those of a {scope}",
            f"build the corpus with --relations {scope}",
        )
