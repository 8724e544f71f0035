"""Write docs/counts.md from the declarations of counts: `python docs/make_counts.py`. A test compares.

For each stage: what it counts, in which modules (`MODULES`). A module's name alone stands for all that it declares;
"module:NAME,NAME" for those of it, an equation for all of its counts.
"""

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from wikiprep.counts import Count, Equation, Reasons
from wikiprep.stages.build import FROM_DUMP, FROM_TEXT, stage_by_name

PAGE = Path(__file__).with_name("counts.md")
HEAD = """# Every count

What each number of `manifest.json` is, stage by stage. To have the sums checked, and the files counted again:

```bash
wikiprep verify corpus
```

Under `counts` the manifest has, by stage, how many pages, links, sentences and records there were and what became of
them; under `equations` the sums that must close, by which nothing is lost unsaid. A count that is 0 may be absent.

This page is made by `docs/make_counts.py` from the declarations of the counts, which stand in the code that counts
(`wikiprep/counts.py` says how); do not edit it by hand.
"""
MODULES: dict[str, tuple[str, ...]] = {
    "inputs": ("stages.inputs",),
    "properties": ("tables.page_props_sql",),
    "wikidata_merged": ("wikidata.merged_ids:OF_TABLES",),
    "wikidata_read": ("wikidata.read_range", "wikidata.statements"),
    "wikidata": (
        *("wikidata.items_table", "wikidata.merge_runs", "wikidata.merged_ids:OF_LINES", "wikidata.triples_table"),
    ),
    "template_pages": ("stages.template_pages",),
    "definitions": ("tables.template_definitions",),
    "snapshot": ("stages.snapshot",),
    "copies": ("stages.copies",),
    "extract": ("stages.extract_counts", "tables.qid_counts"),
    "pages": ("tables.page_tables", "tables.templates", "stages.pages"),
    "listed": ("stages.listed", "leave_out.pages"),
    "used_articles": ("leave_out.filtered_articles", "stages.used_articles"),
    "links": ("tables.link_counts",),
    "vocabulary": ("tables.choose_entities", "tables.given_vocabulary"),
    "mention_links": ("tables.mentions.link_names", "tables.mentions.title_names"),
    "mention_names": ("tables.mentions.merge_counts",),
    "name_table": ("stages.name_table",),
    "mention_texts": ("tables.mentions.text_counts",),
    "mentions": ("tables.mentions.write_table",),
    "tokenizer": ("stages.tokenizer",),
    "records": (
        *("stages.records_part", "corpus.record_counts", "corpus.luke2020"),
        *("tables.mentions.page_names", "corpus.spans", "corpus.relations"),
    ),
    "relations": ("tables.relation_vocab",),
    "import": (
        *("corpus.annotated_text", "stages.import_text", "tables.carried_links"),
        "stages.extract_counts:ARTICLES,PARAGRAPHS,TEXT_CHARACTERS,LINKS_KEPT",
    ),
    "imported_vocabulary": ("tables.choose_entities:SIZE",),
}
# Counts of commands that write a file of their own, with the same words
COMMANDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "merge-vocabularies": ("merge.json, one vocabulary of several wikis", ("tables.merge_vocabularies",)),
    "export-triples": ("export.json, a knowledge graph", ("wikidata.graph.select", "applications.export_triples")),
}

Declared = Count | Reasons
_STAGE = re.compile(r"Stage `\w+`(?: \((.*?)\))?(?: for annotated text)?: (.*)", re.DOTALL)


@cache
def declared_in(module: str) -> dict[str, Any]:
    """What a module declares at its top, by the name that it gets there: Count, Reasons, Equation, and those in dicts
    and tuples."""
    found = importlib.import_module(f"wikiprep.{module}")
    made = {}
    for statement in ast.parse(inspect.getsource(found)).body:
        names = [one.id for one in getattr(statement, "targets", ()) if isinstance(one, ast.Name)]
        for name in names:
            # Private names group what is declared, here or elsewhere.
            if not name.startswith("_") and list(_flat(value := getattr(found, name))):
                made[name] = value
    return made


def declarations(places: Iterable[str]) -> tuple[list[Declared], list[Equation]]:
    """The counts and equations of modules, in the order in which they are declared; each once."""
    counts: dict[str, Declared] = {}
    equations: dict[str, Equation] = {}
    for place in places:
        module, _, names = place.partition(":")
        made = declared_in(module)
        for name in names.split(",") if names else made:
            for one in _flat(made[name]):
                if isinstance(one, Equation):
                    equations.setdefault(one.name, one)
                for key in (one.whole, *one.parts) if isinstance(one, Equation) else (one,):
                    counts.setdefault(key_of(key), key)
    return list(counts.values()), list(equations.values())


def key_of(declared: Declared) -> str:
    """The key, or of reasons their prefix."""
    return declared.prefix if isinstance(declared, Reasons) else str(declared)


def _flat(value: Any) -> Iterator[Declared | Equation]:
    if isinstance(value, Count | Reasons | Equation) and getattr(value, "meaning", value):  # none of a key by `of`
        yield value
    elif isinstance(value, dict | tuple):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _flat(one)


def page() -> str:
    """The page as Markdown."""
    parts = [HEAD]
    for name in dict.fromkeys((*FROM_DUMP, *FROM_TEXT)):
        parts += [f"## {name}\n", _about(name), _tables(MODULES[name])]
    parts.append("## Counts of other commands\n\nThey stand in a file beside what the command writes.\n")
    for name, (where, modules) in COMMANDS.items():
        parts += [f"### {name}\n", f"In {where}.\n", _tables(modules)]
    return "\n".join(parts)


def _about(name: str) -> str:
    """What a stage's docstring says of it, and where there is such a stage."""
    first = (sys.modules[type(stage_by_name(name)).__module__].__doc__ or "").split("\n\n")[0]
    match = _STAGE.fullmatch(" ".join(first.split()))
    assert match is not None, first
    text = re.sub(r" \([\w/]+\.py\)", "", match[2])
    when = "own text alone" if name in FROM_TEXT and name not in FROM_DUMP else match[1]
    return _cell(f"{text[0].upper()}{text[1:]}" + (f" ({when[0].upper()}{when[1:]}.)" if when else "")) + "\n"


def _tables(places: Iterable[str]) -> str:
    counts, equations = declarations(places)
    rest = {key_of(one): one for one in counts}
    parts = []
    for equation in equations:
        sides = [f"`{_shown(one)}`" for one in (equation.whole, *equation.parts)]
        here = [rest.pop(key_of(one)) for one in (equation.whole, *equation.parts) if key_of(one) in rest]
        parts.append(f"**{equation.name}**: {sides[0]} = {' + '.join(sides[1:])}\n\n{_table(here)}")
    if rest:
        parts.append(("Beside the sums:\n\n" if equations else "") + _table(list(rest.values())))
    return "\n".join(parts)


def _table(counts: list[Declared]) -> str:
    rows = ["| count | what |", "|---|---|"]
    for one in counts:
        rows.append(f"| `{_shown(one)}` | {_cell(one.meaning)} |")
        if isinstance(one, Reasons):
            rows += [f"| `{one.prefix}{reason}` | {_cell(meaning)} |" for reason, meaning in one.known.items()]
    return "\n".join(rows) + "\n"


def _cell(text: str) -> str:
    text = re.sub(r"(--[a-z][a-z-]*(?: luke-2020| linked| expand)?)", r"`\1`", text)
    return text.replace("|", "\\|").replace("<", "&lt;")


def _shown(one: Declared) -> str:
    return f"{one.prefix}REASON" if isinstance(one, Reasons) else str(one)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
