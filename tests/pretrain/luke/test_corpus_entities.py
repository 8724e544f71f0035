"""Redirects of a corpus: read where entities are matched, and in Arrow where only their digest is wanted."""

from collections.abc import Iterable
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import torch
from safetensors.torch import save_file

from wikiprep.pretrain.luke.corpus_entities import (
    read_entities,
    redirect_lines,
    redirects_of,
    vocabulary_path,
    write_entity_redirects,
)
from wikiprep.pretrain.luke.start_from import start_digest


def test_lines_are_those_of_the_table(sample_corpus: Path) -> None:
    known = redirects_of(sample_corpus)
    assert known and list(redirect_lines(sample_corpus)) == sorted(f"{a}\t{b}".encode() for a, b in known.items())


def test_none_of_a_corpus_without(tmp_path: Path) -> None:
    assert list(redirect_lines(tmp_path)) == []


def test_those_that_end_at_an_entity_are_kept(sample_corpus: Path, tmp_path: Path) -> None:
    entities = read_entities(vocabulary_path(sample_corpus))
    write_entity_redirects(sample_corpus, tmp_path / "kept.parquet")
    table = pq.read_table(tmp_path / "kept.parquet")
    expected = sorted((a, b) for a, b in redirects_of(sample_corpus).items() if b in entities.ids)
    assert expected and list(zip(table["title"].to_pylist(), table["final"].to_pylist(), strict=True)) == expected


def test_a_checkpoint_without_entities_asks_for_no_redirects(tmp_path: Path) -> None:
    """Ten million of them took 15 s and 3.5 GB at each start from a RoBERTa."""
    save_file({"a": torch.zeros(1)}, tmp_path / "model.safetensors")
    (tmp_path / "config.json").write_text("{}")

    def asked() -> Iterable[bytes]:
        raise AssertionError("redirects are read")

    assert start_digest(str(tmp_path), asked)
    (tmp_path / "entity_vocab.json").write_text("{}")
    with pytest.raises(AssertionError, match="redirects are read"):
        start_digest(str(tmp_path), asked)
    assert start_digest(str(tmp_path), lambda: [b"A\tB"]) != start_digest(str(tmp_path), lambda: [b"A\tC"])
