"""The dataset card, README.md of the output: source, date, licence, counts, how to read it. Same build, same bytes."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from wikiprep.dump.dump_date import dump_date
from wikiprep.stages.accounts import label
from wikiprep.stages.rules import digest_of

_TEMPLATE = """---
license: {license}
language: {language}
configs:
- config_name: default
  data_files: articles/*.parquet
---
# {name}: an entity-annotated corpus

Made by wikiprep {version} with {rules}.

## Source
{source}

{rights} Files written by wikiprep itself add no rights of their own.

## What it holds
{left_out}{counts}

Every page, link, sentence and record is accounted for in `manifest.json`, with the sha256 of every file.
`wikiprep verify` checks both. `config.toml` has all options. With the same dump, rules and versions they give the same
bytes; the rules of wikiprep: `{digest}`, the versions: {versions}.

## Reading it
In this folder:
```python
import pyarrow as pa, pyarrow.dataset as ds
articles = ds.dataset("articles", format="parquet").head(3, columns=["title", "paragraphs"])
{records}```
`datasets.load_dataset` on this folder gives the articles.
"""
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


def card(manifest: Mapping[str, Any]) -> str:
    """Markdown from the manifest's own fields."""
    inputs, site = manifest["inputs"], manifest["inputs"].get("site", {})
    files = "\n".join(f"- `{f['name']}`, {f['size']:,} bytes, sha256 `{f['sha256']}`" for f in inputs["files"])
    newest = manifest["facts"].get("extract", {}).get("newest_revision")
    date = dump_date(inputs["files"][0]["name"])
    files += _flaws(inputs)
    source = files + (f"\n\nDump date: {date}." if date else "") + (f" Newest revision: {newest}." if newest else "")
    if "wikidata_read" in manifest["options"]:
        given = manifest["options"]["wikidata_read"]["files"]
        source += f"\n\nItems and triples are of Wikidata (CC0): {', '.join(f['name'] for f in given)}."
    base = site.get("base") or ""
    known = _of_wikimedia(inputs)
    url = re.sub(r"^(https?://[^/]+)?.*", r"\1/w/index.php?oldid=REVISION_ID", base)
    records = [f["path"] for f in manifest["files"] if f["path"].startswith("records/")]
    return _TEMPLATE.format(
        language=inputs["language"],
        name=site.get("dbname") or inputs["files"][0]["name"],
        version=manifest["versions"]["wikiprep"],
        rules=rules_of_build(manifest),
        digest=digest_of(manifest["rules"]),
        source=source,
        license="cc-by-sa-4.0" if known else "other",
        rights=_OF_A_WIKI.format(project=site["sitename"], url=url) if known else _OF_ANOTHER_SOURCE,
        left_out=_left_out(manifest["counts"]),
        counts=_counts(manifest["equations"]),
        versions=", ".join(f"{name} {value}" for name, value in manifest["versions"].items()),
        records=_RECORDS.format(path=records[0]) if records else "",
    )


def licence(inputs: Mapping[str, Any]) -> str:
    """The licence of the text, in words, by a manifest's `inputs`."""
    known = "CC BY-SA 4.0 (older revisions also GFDL), by the authors of the wiki"
    return known if _of_wikimedia(inputs) else "that of its source, which wikiprep does not know"


def _of_wikimedia(inputs: Mapping[str, Any]) -> bool:
    site = inputs.get("site", {})
    return bool(_WIKIMEDIA.match(site.get("base") or "")) and bool(site.get("sitename"))


def _flaws(inputs: Mapping[str, Any]) -> str:
    """What is known to be wrong with the dump: absent parts, damage of exports of its time."""
    missing = inputs.get("missing_parts", ())
    lines = [f"the dump was not whole. Absent: {', '.join(missing)}"] if missing else []
    return "".join(f"\n\nWarning: {line}." for line in [*lines, *inputs.get("known_damage", ())])


def rules_of_build(manifest: Mapping[str, Any]) -> str:
    """Preset and tokenizer, in words."""
    records = manifest["options"].get("records", {}).get("records", {})
    rules = (
        f"the rules of `--compat {records['compat']}`" if records.get("compat") else f"preset `{manifest['preset']}`"
    )
    tokenizer = manifest["options"].get("tokenizer", {}).get("tokenizer")
    name = tokenizer.get("name") if isinstance(tokenizer, dict) else tokenizer
    tokens = manifest["counts"].get("tokenizer", {}).get("tokens")
    if tokens is None:
        return rules
    return f"{rules} and a tokenizer of {tokens:,} tokens" + (f" (`{name}`)" if isinstance(name, str) else "")


def _left_out(counts: Mapping[str, Mapping[str, int]]) -> str:
    used = counts.get("used_articles")
    if used is None:
        return ""
    pages, sentences = used.get("pages.left_out", 0), used.get("sentences.left_out", 0)
    return (
        f"Evaluation sets were left out of records, counts and tokenizer: {pages:,} pages and {sentences:,} sentences. "
        "`articles/` still holds them: whoever trains on it takes out the pages of `tables/left_out.parquet`.\n\n"
    )


def _counts(equations: Sequence[Mapping[str, Any]]) -> str:
    lines = ["| what | count | of these |", "|---|---|---|"]
    for equation in equations:
        if not equation["total"]:
            continue
        shown = "; ".join(f"{label(equation['whole'], key)} {n:,}" for key, n in equation["parts"].items() if n)
        lines.append(f"| {equation['name']} | {equation['total']:,} | {shown} |")
    return "\n".join(lines)
