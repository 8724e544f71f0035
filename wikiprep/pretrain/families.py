"""The model families by name; each is imported when it is asked for."""

import importlib
from collections.abc import Mapping

from wikiprep.errors import UsageError
from wikiprep.pretrain.family import CorpusFiles, CorpusRelations, MakeFamily
from wikiprep.pretrain.trained import OpenFolder, OpenTrained

# Name -> module with functions `make`, `corpus_files` and, of one that learns relations, `corpus_relations`.
FAMILIES = {"luke": "wikiprep.pretrain.luke.make_family", "spot": "wikiprep.pretrain.spot.make_family"}
# The same for weights that are to be asked: module with `open_trained`. The family's `about` writes NAME.json.
TRAINED = {"luke": "wikiprep.pretrain.luke.trained", "spot": "wikiprep.pretrain.spot.trained"}

# What opens folders of Hugging Face's models: one module knows all the kinds that there are.
_FOLDERS = "wikiprep.pretrain.luke.open_folder"


def family_named(name: str) -> MakeFamily:
    """The maker of a family: one of ours, or that of a module of yours. Raises UsageError where there is none."""
    try:
        make: MakeFamily = importlib.import_module(FAMILIES.get(name, name)).make
    except (ImportError, AttributeError, TypeError, ValueError) as error:  # the last two: no name of a module
        hint = f"known: {', '.join(FAMILIES)}; or name a module with a function `make`"
        raise UsageError(f"no model family {name!r} ({error})", hint) from error
    return make


def corpus_files_of(name: str, options: Mapping[str, Mapping[str, object]]) -> tuple[str, ...]:
    """Which files of a corpus the family reads; of a module of yours that does not say so all but records and pages."""
    corpus_files: CorpusFiles | None = getattr(importlib.import_module(FAMILIES.get(name, name)), "corpus_files", None)
    return corpus_files(options) if corpus_files else ("tokenizer/", "tables/")


def corpus_relations_of(name: str, options: Mapping[str, Mapping[str, object]]) -> str:
    """Which relations the family learns: see `CorpusRelations`."""
    corpus_relations: CorpusRelations | None = getattr(
        importlib.import_module(FAMILIES.get(name, name)), "corpus_relations", None
    )
    return corpus_relations(options) if corpus_relations else ""


def trained_named(name: str) -> OpenTrained:
    """What opens the trained weights of a family of ours. Raises UsageError for one that cannot be asked yet."""
    if name not in TRAINED:
        raise UsageError(f"a model of the family {name} can be trained, but not be asked", f"{', '.join(TRAINED)} can")
    opener: OpenTrained = importlib.import_module(TRAINED[name]).open_trained
    return opener


def folder_opener() -> OpenFolder:
    """What opens a folder of Hugging Face's."""
    opener: OpenFolder = importlib.import_module(_FOLDERS).open_folder
    return opener
