"""A knowledge graph as it is embedded: the entities and relations that training has, and triples of their numbers."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np
import numpy.typing as npt

PARTS = TRAIN, VALID, TEST = "train", "valid", "test"
Triples = npt.NDArray[np.int32]  # [n, 3]: head, relation, tail
Edge = tuple[int, str, int]  # numbers of two entities, and the name of the relation from the first to the second

# Why lines are no triples of the graph.
REPEATED = "repeated"
UNKNOWN_ENTITY = "entity that train lacks"
UNKNOWN_RELATION = "relation that train lacks"


@dataclass(frozen=True)
class Graph:
    """`parts[part]`: its triples, each once, in the order of the file.

    `read` and `dropped`: lines by part, and those left out of it by reason; read = triples + dropped.

    `layout`: how the files were read, in words. `about`: titles and labels of entities and labels of relations, where
    the files have them. `files`: their sha256 by name.
    """

    entities: tuple[str, ...]
    relations: tuple[str, ...]
    parts: dict[str, Triples]
    read: dict[str, int]
    dropped: dict[str, Counter[str]]
    layout: str
    files: dict[str, str]
    about: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)

    def edges(self) -> Iterator[Edge]:
        """All triples of all parts."""
        for triples in self.parts.values():
            for head, relation, tail in triples.tolist():
                yield head, self.relations[relation], tail

    def leaked(self, part: str) -> int:
        """How many triples of `part` stand between two entities that a triple of train joins too, in either direction.

        Of WN18 nearly all: it has most relations with their inverses (Dettmers et al. 2018).
        """
        count = len(self.entities)

        def pairs(triples: Triples) -> npt.NDArray[np.int64]:
            ends = np.sort(triples[:, ::2].astype(np.int64), axis=1)
            return ends[:, 0] * count + ends[:, 1]

        return int(np.isin(pairs(self.parts[part]), pairs(self.parts[TRAIN])).sum())


def show_embedded(output: str | Path, graph: Graph, metrics: dict[str, Any], *, done: bool) -> None:
    """The graph as it was read, and the figures."""
    click.echo(
        f"{output}: {len(graph.entities):,} entities, {len(graph.relations):,} relations; read as {graph.layout}"
    )
    for part, triples in graph.parts.items():
        dropped = ", ".join(f"{count:,} {reason}" for reason, count in sorted(graph.dropped[part].items()))
        line = f"  {part:6}{len(triples):>10,} triples of {graph.read[part]:,}" + (
            f"; left out: {dropped}" if dropped else ""
        )
        easy = metrics.get(part, {}).get("in_train_either_way")
        click.echo(line + (f"; {easy:,} join entities that train joins too" if part != TRAIN and easy else ""))
    for part, figures in metrics.items():
        if "mrr" in figures:
            hits = ", ".join(f"{figures[f'hits@{k}']:.4f} at {k}" for k in (1, 3, 10))
            click.echo(f"  {part:6}filtered MRR {figures['mrr']:.4f}; hits {hits}")
    if done:
        click.echo("  all of it was there; nothing was trained")
