"""Write wikiprep/api/build_options.py, the keywords of `wikiprep.build`, from the options: type checkers ask for them.

`python docs/make_build_options.py`; `tests/api/test_build.py` compares.
"""

from dataclasses import Field, fields
from pathlib import Path
from typing import Any, get_args, get_origin

from wikiprep.config import PRESETS, Config, RunOptions, ServerOptions

PLACE = Path(__file__).parents[1] / "wikiprep" / "api" / "build_options.py"
HEAD = '''"""The options of `wikiprep.build`: those of build-corpus, with underscores, and what each of them may be.

Made by docs/make_build_options.py: do not edit it by hand. What an option does is said in `config.py`.
"""

import os
from collections.abc import Sequence
from typing import Literal, TypedDict

Path = str | os.PathLike[str]


class TextOptions(TypedDict, total=False):
    """Those of the text of articles, which `wikiprep.extract` takes too."""

'''
BUILD = '''

class BuildOptions(TextOptions, total=False):
    """By keyword, as on the command line: `vocab_size=50_000`, `mentions=True`. None is the same as not given."""

    sample: bool
    config: Path | None
'''
# Of the command alone: no field of a dataclass.
COMMAND = """    runner: str | None
    update: bool
    overwrite: bool
"""
OF_BUILDS = ("max_page_mb", "template_table")  # options of text that `extract` has no use for, or of its own
PATHS = ("scratch", "cache", "tokenizer")  # whose names count, not their content


def module() -> str:
    """The file."""
    made = [HEAD]
    text = fields(Config().extract)
    made += [_line(f) for f in text if f.name not in OF_BUILDS]
    made += [BUILD, f"    preset: {_literal(tuple(PRESETS))} | None\n"]
    made += [_line(f) for f in fields(RunOptions) if f.name != "quiet"]
    made += [_line(f) for f in fields(ServerOptions)]
    made += [COMMAND]
    for section in fields(Config):
        options = fields(getattr(Config(), section.name))
        made += [_line(f) for f in options if section.name != "extract" or f.name in OF_BUILDS]
    return "".join(made)


def _line(f: "Field[Any]") -> str:
    return f"    {f.name}: {_kind(f)} | None\n"


def _kind(f: "Field[Any]") -> str:
    if f.metadata["choices"]:
        return _literal(f.metadata["choices"])
    if get_origin(f.type) is tuple:
        return "Path | Sequence[Path]" if f.metadata["path"] else "str | Sequence[str]"
    if f.metadata["path"] or f.name in PATHS:
        return "Path"
    kind = next(k for k in (get_args(f.type) or (f.type,)) if k is not type(None))
    return str(kind.__name__)


def _literal(choices: tuple[str, ...]) -> str:
    return "Literal[" + ", ".join(f'"{choice}"' for choice in choices) + "]"


if __name__ == "__main__":
    PLACE.write_text(module(), encoding="utf-8")
