"""What the files of Wikidata's tables are made of: the runs that a unit leaves, and the tables that come of them."""

import pyarrow as pa

SCHEMA_KEY = b"wikiprep.schema"
ITEMS_SCHEMA, PROPERTIES_SCHEMA, TRIPLES_SCHEMA = b"wikidata-items/1", b"wikidata-properties/1", b"wikidata-triples/1"

_TEXTS = [
    ("label", pa.string()),
    ("label_language", pa.string()),
    ("description", pa.string()),
    ("description_language", pa.string()),
]
_ITEM = [
    ("qid", pa.int64()),
    ("titles", pa.list_(pa.struct([("wiki", pa.string()), ("title", pa.string())]))),
    *_TEXTS,
    ("instance_of", pa.list_(pa.int64())),
    ("disambiguation", pa.bool_()),
    ("list", pa.bool_()),
]
_PROPERTY = [
    ("pid", pa.int32()),
    *_TEXTS,
    ("datatype", pa.string()),
    ("inverses", pa.list_(pa.int32())),
    ("subject_types", pa.list_(pa.int64())),
]
_PLACE = [("line", pa.int64()), ("offset", pa.int64())]  # within the range, as in wikidata.lines


def item_run_schema() -> pa.Schema:
    """Items of a run, by qid."""
    return pa.schema([*_ITEM, *_PLACE])


def item_schema() -> pa.Schema:
    """tables/wikidata_items.parquet: every item with a page in a chosen wiki, by qid (42 for Q42)."""
    return pa.schema(_ITEM, metadata={SCHEMA_KEY: ITEMS_SCHEMA})


def property_run_schema() -> pa.Schema:
    """Properties of a run, by pid."""
    return pa.schema([*_PROPERTY, *_PLACE])


def property_schema() -> pa.Schema:
    """tables/wikidata_properties.parquet: every property, by pid (31 for P31), with the triples that have it."""
    return pa.schema([*_PROPERTY, ("triples", pa.int64())], metadata={SCHEMA_KEY: PROPERTIES_SCHEMA})


def triple_run_schema() -> pa.Schema:
    """Triples of a run, by `pair` (head in the upper 32 bits, tail in the lower) and property."""
    return pa.schema([("pair", pa.uint64()), ("property", pa.int32()), ("rank", pa.int8())])


def triple_schema() -> pa.Schema:
    """tables/wikidata_triples.parquet: truthy statements between the items of the items table, by head, tail, property.

    `rank`: 0 normal, 1 preferred.
    """
    return pa.schema(
        [("head", pa.int64()), ("property", pa.int32()), ("tail", pa.int64()), ("rank", pa.int8())],
        metadata={SCHEMA_KEY: TRIPLES_SCHEMA},
    )


def seen_run_schema() -> pa.Schema:
    """Numbers of all items of a run, with a page or without."""
    return pa.schema([("qid", pa.uint32())])


def redirect_run_schema() -> pa.Schema:
    """Items of a run that were merged into others, in the order of the lines."""
    return pa.schema([("old", pa.int64()), ("new", pa.int64())])


def reject_run_schema() -> pa.Schema:
    """Lines and entities of a run that could not be used."""
    return pa.schema([*_PLACE, ("id", pa.string()), ("reason", pa.string()), ("detail", pa.string())])
