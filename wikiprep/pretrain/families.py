"""The model families by name; each is imported when it is asked for."""

import importlib

from wikiprep.errors import UsageError
from wikiprep.pretrain.family import MakeFamily

FAMILIES = {"luke": "wikiprep.pretrain.luke.make"}  # name -> module with a function `make`


def family_named(name: str) -> MakeFamily:
    """The maker of a family. Raises UsageError for a name that is not there."""
    if name not in FAMILIES:
        raise UsageError(f"no model family {name!r}", f"known: {', '.join(FAMILIES)}")
    make: MakeFamily = importlib.import_module(FAMILIES[name]).make
    return make
