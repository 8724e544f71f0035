"""The Arrow schemas of articles and records.

The one place that says what a column is called and how wide it is. What a schema's metadata holds of its name and
version: `storage/tables.py`.
"""

import pyarrow as pa

from wikiprep.config import RelationsConfig
from wikiprep.storage.tables import SCHEMA_KEY

RELATIONS_KEY = b"wikiprep.relations"  # of records with relations: "sentence" or "record", what mentions must share
ARTICLES = b"articles/1"
RECORDS = b"records/1"

LINK = pa.struct(
    [
        ("start", pa.int32()),  # code points of the paragraph's text
        ("end", pa.int32()),  # exclusive
        ("target", pa.string()),  # normalised title before redirects
        ("fragment", pa.string()),  # null without one
    ]
)
PARAGRAPH = pa.struct(
    [
        ("section", pa.list_(pa.string())),  # headings, outermost first
        ("kind", pa.string()),  # wikitext.article.ParagraphKind
        ("depth", pa.int8()),
        ("text", pa.string()),
        ("links", pa.list_(LINK)),
    ]
)
RELATION = pa.struct(
    [
        ("head", pa.int16()),  # index into entity_ids
        ("tail", pa.int16()),
        ("property", pa.int32()),  # 31 for P31
        ("rank", pa.int8()),  # 0 normal, 1 preferred
        ("source", pa.int8()),  # the greater of the two mentions' entity_sources
    ]
)
INTERLANGUAGE = pa.struct([("lang", pa.string()), ("title", pa.string())])


def article_schema() -> pa.Schema:
    """One row an article (or a disambiguation page)."""
    return pa.schema(
        [
            ("page_id", pa.int64()),
            ("revision_id", pa.int64()),
            ("timestamp", pa.string()),
            ("title", pa.string()),
            ("qid", pa.string()),
            ("kind", pa.string()),
            ("categories", pa.list_(pa.string())),
            ("interlanguage", pa.list_(INTERLANGUAGE)),
            ("flags", pa.list_(pa.string())),
            ("paragraphs", pa.list_(PARAGRAPH)),
        ],
        metadata={SCHEMA_KEY: ARTICLES},
    )


def record_schema(text: bool = False, relations: RelationsConfig | None = None) -> pa.Schema:
    """One row a record. Positions are tokens of `word_ids`, which holds no special tokens; ends are exclusive.

    `text` adds the record's text and the place of its sentences and mentions in it, in code points; `relations` what
    holds between its mentions, and with `unk_relations` the item of each mention too: 42 for Q42, -1 for none. Which
    pairs were looked up is in the metadata, RELATIONS_KEY.
    """
    fields = [
        ("page_id", pa.int64()),
        ("revision_id", pa.int64()),
        ("title", pa.string()),
        ("qid", pa.string()),
        ("ordinal", pa.int32()),
        ("word_ids", pa.list_(pa.int32())),
        ("entity_ids", pa.list_(pa.int32())),
        ("entity_starts", pa.list_(pa.int16())),
        ("entity_ends", pa.list_(pa.int16())),
        ("entity_sources", pa.list_(pa.int8())),
        ("sentence_starts", pa.list_(pa.int16())),
    ]
    if text:
        fields += [
            ("text", pa.string()),
            ("sentence_char_starts", pa.list_(pa.int32())),
            ("entity_char_starts", pa.list_(pa.int32())),
            ("entity_char_ends", pa.list_(pa.int32())),
        ]
    metadata = {SCHEMA_KEY: RECORDS}
    if relations is not None:
        if relations.unk_relations:
            fields.append(("entity_qids", pa.list_(pa.int64())))
        fields.append(("relations", pa.list_(RELATION)))
        metadata[RELATIONS_KEY] = relations.relations.encode()
    return pa.schema(fields, metadata=metadata)
