"""Write docs/options.md from the options themselves: `python docs/make_options.py`. `tests/test_docs.py` compares."""

import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args, get_origin

import click

from wikiprep.cli import (
    annotate,
    annotate_squad,
    changes,
    cluster,
    coverage,
    download,
    export_links,
    export_mentions,
    export_relations,
    export_triples,
    inspect,
    kg_attention,
    kg_embed,
    kg_neighbours,
    kg_weights,
    mentions,
    merge_vocabularies,
    picture,
    qids,
    records,
    templates,
    wikitext,
)
from wikiprep.cli.options import run_options
from wikiprep.config import COMPATS, PRESETS, Config

PAGE = Path(__file__).with_name("options.md")
HEAD = """# Options

Every option of every command that builds or exports. A command tells its own:

```bash
wikiprep build-corpus --help
```

This page is made from `wikiprep/config.py` and the commands by `docs/make_options.py`; do not edit it by hand.

There are two kinds. **Content options** decide the bytes of the output: they are written to `OUT/config.toml`, and a change
redoes the stages that read them (see [reproduce.md](reproduce.md)). **Run options** do not: `OUT/run.json` notes some of them.

Each can be given on the command line or in a TOML file, `--config FILE`. The weakest comes first: defaults, preset,
file, command line. In the file, a content option stands in the section named here, a run option in `[run]`, and `preset`,
`dumps` (a list) and `output` at the top, before the first section:

```toml
preset = "luke"
dumps = ["enwiki-2026-11-01"]
output = "corpus"

[vocabulary]
vocab_size = 1000000
min_count = 5

[tokenizer]
tokenizer = "./roberta-base"

[run]
workers = 16
```

A yes-or-no option is `--name` or `--no-name` on the command line, `true` or `false` in the file. `wikiprep COMMAND --help`
shows the options of a command; `-q`, `-v`, `-h` and `--version` are options of all of them ([command-line.md](command-line.md)).
"""
USED = {
    "input": "build-corpus, extract, tables, records",
    "wikidata": "build-corpus, extract, tables, records",
    "extract": "build-corpus, extract, tables, records",
    "leave_out": "build-corpus, tables, records",
    "vocabulary": "build-corpus, tables, records",
    "mentions": "build-corpus, tables",
    "tokenizer": "build-corpus, records",
    "records": "build-corpus, records",
    "relations": "build-corpus, records",
}


def page() -> str:
    """The whole page as Markdown."""
    blocks = [HEAD, "## Content options\n"]
    for section in fields(Config):
        blocks.append(f"### [{section.name}]\n\nOf the commands {USED[section.name]}.\n")
        rows = [
            (_flag(f), _value(getattr(getattr(Config(), section.name), f.name)), _takes(f), f.metadata["help"])
            for f in fields(getattr(Config(), section.name))
        ]
        blocks.append(_table(("option", "default", "takes", "what it does"), rows))
    blocks.append("## What a preset and a compat mode change\n")
    rows = [(f"`--preset {name}`", _changes(sections)) for name, sections in PRESETS.items()]
    rows += [(f"`--compat {name}`", _changes(sections)) for name, sections in COMPATS.items()]
    blocks.append(_table(("given", "defaults that differ from those above"), rows))
    blocks.append("## Run options\n\nOf build-corpus, extract, tables and records. Defaults stand in brackets.\n")
    blocks.append(_of_command(click.command("run")(run_options(lambda: None))))
    blocks.append("## Options of records alone\n")
    blocks.append(_of_command(records.command, only=("annotated", "vocab")))
    for module in (
        download,
        inspect,
        mentions,
        annotate,
        annotate_squad,
        export_links,
        export_mentions,
        export_triples,
        export_relations,
        kg_embed,
        kg_neighbours,
        kg_attention,
        kg_weights,
        merge_vocabularies,
        coverage,
        changes,
        qids,
        templates,
        wikitext,
        cluster,
        picture,
    ):
        blocks.append(f"## Options of {module.command.name}\n")
        blocks.append(_of_command(module.command))
    blocks.append(
        "`wikiprep verify` takes the folder, and `--json`. `--sample` of build-corpus, extract, tables and records stands for the "
        "dump that comes with wikiprep, and where none are given for its part of Wikidata and its tokenizer.\n"
    )
    return re.sub(r"wikiprep docs ([a-z-]+)", r"[\1.md](\1.md)", "\n".join(blocks))


def _flag(field: Any) -> str:
    name = field.name.replace("_", "-")
    return f"`--{name}`" if field.type is not bool else f"`--{name}`, `--no-{name}`"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value in (None, ()) else f"`{value}`"


def _takes(field: Any) -> str:
    if field.metadata["choices"]:
        return " or ".join(f"`{choice}`" for choice in field.metadata["choices"])
    if field.metadata["path"]:
        return "a file" if get_origin(field.type) is not tuple else "a file; may be given several times, in TOML a list"
    kind = next(k for k in (get_args(field.type) or (field.type,)) if k is not type(None))
    word = {bool: "yes or no", int: "a whole number", float: "a number", str: "text"}[kind]
    least, most = field.metadata["minimum"], field.metadata["maximum"]
    if least is None:
        return word
    return f"{word}, at least {least:g}" + (f", at most {most:,}" if most < 1_000_000_000 else "")


def _changes(sections: dict[str, dict[str, Any]]) -> str:
    made = [f"`{name} = {str(v).lower()}` in [{s}]" for s, options in sections.items() for name, v in options.items()]
    return ", ".join(made) or "none: the defaults are the preset"


def _of_command(command: click.Command, only: tuple[str, ...] = ()) -> str:
    rows = []
    for parameter in command.params:
        if isinstance(parameter, click.Option) and (not only or parameter.name in only):
            names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
            rows.append((names, parameter.help or ""))
    return _table(("option", "what it does"), rows)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
