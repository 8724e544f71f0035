"""A folder of knowledge is opened, or refused in one line that names the file."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("safetensors", reason="safetensors is not installed: pip install '.[knowledge]'")
from toy_graph import TITLES, write_toy_graph

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.knowledge.folder import ENTITIES, VECTORS, open_knowledge


def test_vectors_names_and_triples(tmp_path: Path) -> None:
    knowledge = open_knowledge(write_toy_graph(tmp_path))
    assert knowledge.entity_table["name"] == TITLES and knowledge.entities.shape == (8, 6)
    assert knowledge.edges == {(0, 0, 1), (3, 1, 4)}
    assert knowledge.phi(knowledge.entities[:1], 1).shape == (1, 6)


def test_relations_of_transr_may_have_a_space_of_their_own(tmp_path: Path) -> None:
    changed = {"relations": np.ones((2, 3)), "relations.matrix": np.ones((2, 6, 3))}
    knowledge = open_knowledge(write_toy_graph(tmp_path, "TransR", **changed))
    assert knowledge.phi(knowledge.entities, 0).shape == (8, 3)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    folder = write_toy_graph(tmp_path)
    (folder / VECTORS).write_bytes((folder / VECTORS).read_bytes()[:100])
    with pytest.raises(WikiprepError, match=rf"{tmp_path.name}: cannot be read .*\n.*anew with wikiprep kg-embed"):
        open_knowledge(folder)


def test_what_has_no_vector_of_numbers_is_named(tmp_path: Path) -> None:
    broken = np.zeros((8, 6))
    broken[5, 2] = np.nan
    with pytest.raises(WikiprepError, match=rf"{VECTORS}: Rome has no vector of numbers \(entities, row 5\)"):
        open_knowledge(write_toy_graph(tmp_path, entities=broken))
    with pytest.raises(WikiprepError, match=r"beside has no vector of numbers \(relations, row 1\)"):
        open_knowledge(write_toy_graph(tmp_path, relations=np.array([[1.0] * 6, [np.inf] * 6])))


def test_vectors_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=f"{VECTORS}: vectors of relations have 4 numbers, entities 6"):
        open_knowledge(write_toy_graph(tmp_path, relations=np.ones((2, 4))))
    with pytest.raises(WikiprepError, match=rf"{ENTITIES}: names 8, but {VECTORS} has vectors of 7"):
        open_knowledge(write_toy_graph(tmp_path, entities=np.ones((7, 6))))


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"is no folder of kg-embed"):
        open_knowledge(tmp_path)
    (tmp_path / "run.json").touch()
    with pytest.raises(UsageError, match=r"is not finished.*\n.*it goes on"):
        open_knowledge(tmp_path)
