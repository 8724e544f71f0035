"""`wikiprep.build`: a corpus of a dump, as `wikiprep build-corpus` makes it, from Python."""

import os
from collections.abc import Sequence
from dataclasses import fields
from typing import Any, Unpack, get_origin

from wikiprep.api.build_options import BuildOptions
from wikiprep.api.building import run_build
from wikiprep.api.corpus import Corpus, open_corpus
from wikiprep.config import Config, Sections, ServerOptions
from wikiprep.errors import UsageError
from wikiprep.suggestions import did_you_mean

_SECTION = {f.name: section.name for section in fields(Config) for f in fields(getattr(Config(), section.name))}
_FLAGS = ("sample", "update", "overwrite")
_TEXTS = ("config", "preset", "runner")
_TABLES = (*(getattr(Config(), section.name) for section in fields(Config)), ServerOptions())
_SEVERAL = {f.name for table in _TABLES for f in fields(table) if get_origin(f.type) is tuple}


def build(
    *dumps: str | os.PathLike[str],
    output: str | os.PathLike[str] | None = None,
    progress: bool = False,
    runner_options: Sequence[str] = (),
    **options: Unpack[BuildOptions],
) -> Corpus:
    """Turn a dump into a corpus, or go on with a half-made one, and open it::

        corpus = wikiprep.build(sample=True, output="corpus", mentions=True)

    Args:
        dumps: files, folders or globs of one dump, or the name of a wiki, which is downloaded.
        output: folder, or gs://, s3://, hdfs:// address. May stand in the file that `config` names.
        progress: show progress on standard error, and at the end a summary on standard output.
        runner_options: with `runner`, what the engine itself takes, each as "--name=value".
        options: the options of build-corpus by keyword, `--vocab-size 50000` as `vocab_size=50_000`.

    The same call on a half-made output goes on where it was, and on a finished one it only opens it. Workers are
    processes of their own: a script needs no `if __name__ == "__main__"`.

    Raises:
        WikiprepError: what the command would print, with the way out; what is finished stays. UsageError, which is
            one, where the options ask for what cannot be, or one is unknown.
    """
    parameters, sections = _split_options(dict(options))
    parameters["dumps"] = tuple(map(os.fspath, dumps))
    parameters["output"] = None if output is None else os.fspath(output)
    parameters["quiet"] = not progress
    return open_corpus(run_build(parameters, sections, engine=list(runner_options)))


def _split_options(options: dict[str, Any]) -> tuple[dict[str, Any], Sections]:
    """Options that decide no byte, and the others by section."""
    parameters: dict[str, Any] = {}
    sections: Sections = {}
    known_names = {*BuildOptions.__annotations__, "output", "progress", "runner_options"}
    for name, raw_value in options.items():
        if name not in known_names:
            hint = (
                did_you_mean(name, sorted(known_names))
                or "the options are those of build-corpus (wikiprep docs options)"
            )
            raise UsageError(f"unknown option {name!r}", hint)
        value = _plain_value(raw_value)
        if value is None:
            continue
        if (name in _FLAGS and not isinstance(value, bool)) or (name in _TEXTS and not isinstance(value, str)):
            expected_type = "True or False" if name in _FLAGS else "a string or a path"
            raise UsageError(f"{name} = {raw_value!r} is of the wrong type", f"it takes {expected_type}")
        if name in _SEVERAL:
            value = (value,) if isinstance(value, str) else value
        if name in _SECTION:
            sections.setdefault(_SECTION[name], {})[name] = value
        else:
            parameters["config_file" if name == "config" else name] = value
    return parameters, sections


def _plain_value(value: Any) -> Any:
    """Paths as text, several values as a tuple."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, list | tuple):
        return tuple(map(_plain_value, value))
    return value
