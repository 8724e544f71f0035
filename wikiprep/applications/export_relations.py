"""Writes a corpus's records with relations as JSON lines, and says how many there are.

A line is plain data for any other tool: names and characters instead of ids and tokens (`relation_lines`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
import pyarrow as pa

from wikiprep.corpus.record_counts import records_in
from wikiprep.corpus.shards import open_shard
from wikiprep.corpus.spans import DENSIFIED, LINK, SUBJECT
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
from wikiprep.wikidata.statements import NORMAL, PREFERRED

TEXT_COLUMNS = ("text", "sentence_char_starts", "entity_char_starts", "entity_char_ends")
SOURCES = {LINK: "link", DENSIFIED: "densified", SUBJECT: "subject"}
RANKS = {NORMAL: "normal", PREFERRED: "preferred"}
_COLUMNS = (
    *("page_id", "revision_id", "title", "qid", "ordinal", "entity_ids", "entity_sources", "relations"),
    *TEXT_COLUMNS,
)


@dataclass(frozen=True, slots=True)
class Names:
    """What ids stand for in the lines.

    `titles` of entity ids, `items` of them as in `open_entity_items`, `labels` of properties (17: "country"), `url` of
    a page's title.
    """

    titles: Callable[[int], str]
    items: npt.NDArray[np.int64]
    labels: Mapping[int, str | None]
    url: Callable[[str], str | None]


def relation_lines(batch: pa.RecordBatch, names: Names, *, unrelated: bool) -> Iterator[dict[str, Any]]:
    """An object for each record of the batch that has a relation, with `unrelated` for each record.

    The batch has the columns `relations` and TEXT_COLUMNS. Positions are code points of `text`, ends exclusive; a
    relation's `head` and `tail` are places in `entities`. A mention that is [UNK] has the item that `entity_qids` gives
    it, or none.
    """
    own_items = "entity_qids" in batch.schema.names
    columns = [name for name in (*_COLUMNS, "entity_qids") if name in batch.schema.names]
    for row in batch.select(columns).to_pylist():
        if not row["relations"] and not unrelated:
            continue
        items = row["entity_qids"] if own_items else names.items[row["entity_ids"]].tolist()
        places = zip(row["entity_char_starts"], row["entity_char_ends"], strict=True)
        entities = [
            {
                "start": start,
                "end": end,
                "qid": _qid(item),
                "title": names.titles(entity),
                "entity_id": entity,
                "source": SOURCES[source],
            }
            for (start, end), item, entity, source in zip(
                places, items, row["entity_ids"], row["entity_sources"], strict=True
            )
        ]
        yield {
            "page_id": row["page_id"],
            "revision_id": row["revision_id"],
            "title": row["title"],
            "qid": row["qid"],
            "url": names.url(row["title"]),
            "ordinal": row["ordinal"],
            "text": row["text"],
            "sentence_starts": row["sentence_char_starts"],
            "entities": entities,
            "relations": [_relation_object(relation, items, names) for relation in row["relations"]],
        }


def _relation_object(relation: Mapping[str, int], items: list[int], names: Names) -> dict[str, Any]:
    return {
        "head": relation["head"],
        "tail": relation["tail"],
        "head_qid": _qid(items[relation["head"]]),
        "property": f"P{relation['property']}",
        "tail_qid": _qid(items[relation["tail"]]),
        "label": names.labels.get(relation["property"]),
        "rank": RANKS[relation["rank"]],
        "source": SOURCES[relation["source"]],
    }


def _qid(item: int) -> str | None:
    return f"Q{item}" if item >= 0 else None


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
