"""A folder as `wikiprep kg-embed` writes it, of a few titles, with random vectors."""

from pathlib import Path

import numpy as np
import orjson
import pytest

from wikiprep.knowledge.folder import ABOUT, ENTITIES, RELATIONS, TRIPLES, VECTORS, write_table

TITLES = ("Rain", "Stone", "Fire", "House", "Tree", "Rome", "Ann_(singer)", "Sun")


def write_toy_graph(folder: Path, model: str = "TransE", size: int = 6, **changed: np.ndarray) -> Path:
    """Of a model, with two relations; `changed`: other tables by their names. Skips where safetensors is missing."""
    numpy = pytest.importorskip("safetensors.numpy")
    drawn = np.random.default_rng(4)
    tables = {"entities": drawn.normal(size=(len(TITLES), size)), "relations": drawn.normal(size=(2, size))}
    if model == "PairRE":
        tables["relations.tail"] = drawn.uniform(0.5, 1, size=(2, size))
    if model == "TransR":
        tables["relations.matrix"] = drawn.normal(size=(2, size, size))
    numpy.save_file({name: t.astype(np.float32) for name, t in (tables | changed).items()}, folder / VECTORS)
    numpy.save_file({"train": np.array([[0, 0, 1], [3, 1, 4]], np.int32)}, folder / TRIPLES)
    write_table(folder / ENTITIES, {"name": TITLES})
    write_table(folder / RELATIONS, {"name": ("falls_on", "beside")})
    (folder / ABOUT).write_bytes(orjson.dumps({"model": model}))
    return folder
