"""A graph as `--knowledge` gives it to a task: vectors of entities and relations, and the look-up of words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from wikiprep.errors import WikiprepError

Floats = npt.NDArray[np.float32]
Span = tuple[int, int]
# Tables of relations that phi takes, by model; `[R, d]` but for projections, [R, d, d].
RELATIONS: Mapping[str, tuple[str, ...]] = {
    "transe": ("relations",),
    "rotate": ("relations",),
    "pairre": ("relations", "relations_tail"),
    "transr": ("relations", "projections"),
}


class Lookup(Protocol):
    """Which entity a subword is of."""

    def rows(
        self, text: str, offsets: Sequence[Span], tags: Sequence[tuple[int, int, str]] = ()
    ) -> npt.NDArray[np.int64]:
        """Of each subword the row of its word's entity, -1 where there is none. `offsets`: its characters [start, end)
        of `text`; `tags`: parts of speech of words [start, end), where the data set brings them."""
        ...


@dataclass(frozen=True, eq=False)
class Knowledge:
    """`entities` [N, d]; `relations`: as `RELATIONS` has them; `digest`: of all that decides vectors and look-up."""

    where: str
    model: str
    entities: Floats
    relations: Mapping[str, Floats]
    lookup: Lookup
    digest: str

    def checked(self) -> "Knowledge":
        """Itself. Raises WikiprepError for a model without phi, tables that do not fit, and what is no number."""
        if self.model not in RELATIONS:
            raise WikiprepError(
                f"{self.where}: {self.model} says of no entity what stands in a relation to it",
                f"train one that does: wikiprep kg-embed --model {' or '.join(RELATIONS)}",
            )
        size = self.entities.shape[1]
        for name in RELATIONS[self.model]:
            table = self.relations.get(name)
            wanted = (size, size) if name == "projections" else (size,)
            if table is None or table.shape[1:] != wanted:
                found = "missing" if table is None else "of " + " x ".join(map(str, table.shape[1:]))
                raise WikiprepError(
                    f"{self.where}: the relations' {name!r} are {found}, entities have {size} numbers",
                    "entities and relations need one size: train with the same --dim for both",
                )
        for name, table in {"entities": self.entities, **self.relations}.items():
            bad = np.flatnonzero(~np.isfinite(table.reshape(len(table), -1)).all(axis=1))
            if len(bad):
                raise WikiprepError(
                    f"{self.where}: row {bad[0]} of {name!r} is no vector of numbers",
                    "train it anew: wikiprep kg-embed",
                )
        return self
