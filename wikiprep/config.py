"""Every option of a build, one frozen dataclass a stage; an option's text here is its help everywhere.

Loaded from TOML (`config_toml.py`), overridden by command-line options, saved with the output. These are content
options: they decide the bytes of the output, and a change redoes the stages that read them. Others, `RunOptions` and
`ServerOptions` (below), change no byte of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any

from wikiprep.errors import UsageError
from wikiprep.options.option_fields import fill_options, option
from wikiprep.suggestions import names_hint


@dataclass(frozen=True, kw_only=True)
class InputConfig:
    """Table `[input]`: how the dump is read, and what is known of it beside it."""

    language: str | None = option(None, "Language code, where the dump's own is wrong.")
    range_mb: float = option(32.0, "Size of a work unit, in MB of the dump file as it is.", minimum=0.001)
    keep_damaged: bool = option(False, "Keep the pages around a damaged range of the dump instead of stopping.")
    allow_missing_parts: bool = option(
        False, "Go on where SHA256SUMS, or the numbers of the parts, say that files of the dump are absent."
    )
    page_props: str | None = option(
        None, "page_props.sql[.gz] of the same dump: which pages are disambiguations, and QIDs.", path=True
    )
    allow_other_dates: bool = option(
        False, "Take SQL tables of another date than the dump, which pages made or moved in between do not fit."
    )


@dataclass(frozen=True, kw_only=True)
class WikidataConfig:
    """Table `[wikidata]`: where items and their relations come from."""

    wikidata: str | None = option(
        None, "JSON dump of Wikidata (file, folder or glob): QIDs, classes, and relations between entities.", path=True
    )
    wikidata_redirect: str | None = option(
        None, "wikidatawiki's redirect.sql[.gz], with --wikidata-page: items that were merged into others.", path=True
    )
    wikidata_page: str | None = option(None, "wikidatawiki's page.sql[.gz], of the date of the former.", path=True)
    wikidata_outside: bool = option(
        False, "Also keep triples to items without a page in the wiki, in a table of their own, for export-triples."
    )


@dataclass(frozen=True, kw_only=True)
class ExtractConfig:
    """How a page becomes text: the extractors of wikitext and HTML are given this object itself."""

    captions: bool = option(False, "Keep captions of images, as paragraphs of their own kind.")
    math: str = option(
        "text",
        "text: formulas as readable text, a + bi. tex: their TeX source, as a screen reader gets it. drop: no text.",
        choices=("text", "tex", "drop"),
    )
    link_numbers: str = option(
        "keep",
        "keep: an external link without label shows its number, [1], as on the page. drop: it leaves no text.",
        choices=("keep", "drop"),
    )
    superscripts: str = option(
        "plain",
        "plain: 10<sup>6</sup> and H<sub>2</sub>O are 106 and H2O. unicode: 10⁶ and H₂O, where all that is raised or "
        "lowered has such a sign.",
        choices=("plain", "unicode"),
    )
    variant: str | None = option(
        None,
        "Write the text in one variant of the wiki's language, such as zh-hans or sr-el, by MediaWiki's own tables "
        "(wikiprep docs text-rules). By default it is as written.",
    )
    max_page_mb: float = option(
        8.0,
        "A page with more wikitext, in MB, is a reject; MediaWiki itself allows 2. Of HTML, ten times as much.",
        minimum=0,
    )
    templates: str = option(
        "expand",
        "expand: by the dump's own Template pages where they say it, else by the language's tables. render: by the "
        "tables alone, without a pass over the Template pages. drop: none.",
        choices=("expand", "render", "drop"),
    )
    template_table: str | None = option(
        None,
        "Your own table of templates that carry text, before the shipped ones (wikiprep docs templates).",
        path=True,
    )


@dataclass(frozen=True, kw_only=True)
class LeaveOutConfig:
    """Table `[leave_out]`: evaluation sets that must not be in the corpus."""

    leave_out: tuple[str, ...] = option(
        (),
        "List of an evaluation set: pages, sentences and facts that must not be in what is counted or trained on "
        "(wikiprep docs evaluation-sets).",
        path=True,
    )


@dataclass(frozen=True, kw_only=True)
class VocabularyConfig:
    """Table `[vocabulary]`: which entities have an id."""

    vocab_size: int = option(
        500_000, "Entities, [PAD], [UNK] and [MASK] among them; [MASK2] comes on top as the last id.", minimum=4
    )
    vocab_targets: str = option(
        "existing",
        "existing: link targets that are articles of the dump. linked: all of them (for a part of a dump).",
        choices=("existing", "linked"),
    )
    min_count: int = option(1, "Links that an entity needs at least.", minimum=0)
    white_list: str | None = option(None, "File of titles, one a line, that enter whatever their count.", path=True)
    keep_disambiguation: bool = option(False, "Disambiguation pages are documents and entities too.")
    entity_vocab: str | None = option(
        None,
        "A vocabulary with ids of its own, of merge-vocabularies or published elsewhere, instead of the dump's most "
        "linked pages; size, least count and white list have no say then (wikiprep docs multilingual).",
        path=True,
    )


@dataclass(frozen=True, kw_only=True)
class MentionsConfig:
    """Table `[mentions]`: whether names are counted."""

    mentions: bool = option(False, "Count what names mean and how often they are linked: tables/mentions.parquet.")


@dataclass(frozen=True, kw_only=True)
class TokenizerConfig:
    """Table `[tokenizer]`: which one encodes records."""

    tokenizer: str | None = option(
        None,
        "Folder or file (tokenizer.json, vocab.json with merges.txt, or vocab.txt), a hub name, or train:SIZE.",
    )
    train_mb: float = option(100.0, "Text that train:SIZE reads at most, in MB.", minimum=0.001)


@dataclass(frozen=True, kw_only=True)
class RecordsConfig:
    """Table `[records]`: what goes into a record, and how much of it."""

    max_seq_length: int = option(
        512,
        "Tokens of a record with the two special ones; records hold two fewer.",
        minimum=8,
        maximum=32_767,  # positions are int16
    )
    max_entity_length: int = option(128, "Mentions of a record.", minimum=1, maximum=32_767)
    max_mention_length: int = option(30, "Tokens of a mention.", minimum=1, maximum=32_767)
    min_sentence_length: int = option(5, "Tokens of a sentence; shorter ones are dropped.", minimum=0)
    abstract_only: bool = option(False, "Only paragraphs before the first heading.")
    include_sentences_without_entities: bool = option(False, "Keep records without any mention.")
    include_unk_entities: bool = option(True, "Mentions of entities outside the vocabulary become [UNK].")
    lists: bool = option(True, "List items, terms and definitions too, not prose and quotes alone.")
    densify: bool = option(
        False,
        "Mentions of what the page links, after its first link, and of the page's own subject, marked as such "
        "(wikiprep docs annotate). Turns --mentions on.",
    )
    text: bool = option(False, "Add the text, and character offsets of sentences and mentions.")
    sentence_records: bool = option(False, "A record for each sentence, instead of as many sentences as fit.")
    compat: str | None = option(None, "luke-2020: the reference's rules, step by step.", choices=("luke-2020",))


@dataclass(frozen=True, kw_only=True)
class RelationsConfig:
    """Table `[relations]`: which pairs of a record's mentions have relations."""

    relations: str = option(
        "sentence",
        "With --wikidata: which mentions of a record get the relations that hold between their items, those that share "
        "a sentence or all. none: no relations.",
        choices=("sentence", "record", "none"),
    )
    subject_relations: bool = option(True, "Mentions of the page's own subject, from --densify, have relations too.")
    unk_relations: bool = option(
        False, "Mentions of entities outside the vocabulary have relations too; adds the items of all mentions."
    )
    drop_unrelated: bool = option(False, "Drop records without a relation; with --sentence-records, sentences.")


@dataclass(frozen=True, kw_only=True)
class Config:
    """The content options of a build."""

    input: InputConfig = field(default_factory=InputConfig)
    wikidata: WikidataConfig = field(default_factory=WikidataConfig)
    extract: ExtractConfig = field(default_factory=ExtractConfig)
    leave_out: LeaveOutConfig = field(default_factory=LeaveOutConfig)
    vocabulary: VocabularyConfig = field(default_factory=VocabularyConfig)
    mentions: MentionsConfig = field(default_factory=MentionsConfig)
    tokenizer: TokenizerConfig = field(default_factory=TokenizerConfig)
    records: RecordsConfig = field(default_factory=RecordsConfig)
    relations: RelationsConfig = field(default_factory=RelationsConfig)


# What a preset changes from the defaults above; a compat mode starts from the reference's own defaults.
Sections = dict[str, dict[str, Any]]
PRESETS: dict[str, Sections] = {
    "luke": {},
    "spot": {
        "vocabulary": {"vocab_size": 1_000_000},
        "records": {"max_seq_length": 256, "sentence_records": True},
        "relations": {"drop_unrelated": True},
    },
}
COMPATS: dict[str, Sections] = {
    "luke-2020": {"records": {"include_unk_entities": False}, "relations": {"relations": "none"}}
}


def apply(config: Config, sections: Sections, where: str = "") -> Config:
    """`config` with `sections[section][option]` in place.

    Raises UsageError for a name or a value that cannot be, with `where`, what said so, in front.
    """
    for name, options in sections.items():
        if name not in {f.name for f in fields(config)}:
            known = [f.name for f in fields(config)]
            said = f"{where}: " if where else ""
            raise UsageError(f"{said}unknown section [{name}]", names_hint("sections", name, known))
        config = replace(config, **{name: fill_options(getattr(config, name), options, name, where=where)})
    return config


def named_files(config: Config) -> Iterator[tuple[str, str, str]]:
    """Section, option and path, where an option names one file (`path`) and was given; lists of files are left out."""
    for section in fields(config):
        options = getattr(config, section.name)
        for f in fields(options):
            value = getattr(options, f.name)
            if f.metadata["path"] and isinstance(value, str):
                yield section.name, f.name, value


@dataclass(frozen=True, kw_only=True)
class ServerOptions:
    """Where a dump that is named, not given, is downloaded from: of table `[run]` too, and of the command line.

    None is not "latest" or "any": a half-made output goes on with the dump that it was begun with, and files that are
    given have no use for any of these.
    """

    date: str | None = option(None, "latest, or YYYYMMDD: which dump of a wiki's name. [latest]")
    layout: str | None = option(
        None,
        "content: monthly content exports; classic: pages-articles; any: the first that is there. [any]",
        choices=("any", "content", "classic"),
    )
    mirror: tuple[str, ...] = option(
        (), "Server to ask in the place of dumps.wikimedia.org; several are asked in turn."
    )
    contact: str | None = option(
        None, "E-mail or web address that servers are told, as Wikimedia wishes. [$WIKIPREP_CONTACT]"
    )
    cache: str | None = option(
        None, "Folder where dumps that were named are kept. [$WIKIPREP_CACHE, or ~/.cache/wikiprep/dumps]"
    )


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """Table `[run]` of a configuration, and options of the command line."""

    workers: int = option(1, "Worker processes.", minimum=1, maximum=4096)
    page_timeout: float = option(60.0, "Seconds a page may take before its worker is replaced.", minimum=0.01)
    page_memory: int = option(1024, "MB of private memory a worker may reach at a page.", minimum=64, maximum=1 << 30)
    quiet: bool = option(False, "No progress and no summary.")
    scratch: str | None = option(None, "Folder on local disk for temporary files of a remote output.")
    checksums: bool = option(
        True, "Compare the dump's files with SHA256SUMS, …-sha1sums.txt or …-md5sums.txt beside them."
    )
    retries: int = option(
        2,
        "With --runner: times that the job begins again on what is missing, where processes of an engine ended that "
        "does not replace them.",
        minimum=0,
        maximum=1000,
    )
    start_timeout: float = option(
        100.0,
        "With --runner: seconds in which its first worker must have started (Dataflow tells for itself).",
        minimum=1,
    )

    @property
    def page_bytes(self) -> int:
        """`page_memory` in bytes."""
        return self.page_memory << 20
