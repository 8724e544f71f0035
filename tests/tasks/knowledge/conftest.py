"""Folders of embedded knowledge (knowledge/toy_graph.py)."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from toy_graph import write_toy_graph


@pytest.fixture(scope="session")
def make_graph(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """`write_toy_graph` into a new folder."""

    def make(model: str = "TransE", size: int = 6, **changed: np.ndarray) -> Path:
        return write_toy_graph(tmp_path_factory.mktemp("graph"), model, size, **changed)

    return make


@pytest.fixture(scope="session")
def graph(make_graph: Callable[..., Path]) -> Path:
    """TransE's."""
    return make_graph()
