"""The model families by name; each is imported when it is asked for."""

import importlib

from wikiprep.errors import UsageError
from wikiprep.pretrain.family import MakeFamily
from wikiprep.pretrain.trained import OpenTrained

FAMILIES = {"luke": "wikiprep.pretrain.luke.make"}  # name -> module with a function `make`
# The same for weights that are to be asked: module with `open_trained`. The family's `about` writes NAME.json.
TRAINED = {"luke": "wikiprep.pretrain.luke.trained"}


def family_named(name: str) -> MakeFamily:
    """The maker of a family: one of ours, or that of a module of yours. Raises UsageError where there is none."""
    try:
        make: MakeFamily = importlib.import_module(FAMILIES.get(name, name)).make
    except (ModuleNotFoundError, AttributeError) as error:
        known = f"known: {', '.join(FAMILIES)}; or name a module with a function `make`"
        raise UsageError(f"no model family {name!r} ({error})", known) from error
    return make


def trained_named(name: str) -> OpenTrained:
    """What opens the trained weights of a family of ours."""
    opener: OpenTrained = importlib.import_module(TRAINED[name]).open_trained
    return opener
