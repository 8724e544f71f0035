"""The model families by name; each is imported when it is asked for."""

import importlib

from wikiprep.errors import UsageError
from wikiprep.pretrain.family import MakeFamily

FAMILIES = {"luke": "wikiprep.pretrain.luke.make"}  # name -> module with a function `make`


def family_named(name: str) -> MakeFamily:
    """The maker of a family: one of ours, or that of a module of yours. Raises UsageError where there is none."""
    try:
        make: MakeFamily = importlib.import_module(FAMILIES.get(name, name)).make
    except (ModuleNotFoundError, AttributeError) as error:
        known = f"known: {', '.join(FAMILIES)}; or name a module with a function `make`"
        raise UsageError(f"no model family {name!r} ({error})", known) from error
    return make
