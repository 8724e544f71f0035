"""The dataset card, README.md of the output: source, date, licence, counts, how to read it. Same build, same bytes."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from wikiprep.counts import EquationCounts
from wikiprep.dump.file_names import dump_date
from wikiprep.files import Store
from wikiprep.input_facts import InputFacts
from wikiprep.manifest import Manifest
from wikiprep.runtime.column_meanings import ARTICLES, RECORDS
from wikiprep.stages.extract_counts import count_articles
from wikiprep.units.count_equations import label
from wikiprep.units.stage_rules import digest_of

_TEMPLATE = """{front}
# {name}: an entity-annotated corpus

Made by wikiprep {version} with {rules}: the text of {what}, with every link as a span.

## Reading it
{reading}

## What is in it
{example}{columns}

## Source
{source}

{rights} Files written by wikiprep itself add no rights of their own.

## Counts
{left_out}{counts}

Every page, link, sentence and record is accounted for in `manifest.json`, with the sha256 of every file.
`wikiprep verify` checks both. `config.toml` has all options. With the same dump, rules and versions they give the same
bytes; the rules of wikiprep: `{digest}`, the versions: {versions}.
"""
_READING = """\
In this folder:
```python
import pyarrow as pa, pyarrow.dataset as ds
articles = ds.dataset("articles", format="parquet").head(3, columns=["title", "paragraphs"])
{records}```
`datasets.load_dataset` on this folder gives the articles{more}."""
_MORE = "; the records are `load_dataset(FOLDER, data_dir='records')`, FOLDER being this one"
_EXAMPLE = "An article, its lists and text cut:\n```json\n{row}\n```\n\n"
_OF_A_WIKI = """\
The text is by the authors of {project}, under CC BY-SA 4.0 (older revisions also under the GFDL):
whoever passes it on names them, for which a link to the page is enough. Each row has its page and revision id:
`{url}`."""
_OF_ANOTHER_SOURCE = """\
The text did not come from a wiki of the Wikimedia Foundation: the rights to it are those of its source, which wikiprep
does not know."""
_WIKIMEDIA = re.compile(
    r"https?://[\w.-]+\.(wikipedia|wiktionary|wikisource|wikibooks|wikiquote|wikivoyage|wikiversity)\.org/"
)
_RECORDS = 'records = pa.ipc.open_file(pa.memory_map("{path}")).get_batch(0)\n'
_SHOWN = 160  # characters of a text
_LISTED = 3  # items of a list
CC_BY_SA = "cc-by-sa-4.0"
LICENCE_LINK = "https://creativecommons.org/licenses/by-sa/4.0/"
_SIZES = ((10**3, "n<1K"), (10**4, "1K<n<10K"), (10**5, "10K<n<100K"), (10**6, "100K<n<1M"), (10**7, "1M<n<10M"))
_PLAIN = re.compile(r"[a-z]{2,3}(-[a-z]+)*")
_NOT_PLAIN = ("no", "on", "off", "yes", "y", "n")  # which YAML takes for true and false


def card(
    manifest: Manifest,
    example: str | None = None,
    *,
    front: str | None = None,
    reading: str | None = None,
    tables: Mapping[str, Mapping[str, str]] | None = None,
) -> str:
    """Markdown from the manifest's own fields. `example`: a row of articles, as JSON.

    An export of the corpus has a `front`, a way of `reading` and `tables` (name -> column -> what it is) of its own.
    """
    inputs, site_name = manifest.inputs, manifest.inputs.of_site("sitename")
    files = "\n".join(f"- `{f.name}`, {f.size:,} bytes, sha256 `{f.sha256}`" for f in inputs.files)
    newest = manifest.facts_of("extract").get("newest_revision")
    date = dump_date(inputs.files[0].name)
    files += _flaws(inputs)
    date_lines = [f"Dump date: {date}."] if date else []
    date_lines += [f"Newest revision: {newest}."] if newest else []
    source = f"{files}\n\n{' '.join(date_lines)}" if date_lines else files
    if manifest.has_stage("wikidata_read"):
        wikidata_files = manifest.options["wikidata_read"]["files"]
        source += f"\n\nItems and triples are of Wikidata (CC0): {', '.join(f['name'] for f in wikidata_files)}."
    base = inputs.of_site("base") or ""
    known = is_known(inputs)
    url = re.sub(r"^(https?://[^/]+)?.*", r"\1/w/index.php?oldid=REVISION_ID", base)
    records = manifest.paths("records/")
    language = inputs.language
    shown_columns = {"articles": ARTICLES} | ({"records": _record_columns(manifest)} if records else {})
    records_code = _RECORDS.format(path=records[0]) if records else ""
    return _TEMPLATE.format(
        front=front or front_of(manifest, {"default": "articles/*.parquet"}),
        what=f"{site_name} in the language `{language}`" if known else f"a source in the language `{language}`",
        name=inputs.of_site("dbname") or inputs.files[0].name,
        version=manifest.wikiprep_version,
        rules=rules_of_build(manifest),
        digest=digest_of(manifest.rules) if manifest.rules else "not noted",
        source=source,
        rights=_OF_A_WIKI.format(project=site_name, url=url) if known else _OF_ANOTHER_SOURCE,
        left_out=_left_out(manifest),
        counts=_counts(manifest.equations),
        versions=manifest.versions_line,
        reading=reading or _READING.format(records=records_code, more=_MORE if records else ""),
        example=_EXAMPLE.format(row=example) if example else "",
        columns="\n".join(column_table(name, columns) for name, columns in (tables or shown_columns).items()),
    )


def _record_columns(manifest: Manifest) -> dict[str, str]:
    """Those that its options made."""
    options = manifest.options_of("records")
    absent = set() if options.get("records", {}).get("text") else {"text", *(n for n in RECORDS if "_char_" in n)}
    absent |= set() if manifest.has_stage("relations") else {"relations"}
    absent |= set() if options.get("relations", {}).get("unk_relations") else {"entity_qids"}
    return {name: what for name, what in RECORDS.items() if name not in absent}


def front_of(manifest: Manifest, configs: Mapping[str, str]) -> str:
    """The card's head for these configurations, name -> glob."""
    inputs, known = manifest.inputs, is_known(manifest.inputs)
    name = inputs.files[0].name
    date = dump_date(name)
    source = f"{inputs.of_site('sitename')} ({inputs.language})" if known else name
    rows = count_articles(manifest.counts_of("extract"))
    return front_matter(
        licence=CC_BY_SA if known else "other",
        language=inputs.language,
        pretty=f"{source}{f' of {date}' if date else ''} with its links as entities",
        rows=rows,
        wikipedia=known,
        relations=manifest.has_stage("relations"),
        configs=configs,
    )


def is_known(inputs: InputFacts) -> bool:
    """Whether the text is of a wiki of the Wikimedia Foundation, whose licence is known."""
    return bool(_WIKIMEDIA.match(inputs.of_site("base") or "")) and bool(inputs.of_site("sitename"))


def column_table(name: str, columns: Mapping[str, str]) -> str:
    """A list of what each column of a table is."""
    return "\n".join([f"`{name}`, a row each:\n", *(f"- `{column}`: {what}" for column, what in columns.items()), ""])


def licence(inputs: InputFacts) -> str:
    """The licence of the text, in words."""
    text = "CC BY-SA 4.0 (older revisions also GFDL), by the authors of the wiki"
    return text if is_known(inputs) else "that of its source, which wikiprep does not know"


def _flaws(inputs: InputFacts) -> str:
    """What is known to be wrong with the dump: absent parts, damage of exports of its time."""
    missing = inputs.missing_parts
    lines = [f"the dump was not whole. Absent: {', '.join(missing)}"] if missing else []
    return "".join(f"\n\nWarning: {line}." for line in [*lines, *(inputs.known_damage or ())])


def rules_of_build(manifest: Manifest) -> str:
    """Preset and tokenizer, in words."""
    records = manifest.options_of("records").get("records", {})
    rules = f"the rules of `--compat {records['compat']}`" if records.get("compat") else f"preset `{manifest.preset}`"
    tokenizer = manifest.options_of("tokenizer").get("tokenizer")
    name = tokenizer.get("name") if isinstance(tokenizer, dict) else tokenizer
    if not manifest.has_stage("tokenizer"):
        return rules
    from wikiprep.stages.tokenizer import TOKENS  # loads the tokenizers, which a build without one never does

    tokens = manifest.counts["tokenizer"][TOKENS]
    return f"{rules} and a tokenizer of {tokens:,} tokens" + (f" (`{name}`)" if isinstance(name, str) else "")


def _left_out(manifest: Manifest) -> str:
    if not manifest.has_stage("used_articles"):
        return ""
    from wikiprep.leave_out.filtered_articles import PAGES_LEFT_OUT, SENTENCES_LEFT_OUT  # loads what it is counted with

    article_counts = manifest.counts["used_articles"]
    pages, sentences = article_counts.get(PAGES_LEFT_OUT, 0), article_counts.get(SENTENCES_LEFT_OUT, 0)
    return (
        f"Evaluation sets were left out of records, counts and tokenizer: {pages:,} pages and {sentences:,} sentences. "
        "`articles/` still holds them: whoever trains on it takes out the pages of `tables/left_out.parquet`.\n\n"
    )


def _counts(equations: Sequence[EquationCounts]) -> str:
    lines = ["| what | count | of these |", "|---|---|---|"]
    for equation in equations:
        if not equation.total:
            continue
        parts = "; ".join(f"{label(equation.whole, key)} {n:,}" for key, n in equation.parts.items() if n)
        lines.append(f"| {equation.name} | {equation.total:,} | {parts} |")
    return "\n".join(lines)


def example_row(store: Store, paths: Sequence[str]) -> str | None:
    """The first article of the first part that has any, as JSON, its text and lists cut; None where there is none."""
    import pyarrow.parquet as pq

    for path in sorted(path for path in paths if path.startswith("articles/") and path.endswith(".parquet")):
        with pq.ParquetFile(store.fetch(path)) as file:
            for batch in file.iter_batches(batch_size=1):
                return orjson.dumps(_shorten(batch.to_pylist()[0]), option=orjson.OPT_INDENT_2).decode()
    return None


def _shorten(row: dict[str, Any]) -> dict[str, Any]:
    short_row = {name: value[:_LISTED] if isinstance(value, list) else value for name, value in row.items()}
    paragraphs = row["paragraphs"]
    paragraph = next((p for p in paragraphs if any(link["end"] <= _SHOWN for link in p["links"])), None)
    paragraph = paragraph or next(iter(paragraphs), None)
    if paragraph is not None:
        text = paragraph["text"]
        links = [link for link in paragraph["links"] if link["end"] <= _SHOWN][:_LISTED]
        paragraph = paragraph | {"text": text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…", "links": links}
    return short_row | {"paragraphs": [] if paragraph is None else [paragraph]}


def front_matter(
    *, licence: str, language: str, pretty: str, rows: int, wikipedia: bool, relations: bool, configs: Mapping[str, str]
) -> str:
    """The card's head, in YAML, between its lines of hyphens: what the hub and its readers know of a data set.

    Keys and values are those of Hugging Face's own specification (huggingface/hub-docs, datasetcard.md). `rows`: of the
    default configuration; `configs`: its name -> glob, it first.
    """
    plain = _PLAIN.fullmatch(language) and language not in _NOT_PLAIN
    lines = ["---", f"license: {licence}", f"language: {language if plain else json.dumps(language)}"]
    if licence == CC_BY_SA:
        lines.append(f"license_link: {LICENCE_LINK}")
    else:
        lines += ["license_name: of-its-source", "license_link: README.md"]
    lines += [f"pretty_name: {json.dumps(pretty, ensure_ascii=False)}", f"size_categories:\n- {size_category(rows)}"]
    tasks = ["fill-mask", "text-generation", "token-classification"]
    lines += ["task_categories:", *(f"- {task}" for task in tasks)]
    tags = ["entity-linking", "hyperlinks", "pretraining", "wikiprep"]
    tags += (["wikipedia"] if wikipedia else []) + (["relation-extraction", "wikidata"] if relations else [])
    lines += ["tags:", *(f"- {tag}" for tag in sorted(tags)), "configs:"]
    for number, (name, files) in enumerate(configs.items()):
        lines += [f"- config_name: {name}", f"  data_files: {files}"]
        if not number and len(configs) > 1:
            lines.append("  default: true")
    return "\n".join([*lines, "---"])


def size_category(rows: int) -> str:
    """The hub's word for a number of rows."""
    return next((name for least, name in _SIZES if rows < least), "10M<n<100M")
