"""--densify in a build: counted by source, refused where it cannot be, and without it nothing changes."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from building import DATA, built, hashes, manifest, wikiprep
from inline import build, job_of, rows
from tiny_wiki import MENTIONS, build_tiny, tiny_dump

from wikiprep.checks import check_corpus
from wikiprep.errors import UsageError
from wikiprep.files import Store
from wikiprep.manifest import read_manifest
from wikiprep.stages.build import stages_of


@pytest.fixture(scope="module")
def dense(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dense")
    return build_tiny(folder / "corpus", folder, densify=True, min_sentence_length=1)


def found(output: Path) -> list[tuple[str, str, str, int]]:
    """(page, text, entity, source) of every mention of the records, in order."""
    import orjson

    titles = {i: t for t, i in orjson.loads((output / "tokenizer" / "entity_vocab.json").read_bytes()).items()}
    return [
        (row["title"], row["text"][start:end], titles[entity], source)
        for row in rows(output, "records")
        for start, end, entity, source in zip(
            row["entity_char_starts"], row["entity_char_ends"], row["entity_ids"], row["entity_sources"], strict=True
        )
    ]


def test_later_mentions_and_subjects_are_marked(dense: Path) -> None:
    made = found(dense)
    assert [m[1:] for m in made if m[0] == "Solar System"] == [
        ("Mercury", "Mercury (planet)", 0),
        ("Sun", "Sun", 0),
        ("Mercury", "Mercury (planet)", 1),
        ("Sun", "Sun", 1),
        ("Venus", "Venus", 0),
        ("Mercury", "Mercury (planet)", 1),
        ("Venus", "Venus (goddess)", 0),
        ("Solar System", "Solar System", 2),
        ("Mercury", "Mercury (planet)", 1),
    ]
    assert [m[1:] for m in made if m[0] == "Rome"] == [
        ("Rome", "Rome", 2),
        ("東京", "Tokyo", 0),
        ("東京", "Tokyo", 1),
        ("東京", "Tokyo", 1),
    ]
    assert ("Mercury (planet)", "Mercury", "Mercury (planet)", 2) in made
    assert ("Gold", "gold", "Gold", 2) not in made, "exactly the name: the title is Gold"
    assert [m[1:3] for m in made if m[0] == "Tokyo" and m[3] == 2] == []


def test_the_manifest_says_how_many_by_source(dense: Path) -> None:
    counts = manifest(dense)["counts"]["records"]
    sources = [source for *_, source in found(dense)]
    assert counts["added.densified"] == sources.count(1) > 0
    assert counts["added.subject"] == sources.count(2) > 0
    assert counts["links.entity"] + counts.get("links.unk", 0) == sources.count(0)
    equations = {e["name"]: e for e in manifest(dense)["equations"]}
    for name in ("spans added to links", "names of pages"):
        assert sum(equations[name]["parts"].values()) == equations[name]["total"] > 0
    store = Store(str(dense))
    assert list(check_corpus(store, read_manifest(store))) == []


def test_without_it_records_are_as_they_were_and_links_are_the_same_with_it(dense: Path, tmp_path: Path) -> None:
    options: dict[str, Any] = {"min_sentence_length": 1}
    plain = build_tiny(tmp_path / "plain", tmp_path, **options)
    build(tmp_path / "none", tiny_dump(tmp_path), sections={"records": {"text": True, **options}})
    names = [name for name in hashes(plain) if name.startswith("records/")]
    assert names
    for name in names:  # the qid is of page_props alone
        with_counts, without = (
            [{k: v for k, v in row.items() if k != "qid"} for row in rows(folder, name)]
            for folder in (plain, tmp_path / "none")
        )
        assert with_counts == without
    links = [[m[:3] for m in found(folder) if m[3] == 0] for folder in (plain, dense)]
    assert links[0] == links[1]
    assert {m[3] for m in found(plain)} == {0}


def test_the_command_turns_the_counts_on_and_updates(tmp_path: Path) -> None:
    dump = tiny_dump(tmp_path)
    words = (dump, "--tokenizer", str(Path(__file__).parents[2] / "wikiprep" / "sample" / "tokenizer"), "--quiet")
    plain = built(tmp_path / "out", *words, "--mentions")
    before = hashes(tmp_path / "out")
    dense = built(tmp_path / "out", *words, "--densify", "--update")
    assert dense["counts"]["records"]["added.densified"] > 0
    assert "added.found" not in plain["counts"]["records"]
    changed = {name for name, now in hashes(tmp_path / "out").items() if before.get(name) != now}
    assert {name.split("/")[0] for name in changed} == {"records", "manifest.json", "config.toml", "README.md"}
    built(tmp_path / "out", *words, "--mentions", "--update")
    assert hashes(tmp_path / "out") == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--densify", "--no-mentions"), "--densify needs the mention statistics"),
        (("--densify", "--compat", "luke-2020"), "--densify and --compat luke-2020 exclude each other"),
    ],
)
def test_what_excludes_it(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    done = wikiprep("build-corpus", "--sample", "--output", tmp_path / "out", *words)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


def test_own_text_is_told_the_way(tmp_path: Path) -> None:
    text, vocab = tmp_path / "t.jsonl", tmp_path / "v.tsv"
    text.write_text('{"title": "A", "text": "A"}\n')
    vocab.write_text("[PAD]\t0\n[UNK]\t0\n[MASK]\t0\n")
    done = wikiprep(
        "records", "--from", text, "--vocab", vocab, "--language", "en", "--output", tmp_path / "out", "--densify"
    )
    assert done.returncode == 2
    assert "wikiprep annotate" in done.stderr


def test_a_job_of_own_text_is_refused(tmp_path: Path) -> None:
    sections = {"input": {"language": "en"}, "records": {"densify": True}}
    with pytest.raises(UsageError, match="--densify needs the mention statistics"):
        stages_of(job_of(tmp_path / "out", sections=sections, annotated="t.jsonl", vocab="v.tsv"))


@pytest.mark.parametrize("name", ["arabic.xml", "portuguese.xml"])
def test_other_languages(tmp_path: Path, name: str) -> None:
    sections = MENTIONS | {"records": {"text": True, "densify": True}, "vocabulary": {"vocab_targets": "linked"}}
    build(tmp_path / "out", DATA / name, sections=sections)
    made = found(tmp_path / "out")
    assert any(source for *_, source in made)
    for title, text, entity, source in made:
        if source == 2:
            assert entity == title or text in title
    shutil.rmtree(tmp_path / "out")
