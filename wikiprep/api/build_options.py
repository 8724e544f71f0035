"""The options of `wikiprep.build`: those of build-corpus, with underscores, and what each of them may be.

Made by docs/make_build_options.py: do not edit it by hand. What an option does is said in `config.py`.
"""

import os
from collections.abc import Sequence
from typing import Literal, TypedDict

Path = str | os.PathLike[str]


class TextOptions(TypedDict, total=False):
    """Those of the text of articles, which `wikiprep.extract` takes too."""

    captions: bool | None
    math: Literal["text", "tex", "drop"] | None
    link_numbers: Literal["keep", "drop"] | None
    superscripts: Literal["plain", "unicode"] | None
    variant: str | None
    templates: Literal["expand", "render", "drop"] | None


class BuildOptions(TextOptions, total=False):
    """By keyword, as on the command line: `vocab_size=50_000`, `mentions=True`. None is the same as not given."""

    sample: bool
    config: Path | None
    preset: Literal["luke", "spot"] | None
    workers: int | None
    page_timeout: float | None
    page_memory: int | None
    scratch: Path | None
    checksums: bool | None
    retries: int | None
    start_timeout: float | None
    date: str | None
    layout: Literal["any", "content", "classic"] | None
    mirror: str | Sequence[str] | None
    contact: str | None
    cache: Path | None
    runner: str | None
    update: bool
    overwrite: bool
    language: str | None
    range_mb: float | None
    keep_damaged: bool | None
    allow_missing_parts: bool | None
    page_props: Path | None
    allow_other_dates: bool | None
    wikidata: Path | None
    wikidata_redirect: Path | None
    wikidata_page: Path | None
    wikidata_outside: bool | None
    max_page_mb: float | None
    template_table: Path | None
    leave_out: Path | Sequence[Path] | None
    vocab_size: int | None
    vocab_targets: Literal["existing", "linked"] | None
    min_count: int | None
    white_list: Path | None
    keep_disambiguation: bool | None
    entity_vocab: Path | None
    mentions: bool | None
    tokenizer: Path | None
    train_mb: float | None
    max_seq_length: int | None
    max_entity_length: int | None
    max_mention_length: int | None
    min_sentence_length: int | None
    abstract_only: bool | None
    include_sentences_without_entities: bool | None
    include_unk_entities: bool | None
    lists: bool | None
    densify: bool | None
    text: bool | None
    sentence_records: bool | None
    compat: Literal["luke-2020"] | None
    relations: Literal["sentence", "record", "none"] | None
    subject_relations: bool | None
    unk_relations: bool | None
    drop_unrelated: bool | None
