"""Writes a corpus's records with relations as JSON lines, and says how many there are."""

import orjson

from wikiprep.corpus.record_counts import records_in
from wikiprep.corpus.relation_lines import TEXT_COLUMNS, Names, relation_lines
from wikiprep.corpus.shards import open_shard
from wikiprep.dump.site import PageUrls
from wikiprep.errors import UsageError
from wikiprep.files import Store, whole_file
from wikiprep.manifest import Manifest, read_manifest
from wikiprep.runtime.output_folder import must_be_outside, must_be_there
from wikiprep.storage.parquet_files import read_parquet
from wikiprep.tables.entity_vocab import VOCAB_ARRAYS, VOCAB_TRIE, EntityVocab, open_entity_items
from wikiprep.tables.relation_vocab import RELATION_VOCAB
from wikiprep.terminal.command_progress import show_progress
from wikiprep.terminal.wording import plural
from wikiprep.verbosity import tell


def export_relations(corpus: str, target: str, *, unrelated: bool = False) -> None:
    """Write the file `target`; the records in the order of the corpus, with `unrelated` those without a relation too.

    Raises WikiprepError for a corpus without relations, or without the text that their characters are of.
    """
    must_be_there(corpus)
    must_be_outside(target, corpus)
    store = Store(corpus)
    shards = [path for path in store.list("records") if path.endswith(".arrow")]
    if not shards:
        raise UsageError(f"{corpus}: no records in it", "build it to its end")
    _check(store, shards[0])
    manifest = read_manifest(store)
    names = _names(store, manifest)
    records = relations = read_records = 0
    with (
        whole_file(target) as file,
        show_progress(target=target) as progress,
        progress.part("records", records_in(manifest), "record") as advance,
    ):
        for path in shards:
            reader = open_shard(store.fetch(path))
            for number in range(reader.num_record_batches):
                batch = reader.get_batch(number)
                read_records += batch.num_rows
                for line in relation_lines(batch, names, unrelated=unrelated):
                    records += 1
                    relations += len(line["relations"])
                    file.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
                advance(batch.num_rows)
    remark = f"; {read_records - records:,} records have no relation" if read_records > records else ""
    tell(f"{target}: {plural(records, 'record')}, {plural(relations, 'relation')}{remark}")


def _check(store: Store, shard: str) -> None:
    names = open_shard(store.fetch(shard)).schema.names
    if "relations" not in names:
        raise UsageError(
            f"{store.url}: its records have no relations",
            "build it with --wikidata (and not --relations none); --update redoes only what that touches",
        )
    if missing := [name for name in TEXT_COLUMNS if name not in names]:
        raise UsageError(
            f"{store.url}: its records have no text, so mentions have no characters ({missing[0]} is not there)",
            "give the build's command again with --text --update: it redoes the records alone",
        )


def _names(store: Store, manifest: Manifest) -> Names:
    folder, _ = [store.fetch(f"tables/{name}").parent for name in (VOCAB_ARRAYS, VOCAB_TRIE)]
    table = read_parquet(store, f"tables/{RELATION_VOCAB}", ["property", "label"])
    labels = dict(zip(table["property"].to_pylist(), table["label"].to_pylist(), strict=True))
    urls = PageUrls(manifest.inputs.of_site("base"))
    return Names(EntityVocab.open(folder).title, open_entity_items(folder), labels, urls.of)
