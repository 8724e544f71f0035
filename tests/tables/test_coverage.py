"""The share of links covered, for every size, against the vocabularies that were really built with that size."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inline import build, rows, write_dump, xml_page

from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import read_manifest
from wikiprep.sample import dump_path
from wikiprep.tables.coverage import Curve, coverage_of


def curve_of(output: Path) -> Curve:
    store = Store(str(output))
    return coverage_of(store, read_manifest(store))


def test_shares_and_sizes_by_hand() -> None:
    curve = Curve(np.array([6, 3, 1], np.int64), 20, True)
    assert curve.share([1, 3, 4, 5, 6, 100]) == [0.0, 0.0, 0.3, 0.45, 0.5, 0.5]
    assert [curve.size_for(share) for share in (0.0, 0.3, 0.31, 0.5, 0.51)] == [3, 4, 5, 6, None]
    assert [curve.least(size) for size in (3, 4, 6, 100)] == [0, 6, 1, 1]
    assert curve.largest == 6


@pytest.mark.parametrize("options", [{}, {"vocab_targets": "linked"}, {"keep_disambiguation": True}])
def test_a_vocabulary_of_any_size_covers_what_the_curve_says(tmp_path: Path, options: dict[str, Any]) -> None:
    build(tmp_path / "all", dump_path(), sections={"vocabulary": options}, until="tables")
    curve = curve_of(tmp_path / "all")
    assert curve.whole
    for size in (4, 20, 57, curve.largest):
        output = tmp_path / str(size)
        shutil.copytree(tmp_path / "all", output)
        commits = build(output, dump_path(), sections={"vocabulary": options | {"vocab_size": size}}, until="tables")
        counts = commits["vocabulary"].counts
        assert curve.links == counts["vocabulary.links"]
        assert curve.share([size]) == [counts["vocabulary.links.covered"] / counts["vocabulary.links"]]
        table = rows(output, "tables/entity_vocab.parquet")
        assert table[size - 1]["count"] == curve.least(size)
        assert table[size - 1]["cumulative_share"] == pytest.approx(curve.share([size])[0])
        # The same curve, whatever vocabulary was built.
        assert curve_of(output).counts.tolist() == curve.counts.tolist()


def test_without_the_state_the_curve_ends_with_the_vocabulary(tmp_path: Path) -> None:
    build(tmp_path, dump_path(), sections={"vocabulary": {"vocab_size": 20}}, until="tables")
    whole = curve_of(tmp_path)
    shutil.rmtree(tmp_path / "_state")
    cut = curve_of(tmp_path)
    assert not cut.whole
    assert cut.links == whole.links
    assert cut.counts.tolist() == whole.counts[:17].tolist()


def test_a_folder_without_a_counted_vocabulary(tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "d.xml", xml_page(1, "A", "Some words with a link to [[B]]."))
    build(tmp_path / "out", dump, until="extract")
    with pytest.raises(WikiprepError, match=r"no vocabulary that was counted here\n.*wikiprep tables"):
        curve_of(tmp_path / "out")
    (tmp_path / "t.jsonl").write_text('{"title": "A", "text": "Some words of B.", "links": []}\n')
    (tmp_path / "v.tsv").write_text("[PAD]\t0\n[UNK]\t0\n[MASK]\t0\nB\t1\n")
    build(
        tmp_path / "own", annotated=str(tmp_path / "t.jsonl"), vocab=str(tmp_path / "v.tsv"),
        sections={"input": {"language": "en"}, "records": {"include_sentences_without_entities": True,
                                                           "min_sentence_length": 1}},
    )  # fmt: skip
    with pytest.raises(WikiprepError, match=r"no vocabulary that was counted here\n.*given with --vocab"):
        curve_of(tmp_path / "own")
