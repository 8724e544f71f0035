"""`wikiprep coverage`: what it prints, and what it draws."""

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.manifest import read_manifest
from wikiprep.tables.coverage import coverage_of

SVG = "{http://www.w3.org/2000/svg}"


def test_as_json_it_is_the_same(sample_corpus: Path) -> None:
    done = CliRunner().invoke(cli, ["coverage", str(sample_corpus), "--json"])
    found, store = json.loads(done.stdout), Store(str(sample_corpus))
    curve = coverage_of(store, read_manifest(store))
    assert (found["links"], found["whole"]) == (curve.links, True)
    sizes = [it["vocab_size"] for it in found["sizes"]]
    assert 100 in sizes and sizes[-1] == curve.largest and found["vocab_size"] in sizes
    assert [it["share"] for it in found["sizes"]] == curve.share(sizes)
    assert [it["vocab_size"] for it in found["shares"]] == [curve.size_for(it["share"]) for it in found["shares"]]


def test_it_prints_sizes_and_shares(sample_corpus: Path) -> None:
    done = CliRunner().invoke(cli, ["coverage", str(sample_corpus)])
    assert done.exit_code == 0, done.output
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in done.output.splitlines() if "│" in line]
    store = Store(str(sample_corpus))
    curve, counts = coverage_of(store, read_manifest(store)), read_manifest(store).counts["vocabulary"]
    assert ["100", f"{curve.share([100])[0]:.2%}", f"{curve.least(100)}", ""] in cells
    assert [f"{curve.largest}", f"{curve.share([curve.largest])[0]:.2%}", "1", "this corpus"] in cells
    assert ["50%", f"{curve.size_for(0.5)}"] in cells
    assert ["80%", "none"] in cells  # so many links lead out of the sample
    lost = {word: counts[f"vocabulary.links.lost.{word.replace(' ', '_')}"] for word in ("disambiguation", "missing")}
    assert lost["missing"] > 100
    assert ", ".join(f"{word} {n}" for word, n in lost.items()) in done.output


def test_the_picture_is_written_and_the_same_each_time(sample_corpus: Path, tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        done = CliRunner().invoke(cli, ["coverage", str(sample_corpus), "--svg", str(tmp_path / name)])
        assert done.exit_code == 0, done.output
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    texts = [e.text for e in ElementTree.parse(tmp_path / "a.svg").iter(f"{SVG}text")]
    store = Store(str(sample_corpus))
    curve = coverage_of(store, read_manifest(store))
    assert f"a  this corpus, {curve.largest}: {curve.share([curve.largest])[0]:.1%}" in texts
    assert f"corpus: {curve.links:,} links" in texts
    text = (tmp_path / "a.svg").read_text()
    assert "var(" not in text and "#0102" not in text  # colours of its own: no page gives it any


def test_a_folder_where_the_picture_cannot_be(sample_corpus: Path, tmp_path: Path) -> None:
    with pytest.raises((WikiprepError, OSError), match=r"x\.svg"):
        cli.main(["coverage", str(sample_corpus), "--svg", str(tmp_path / "no" / "x.svg")], standalone_mode=False)


def test_a_picture_that_cannot_be_written_has_a_hint_of_its_own(sample_corpus: Path, tmp_path: Path) -> None:
    words = ["coverage", str(sample_corpus), "--svg"]
    with pytest.raises(UsageError, match="--svg names no file"):
        cli.main([*words, ""], standalone_mode=False)
    (tmp_path / "full.svg").symlink_to("/dev/full")
    with pytest.raises(WikiprepError, match=r"full\.svg: No space left on device\n  no whole picture"):
        cli.main([*words, str(tmp_path / "full.svg")], standalone_mode=False)


def test_a_cut_vocabulary_is_named(sample_corpus: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut"
    shutil.copytree(sample_corpus, cut, ignore=shutil.ignore_patterns("_state"))
    with (cut / "tables" / "entity_vocab.parquet").open("r+b") as file:
        file.truncate(700)
    with pytest.raises(WikiprepError, match=r"cut/tables/entity_vocab\.parquet: not a whole Parquet file\n"):
        cli.main(["coverage", str(cut)], standalone_mode=False)
