"""`wikiprep verify` finds what was changed, one thing at a time, and is silent where all is in order."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from building import DATA, TOKENIZER
from click.testing import CliRunner
from inline import build, job_of, rows, run_stages

from wikiprep.checks import check_corpus
from wikiprep.cli.main import cli
from wikiprep.files import Store, sha256_of
from wikiprep.manifest import read_manifest
from wikiprep.sample import dump_path


@pytest.fixture
def corpus(sample_corpus: Path, tmp_path: Path) -> Path:
    output = tmp_path / "corpus"
    shutil.copytree(sample_corpus, output, ignore=shutil.ignore_patterns("_state"))
    return output


def problems(output: Path) -> list[str]:
    store = Store(str(output))
    return list(check_corpus(store, read_manifest(store)))


def mend(output: Path, change: Callable[[dict[str, Any]], None] = lambda manifest: None) -> None:
    """Give the manifest the sizes and checksums that the files have now, as a careful forger would."""
    manifest = orjson.loads((output / "manifest.json").read_bytes())
    for entry in manifest["files"]:
        entry["size"] = (output / entry["path"]).stat().st_size
        entry["sha256"] = sha256_of(output / entry["path"])
    change(manifest)
    (output / "manifest.json").write_bytes(orjson.dumps(manifest))


def rewrite(path: Path, change: Callable[[pa.Table], pa.Table]) -> None:
    if path.suffix == ".arrow":
        with pa.memory_map(str(path)) as source:
            table = pa.ipc.open_file(source).read_all()
        changed = change(table)
        del table
        with pa.OSFile(str(path.with_suffix(".new")), "wb") as sink, pa.ipc.new_file(sink, changed.schema) as writer:
            writer.write_table(changed)
        path.with_suffix(".new").replace(path)
    else:
        pq.write_table(change(pq.read_table(path)), path)


def with_value(table: pa.Table, column: str, row: int, value: object) -> pa.Table:
    values = table[column].to_pylist()
    values[row] = value
    at = table.schema.get_field_index(column)
    return table.set_column(at, table.schema.field(at), pa.array(values, table.schema.field(at).type))


def without_row(table: pa.Table, row: int) -> pa.Table:
    return table.filter(pa.array([i != row for i in range(table.num_rows)]))


def part(output: Path, folder: str, number: int = 1) -> Path:
    return sorted((output / folder).iterdir())[number]


# What is in order.


def test_the_sample_is_in_order(sample_corpus: Path) -> None:
    assert problems(sample_corpus) == []


def test_all_link_targets_and_disambiguation_pages_are_in_order(sample_linked: Path) -> None:
    assert problems(sample_linked) == []


@pytest.mark.parametrize("until", ["extract", "pages", "links", "vocabulary", "tokenizer"])
def test_a_build_up_to_a_stage_is_in_order(tmp_path: Path, until: str) -> None:
    build(tmp_path, DATA / "namespaces.xml", until=until)
    assert problems(tmp_path) == []


@pytest.mark.parametrize("name", ["arabic", "genre56", "india", "namespaces", "odd_titles", "portuguese"])
@pytest.mark.parametrize("vocabulary", [{}, {"vocab_targets": "linked"}, {"keep_disambiguation": True}])
def test_small_dumps_are_in_order(tmp_path: Path, name: str, vocabulary: dict[str, object]) -> None:
    build(tmp_path, DATA / f"{name}.xml", sections={"input": {"range_mb": 0.004}, "vocabulary": vocabulary})
    assert problems(tmp_path) == []


@pytest.mark.parametrize("compat", [None, "luke-2020"])
def test_annotated_text_is_in_order(tmp_path: Path, compat: str | None) -> None:
    output = annotated(tmp_path, compat=compat)
    assert problems(output) == []
    assert not (output / "tables" / "pages.parquet").exists()


def annotated(folder: Path, compat: str | None = None) -> Path:
    text = "Ada Lovelace wrote the first program for the Analytical Engine in the year 1843."
    lines: list[object] = [
        {"redirects": [["Ada", "Ada Lovelace"]]},
        {"title": "A", "text": text, "links": [{"target": "Ada", "start": 0, "end": 12}]},
        {"title": "A", "text": text, "links": [{"target": "Ada Lovelace", "start": 0, "end": 12}]},
        {"title": "B", "text": text, "links": [{"target": "Engine", "start": 45, "end": 62}]},
    ]
    (folder / "text.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (folder / "vocab.tsv").write_text("[PAD]\t0\n[UNK]\t0\n[MASK]\t0\nAda Lovelace\t2\nEngine\t1\n")
    job = job_of(
        folder / "corpus",
        annotated=str(folder / "text.jsonl"),
        vocab=str(folder / "vocab.tsv"),
        sections={"input": {"language": "en"}, "records": {"compat": compat}},
    )
    run_stages(job)
    return folder / "corpus"


# What is not.


def test_a_changed_byte(corpus: Path) -> None:
    path = part(corpus, "records")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert f"records/{path.name}: its sha256 is not the manifest's" in problems(corpus)


@pytest.mark.parametrize("folder", ["articles", "records", "rejects"])
def test_a_missing_file(corpus: Path, folder: str) -> None:
    path = part(corpus, folder)
    path.unlink()
    assert f"{folder}/{path.name}: missing" in problems(corpus)


@pytest.mark.parametrize(
    "path",
    [
        "tables/pages.parquet", "tables/redirects.parquet", "tables/entity_vocab.parquet", "tables/titles.marisa",
        "tokenizer/tokenizer.json", "tokenizer/entity_vocab.json", "config.toml", "README.md",
    ],
)  # fmt: skip
def test_a_missing_table(corpus: Path, path: str) -> None:
    (corpus / path).unlink()
    assert f"{path}: missing" in problems(corpus)


def test_a_shorter_file(corpus: Path) -> None:
    path = corpus / "tables" / "redirects.parquet"
    path.write_bytes(path.read_bytes()[:-10])
    found = problems(corpus)
    assert any(p.startswith("tables/redirects.parquet: ") and "the manifest says" in p for p in found)
    assert any(p.startswith("cannot be counted again") for p in found)


def test_an_extra_file(corpus: Path) -> None:
    shutil.copy(part(corpus, "articles"), corpus / "articles" / "part-99999-of-00007.parquet")
    assert problems(corpus) == ["articles/part-99999-of-00007.parquet: not in the manifest"]


def test_a_lost_article_is_found_by_counts_and_by_pointers(corpus: Path) -> None:
    path = part(corpus, "articles")
    lost = pq.read_table(path)["page_id"][0].as_py()
    rewrite(path, lambda table: without_row(table, 0))
    mend(corpus)
    found = problems(corpus)
    assert f"tables/pages.parquet: documents without a row in articles/: 1, such as {lost}" in found
    assert any("pages.article, the manifest counts 115" in p for p in found)


def test_an_article_that_no_page_has(corpus: Path) -> None:
    rewrite(part(corpus, "articles"), lambda table: with_value(table, "page_id", 0, 987654321))
    mend(corpus)
    assert any("rows without a page in tables/pages.parquet: 1, such as 987654321" in p for p in problems(corpus))


def test_an_entity_beyond_the_vocabulary(corpus: Path) -> None:
    path = part(corpus, "records")

    def change(table: pa.Table) -> pa.Table:
        row = next(i for i, ids in enumerate(table["entity_ids"].to_pylist()) if ids[0] != 1)
        return with_value(table, "entity_ids", row, [5000, *table["entity_ids"][row].as_py()[1:]])

    rewrite(path, change)
    mend(corpus)
    assert problems(corpus) == [f"records/{path.name}: entity ids outside the vocabulary: 1, such as 5000"]


def test_a_record_of_a_page_that_is_no_document(corpus: Path) -> None:
    path = part(corpus, "records")
    redirect = pq.read_table(corpus / "tables" / "redirects.parquet")["page_id"][0].as_py()
    rewrite(path, lambda table: with_value(table, "page_id", 0, redirect))
    mend(corpus)
    assert problems(corpus) == [f"records/{path.name}: pages that are no documents: 1, such as {redirect}"]


def test_a_lost_record(corpus: Path) -> None:
    rewrite(part(corpus, "records"), lambda table: without_row(table, 0))
    mend(corpus)
    assert any("records.written, the manifest counts 143" in p for p in problems(corpus))


def test_a_redirect_that_ends_at_no_document(corpus: Path) -> None:
    path = corpus / "tables" / "redirects.parquet"
    table = pq.read_table(path)
    row = table["status"].to_pylist().index("resolved")
    rewrite(path, lambda table: with_value(table, "final", row, "Nowhere at all"))
    mend(corpus)
    title = table["title"][row].as_py()
    assert problems(corpus) == [f"tables/redirects.parquet: 1 redirects end at no document, such as {title!r}"]


def test_an_entity_whose_page_is_no_document(corpus: Path) -> None:
    path = corpus / "tables" / "entity_vocab.parquet"
    title = pq.read_table(path)["title"][5].as_py()
    rewrite(path, lambda table: with_value(table, "page_id", 5, 987654321))
    mend(corpus)
    expected = f"tables/entity_vocab.parquet: 1 entities whose page is no document, such as {title!r}"
    assert problems(corpus) == [expected]


def test_an_entity_without_a_page_where_all_must_exist(corpus: Path) -> None:
    rewrite(corpus / "tables" / "entity_vocab.parquet", lambda table: with_value(table, "page_id", 5, None))
    mend(corpus)
    assert [p for p in problems(corpus) if "1 entities without a page" in p]


def test_a_lost_entity(corpus: Path) -> None:
    path = corpus / "tables" / "entity_vocab.parquet"
    rare = len(pq.read_table(path)) - 2  # before [MASK2]
    rewrite(path, lambda table: without_row(table, rare))
    mend(corpus)
    found = problems(corpus)
    assert any("holds 115 entities, the manifest counts 116" in p for p in found)
    assert any("entity ids outside the vocabulary" in p for p in found)


def test_a_lost_page_and_a_lost_redirect(corpus: Path) -> None:
    rewrite(corpus / "tables" / "pages.parquet", lambda t: t.filter(pc.not_equal(t["kind"], "other_namespace")))
    rewrite(corpus / "tables" / "redirects.parquet", lambda table: without_row(table, 3))
    mend(corpus)
    found = problems(corpus)
    assert any("holds 0 pages.other_namespace, the manifest counts 25" in p for p in found)
    assert any("holds 58 redirects, the manifest counts 59" in p for p in found)


@pytest.mark.parametrize(
    ("stage", "key"),
    [
        ("extract", "pages.article"), ("extract", "links.kept"), ("extract", "links.dropped.table"),
        ("pages", "redirects.read"), ("pages", "redirects.one_hop"), ("links", "links.missing.direct"),
        ("vocabulary", "vocabulary.links.covered"), ("records", "records.written"), ("records", "sentences.found"),
    ],
)  # fmt: skip
def test_a_count_changed_in_the_manifest(corpus: Path, stage: str, key: str) -> None:
    def change(manifest: dict[str, Any]) -> None:
        manifest["counts"][stage][key] += 1

    mend(corpus, change)
    assert problems(corpus)


def equation_of_pages(manifest: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(e for e in manifest["equations"] if e["name"] == "pages")
    return found


def test_an_equation_changed_in_the_manifest(corpus: Path) -> None:
    def change(manifest: dict[str, Any]) -> None:
        equation_of_pages(manifest)["total"] += 1

    mend(corpus, change)
    assert "manifest.json: pages: pages.read is 204, its parts sum to 203" in problems(corpus)


def test_every_equation_changed_together_with_its_count(corpus: Path) -> None:
    """A forger who keeps the sums closed is found by counting the files."""

    def change(manifest: dict[str, Any]) -> None:
        counts = manifest["counts"]["extract"]
        counts["pages.article"] += 1
        counts["pages.redirect"] -= 1
        parts = equation_of_pages(manifest)["parts"]
        parts["pages.article"] += 1
        parts["pages.redirect"] -= 1

    mend(corpus, change)
    assert problems(corpus) == ["articles/: holds 115 pages.article, the manifest counts 116"]


def test_the_command_says_what_is_wrong_and_exits_with_1(corpus: Path) -> None:
    good = CliRunner().invoke(cli, ["verify", str(corpus)])
    assert good.exit_code == 0
    assert "all as the manifest says" in good.output
    part(corpus, "articles").unlink()
    bad = CliRunner().invoke(cli, ["verify", str(corpus)])
    assert bad.exit_code == 1
    assert "missing" in bad.output
    assert "not in order" in bad.output


def test_a_corpus_made_by_the_stages_alone_holds_what_the_command_makes(sample_corpus: Path, tmp_path: Path) -> None:
    """The fixtures of the tests are what a user gets."""
    from building import built, hashes

    words = ["--sample", "--range-mb", "0.05", "--text", "--workers", "2"]
    built(tmp_path / "corpus", *words)
    assert hashes(tmp_path / "corpus") == hashes(sample_corpus)
    assert dump_path().is_file()
    assert TOKENIZER.is_dir()
    assert len(rows(sample_corpus, "articles")) == 119


def test_an_entity_of_another_name_than_its_page_is_found(corpus: Path) -> None:
    rewrite(corpus / "tables/entity_vocab.parquet", lambda table: with_value(table, "title", 5, "Nobody"))
    mend(corpus)
    assert any("1 entities with another title than their page, such as 'Nobody'" in p for p in problems(corpus))


@pytest.mark.parametrize("special", [0, 2])
def test_padding_and_masks_are_no_entities_of_a_text(corpus: Path, special: int) -> None:
    path = next((corpus / "records").iterdir())

    def change(table: pa.Table) -> pa.Table:
        ids = table["entity_ids"].to_pylist()
        return with_value(table, "entity_ids", 0, [special, *ids[0][1:]])

    rewrite(path, change)
    mend(corpus)
    assert f"records/{path.name}: entity ids outside the vocabulary: 1, such as {special}" in problems(corpus)


def test_a_changed_count_of_an_entity_is_found(corpus: Path) -> None:
    rewrite(corpus / "tables" / "entity_vocab.parquet", lambda table: with_value(table, "count", 5, 10_000))
    mend(corpus)
    assert any("links to entities" in problem for problem in problems(corpus))


def test_json_and_table_of_the_vocabulary_must_agree(corpus: Path) -> None:
    path = corpus / "tokenizer" / "entity_vocab.json"
    ids = orjson.loads(path.read_bytes())
    ids[next(title for title, number in ids.items() if number == 7)] = 8
    path.write_bytes(orjson.dumps(ids))
    mend(corpus)
    assert any("entity_vocab.json" in problem for problem in problems(corpus))


def test_a_word_outside_the_tokenizer_is_found(corpus: Path) -> None:
    path = part(corpus, "records", 0)
    with pa.memory_map(str(path)) as source:
        words = pa.ipc.open_file(source).read_all()["word_ids"][0].as_py()
    rewrite(path, lambda table: with_value(table, "word_ids", 0, [999_999, *words[1:]]))
    mend(corpus)
    assert any("word ids outside the tokenizer" in problem for problem in problems(corpus))


def test_what_a_later_build_reads_is_checked_too(sample_corpus: Path, tmp_path: Path) -> None:
    output = tmp_path / "corpus"
    shutil.copytree(sample_corpus, output)
    assert not problems(output)
    counts = sorted((output / "_state" / "links" / "counts").iterdir())
    flip(counts[0])
    counts[1].write_bytes(counts[1].read_bytes()[:-1])
    counts[2].unlink()
    plan, receipt = output / "_state/links/plan.json", output / "_state/links/units" / f"{counts[3].stem}.json"
    plan.write_bytes(plan.read_bytes()[:-3])
    receipt.write_bytes(receipt.read_bytes().replace(b'"files"', b'"fires"'))
    said = "\n".join(problems(output))
    for path, what in (
        (counts[0], "its sha256 is not its receipt's"),
        (counts[1], "its receipt says"),
        (counts[2], "missing"),
        (plan, "is damaged"),
        (receipt, "is damaged (KeyError)"),
    ):
        assert any(str(path.relative_to(output)) in line and what in line for line in said.splitlines()), (path, said)


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
