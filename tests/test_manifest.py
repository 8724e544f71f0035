"""manifest.json as one value: its bytes are those that it was read from, and a damaged section is told by its name."""

import pickle
from pathlib import Path
from typing import Any

import orjson
import pytest

import wikiprep
from wikiprep.counts import Count
from wikiprep.errors import WikiprepError
from wikiprep.files import Store
from wikiprep.input_facts import InputFacts, InputFile
from wikiprep.manifest import MANIFEST, read_manifest, read_plain_manifest


def sections() -> dict[str, Any]:
    """A manifest of a dump, with everything that a build can write."""
    return {
        "schema": "manifest/1",
        "preset": "luke",
        "versions": {"wikiprep": "0.1", "numpy": "2"},
        "rules": {"inputs": "0123456789ab", "records": "ba9876543210"},
        "inputs": {
            "files": [{"name": "d.xml", "size": 7, "sha256": "00"}],
            "language": "en",
            "site": {"dbname": "enwiki", "base": ""},
            "missing_parts": ["e.xml"],
            "known_damage": ["lines"],
        },
        "options": {"inputs": {"files": []}, "records": {"records": {"text": True}}},
        "fingerprints": {"inputs": "aa", "records": "bb"},
        "counts": {"inputs": {"files": 1}, "records": {"records.written": 3, "records.dropped.no_entity": 1}},
        "equations": [{"name": "records", "whole": "records.found", "total": 4, "parts": {"records.written": 3}}],
        "facts": {"records": {"lost_pages": [[5, "Title", "memory", "detail"]]}},
        "warnings": ["a warning"],
        "files": [
            {"path": "records/part-0.arrow", "size": 30, "sha256": "01"},
            {"path": "tables/pages.parquet", "size": 12, "sha256": "02"},
        ],
    }


def written(folder: Path, data: dict[str, Any]) -> Store:
    """A corpus of this manifest alone."""
    (folder / MANIFEST).write_bytes(orjson.dumps(data, option=orjson.OPT_SORT_KEYS | orjson.OPT_INDENT_2) + b"\n")
    return Store(str(folder))


def test_a_build_s_manifest_gives_its_bytes_again(sample_corpus: Path, tiny_corpus: Path) -> None:
    for corpus in (sample_corpus, tiny_corpus):
        assert read_manifest(Store(str(corpus))).to_bytes() == (corpus / MANIFEST).read_bytes()


def test_every_section_is_read_and_gives_its_bytes_again(tmp_path: Path) -> None:
    store = written(tmp_path, sections())
    manifest = read_manifest(store)
    assert manifest.to_bytes() == store.read(MANIFEST)
    assert manifest.inputs == InputFacts(
        files=[InputFile(name="d.xml", size=7, sha256="00")],
        language="en",
        site={"dbname": "enwiki", "base": ""},
        missing_parts=["e.xml"],
        known_damage=["lines"],
    )
    assert {type(key) for counts in manifest.counts.values() for key in counts} == {Count}
    assert pickle.loads(pickle.dumps(manifest)) == manifest


def test_what_readers_ask_of_it(tmp_path: Path) -> None:
    manifest = read_manifest(written(tmp_path, sections()))
    assert manifest.has_stage("records") and not manifest.has_stage("relations")
    assert manifest.counts_of("inputs") == {"files": 1} and manifest.counts_of("relations") == {}
    assert manifest.options_of("records")["records"] == {"text": True} and manifest.options_of("relations") == {}
    assert list(manifest.facts_of("records")) == ["lost_pages"] and manifest.facts_of("inputs") == {}
    assert manifest.paths("records/") == ["records/part-0.arrow"] and len(manifest.paths()) == 2
    assert manifest.files_by_path()["tables/pages.parquet"].sha256 == "02"
    assert manifest.total_size == 42
    assert manifest.versions_line == "numpy 2, wikiprep 0.1"
    assert (manifest.inputs.of_site("dbname"), manifest.inputs.of_site("case")) == ("enwiki", None)


def test_text_of_one_s_own_has_no_site(tmp_path: Path) -> None:
    data = sections()
    for name in ("site", "missing_parts", "known_damage"):
        del data["inputs"][name]
    store = written(tmp_path, data)
    manifest = read_manifest(store)
    assert manifest.inputs.of_site("dbname") is None
    assert manifest.to_bytes() == store.read(MANIFEST)


def test_a_manifest_older_than_rules_and_versions_is_read(tmp_path: Path) -> None:
    data = sections()
    del data["rules"], data["versions"]["wikiprep"]
    manifest = read_manifest(written(tmp_path, data))
    assert (manifest.rules, manifest.wikiprep_version) == ({}, "unknown")


def test_what_another_version_wrote_beside_is_passed_over(tmp_path: Path) -> None:
    data = sections() | {"new": 1}
    for place in (data["inputs"], data["inputs"]["files"][0], data["files"][0], data["equations"][0]):
        place["new"] = 1
    store = written(tmp_path, data)
    assert read_manifest(store) == read_manifest(written(tmp_path, sections()))


@pytest.mark.parametrize("name", sorted(sections().keys() - {"schema", "rules"}))
def test_an_absent_section_is_told(tmp_path: Path, name: str) -> None:
    data = sections()
    del data[name]
    told = rf"/manifest\.json: its section {name} is missing\n.*give the build's command again"
    with pytest.raises(WikiprepError, match=told):
        read_manifest(written(tmp_path, data))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("preset", None),
        ("versions", {"numpy": 2}),
        ("rules", ["0123456789ab"]),
        ("inputs", []),
        ("inputs", {"files": [], "language": None}),
        ("inputs", {"language": "en"}),
        ("inputs", {"files": [{"name": "d.xml", "size": "7", "sha256": "00"}], "language": "en"}),
        ("inputs", {"files": [], "language": "en", "site": "enwiki"}),
        ("inputs", {"files": [], "language": "en", "missing_parts": "e.xml"}),
        ("options", {"records": None}),
        ("fingerprints", {"records": None}),
        ("counts", {"records": 3}),
        ("counts", {"records": {"records.written": "3"}}),
        ("equations", {"records": {}}),
        ("equations", [{"name": "records", "whole": "records.found", "total": 4}]),
        ("facts", []),
        ("warnings", "a warning"),
        ("files", {}),
        ("files", ["records/part-0.arrow"]),
        ("files", [{"path": "records/part-0.arrow", "size": 30}]),
    ],
)
def test_a_section_of_another_form_is_told(tmp_path: Path, name: str, value: object) -> None:
    store = written(tmp_path, sections() | {name: value})
    told = rf"/manifest\.json: its section {name} is not as a build writes it\n.*take a whole copy"
    with pytest.raises(WikiprepError, match=told):
        read_manifest(store)


def test_users_have_it_as_a_dict_as_the_file_has_it(tmp_path: Path) -> None:
    data = sections() | {"new": 1}
    store = written(tmp_path, data)
    assert read_plain_manifest(store) == data
    (tmp_path / "articles").mkdir()
    corpus = wikiprep.open(tmp_path)
    assert (corpus.manifest, corpus.language) == (data, "en")
