"""Write docker/dataflow/metadata.json, what Dataflow asks the users of the flex template for, from the options of
`wikiprep build-corpus`: `python docs/make_template.py`. `tests/docker/test_template.py` compares."""

import json
from pathlib import Path
from typing import Any

import click

from wikiprep.cli.build_corpus import command
from wikiprep.config import ServerOptions
from wikiprep.options.option_fields import names_of

FILE = Path(__file__).parents[1] / "docker" / "dataflow" / "metadata.json"
# Not for a job without a terminal or a disk of its own; --runner is the launcher's.
LEFT_OUT = {"sample", "config_file", "workers", "runner", "quiet", *names_of(ServerOptions())}
NEEDED = {"output", "tokenizer"}


def metadata() -> dict[str, Any]:
    """Dataflow's TemplateMetadata as JSON."""
    dumps = _parameter(
        "dumps",
        "Dumps",
        "Files, folders or globs of one dump (mediawiki_content_current, or pages-articles), with commas between.",
    )
    # Dataflow's own name of a parameter is the option's, so that its launcher gives it as the command takes it.
    options = [it for it in command.params if isinstance(it, click.Option) and it.name not in LEFT_OUT]
    return {
        "name": "wikiprep build-corpus",
        "description": "Turns a Wikipedia dump into an entity-annotated corpus.",
        "streaming": False,
        "parameters": [dumps, *map(_of_option, options)],
    }


def _of_option(option: click.Option) -> dict[str, Any]:
    name = max(option.opts, key=len).removeprefix("--")
    help_text = option.help or ""
    if option.multiple:
        help_text = help_text.replace("May be given several times.", "One only; in the command's own call several.")
    made = _parameter(name, name, help_text, optional=name not in NEEDED)
    if option.is_flag:
        made["regexes"] = ["^(true|false)$" if option.secondary_opts else "^true$"]
    elif isinstance(option.type, click.Choice):
        made["regexes"] = [f"^({'|'.join(map(str, option.type.choices))})$"]
    return made


def _parameter(name: str, label: str, help_text: str, *, optional: bool = False) -> dict[str, Any]:
    return {"name": name, "label": label, "helpText": help_text, "isOptional": optional, "paramType": "TEXT"}


if __name__ == "__main__":
    FILE.write_text(json.dumps(metadata(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
