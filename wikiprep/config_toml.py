"""The configuration as a TOML file: read what a user wrote, write what a build used.

Top level: `preset`, `dumps` (list), `output`; `[run]` for run options; one section for each dataclass of `config.py`.
Python reads TOML but does not write it; what is written here is flat, so strings by JSON's rules and plain lines do.
"""

from dataclasses import dataclass, field, fields
from glob import has_magic
from pathlib import Path
from typing import Any

from wikiprep.config import Config, Sections
from wikiprep.errors import UsageError
from wikiprep.options.toml import read_toml, to_toml
from wikiprep.suggestions import names_hint

TOP = ("preset", "dumps", "output")


@dataclass(frozen=True)
class ConfigFile:
    """What a TOML file says: content sections, run options, and the command's arguments."""

    sections: Sections = field(default_factory=dict)
    run: dict[str, Any] = field(default_factory=dict)
    top: dict[str, Any] = field(default_factory=dict)
    path: str = ""  # for messages


def load(path: Path) -> ConfigFile:
    """Read a configuration; raises UsageError that names the file and the place."""
    data = read_toml(path)
    top = {key: value for key, value in data.items() if not isinstance(value, dict)}
    for key in top:
        if key not in TOP:
            raise UsageError(
                f"{path}: unknown key {key!r} at the top", names_hint("keys", key, TOP) + ", then sections"
            )
    for key in ("preset", "output"):
        if not isinstance(top.get(key, ""), str):
            raise UsageError(f"{path}: {key} = {top[key]!r} is of the wrong type", "it takes a string")
    if isinstance(top.get("dumps"), str):
        top["dumps"] = [top["dumps"]]
    if not isinstance(top.get("dumps", []), list) or not all(isinstance(d, str) for d in top.get("dumps", [])):
        raise UsageError(f"{path}: dumps = {top['dumps']!r} is of the wrong type", "it takes a list of strings")
    sections = {key: value for key, value in data.items() if isinstance(value, dict)}
    run = sections.pop("run", {})
    known_sections = {f.name for f in fields(Config)}
    for name in sections:
        if name not in known_sections:
            raise UsageError(
                f"{path}: unknown section [{name}]", names_hint("sections", name, [*sorted(known_sections), "run"])
            )
    return ConfigFile(sections, run, top, str(path))


def dump(config: Config) -> str:
    """TOML of every content option, in a fixed order, help as comments.

    An option without a value is a commented line, since TOML has no null; so is a path, cut to its last part: the
    output does not depend on where files lie, and the file can be given as --config anywhere.
    """
    lines = [
        "# The options of this corpus (wikiprep), to be given as --config.",
        "# What names a file stands as a comment: run.json has the full path, to be given on the command line.",
    ]
    for section in fields(config):
        if section.name in ("wikidata", "relations") and not config.wikidata.wikidata:
            continue  # a build without Wikidata leaves the bytes that it left before there were these sections
        if section.name == "leave_out" and not config.leave_out.leave_out:
            continue  # likewise
        lines += ["", f"[{section.name}]"]
        options = getattr(config, section.name)
        for f in fields(options):
            value = getattr(options, f.name)
            if isinstance(value, tuple):
                names = [Path(name).name for name in value]
                lines.append(f"# {f.name} = {to_toml(names)}  # {f.metadata['help']}")
                continue
            is_path = isinstance(value, str) and (f.metadata["path"] or (f.name == "tokenizer" and _exists(value)))
            value_text = to_toml(_file_name(value) if is_path else value)
            text = f"{f.name} = {value_text}" if value is not None else f"{f.name} ="
            lines.append(f"{'# ' if value is None or is_path else ''}{text}  # {f.metadata['help']}")
    return "\n".join(lines) + "\n"


def _exists(path: str) -> bool:
    return "://" in path or Path(path).exists() or has_magic(path)


def _file_name(path: str) -> str:
    """The last part of a path, which is the same on every machine; a pipe's number never is.

    A pipe is known by its name: this may run where the command's own pipes are not, in a worker of an engine.
    """
    return "a pipe" if path.startswith(("/dev/", "/proc/")) else Path(path).resolve().name
