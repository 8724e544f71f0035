"""Every option of a build, one frozen dataclass a stage. The comment beside a field is its reference.

Loaded from TOML (`config_toml.py`), overridden by command-line options, saved with the output. All but `RunConfig`
are content options: they decide the bytes of the output, and a change redoes the stages that read them.
"""

from dataclasses import dataclass, field, fields, replace
from typing import Any

from wikiprep.errors import UsageError


@dataclass(frozen=True)
class InputConfig:
    language: str | None = None  # overrides the dump's own language, where that is wrong
    range_mb: float = 32.0  # size of a work unit in MB of the compressed file
    keep_damaged: bool = False  # keep the pages around a damaged range of the dump instead of stopping
    page_props: str | None = None  # page_props.sql[.gz]: a list of disambiguation pages, and QIDs


@dataclass(frozen=True)
class ExtractConfig:
    captions: bool = False  # keep captions of images as paragraphs of their own kind
    max_page_mb: float = 4.0  # wikitext longer than this is a reject ("page too large"); no real page is


@dataclass(frozen=True)
class VocabularyConfig:
    vocab_size: int = 500_000  # entities, [PAD], [UNK] and [MASK] among them; [MASK2] comes on top
    vocab_targets: str = "existing"  # existing: link targets that are articles of the dump; linked: all
    min_count: int = 1  # links an entity needs at least
    white_list: str | None = None  # file of titles, one a line, that enter whatever their count
    keep_disambiguation: bool = False  # disambiguation pages are documents and entities too


@dataclass(frozen=True)
class TokenizerConfig:
    tokenizer: str = ""  # folder, file, hub name, or train:SIZE
    train_mb: float = 200.0  # text that train:SIZE reads at most, in MB


@dataclass(frozen=True)
class RecordsConfig:
    max_seq_length: int = 512  # tokens a record with the two specials; records hold two fewer
    max_entity_length: int = 128  # mentions a record
    max_mention_length: int = 30  # tokens a mention
    min_sentence_length: int = 5  # tokens; shorter sentences are dropped
    abstract_only: bool = False  # only paragraphs before the first heading
    include_sentences_without_entities: bool = False  # keep records without any mention
    include_unk_entities: bool = True  # mentions of entities outside the vocabulary become [UNK]
    lists: bool = True  # list items, terms and definitions too, not prose and quotes alone
    text: bool = False  # add the text and the character offsets of sentences and mentions
    compat: str | None = None  # luke-2020: the reference's rules, step by step


@dataclass(frozen=True)
class Config:
    """The content options of a build."""

    input: InputConfig = field(default_factory=InputConfig)
    extract: ExtractConfig = field(default_factory=ExtractConfig)
    vocabulary: VocabularyConfig = field(default_factory=VocabularyConfig)
    tokenizer: TokenizerConfig = field(default_factory=TokenizerConfig)
    records: RecordsConfig = field(default_factory=RecordsConfig)


# What a preset changes from the defaults above; a compat mode starts from the reference's own defaults.
PRESETS: dict[str, dict[str, dict[str, Any]]] = {
    "luke": {},
}
COMPATS: dict[str, dict[str, dict[str, Any]]] = {
    "luke-2020": {"records": {"include_unk_entities": False, "compat": "luke-2020"}},
}


def apply(config: Config, sections: dict[str, dict[str, Any]]) -> Config:
    """`config` with `sections[section][option]` in place; raises UsageError for a name or a value that cannot be."""
    for name, options in sections.items():
        if name not in {f.name for f in fields(config)}:
            raise UsageError(f"unknown section [{name}]", f"sections are {', '.join(f.name for f in fields(config))}")
        section = getattr(config, name)
        known = {f.name: f.type for f in fields(section)}
        for option in options:
            if option not in known:
                raise UsageError(f"unknown option {option!r} in [{name}]", f"options are {', '.join(known)}")
        config = replace(config, **{name: replace(section, **options)})
    return config
