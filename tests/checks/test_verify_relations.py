"""`wikiprep verify` on relations: in order as built, and every kind of wrong relation is found."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from inline import build
from test_verify import mend, problems, rewrite, with_value, without_row

from wikiprep.sample import dump_path, wikidata_path

VOCABULARY = "tables/relation_vocab.parquet"
Row = dict[str, Any]


@pytest.fixture
def corpus(sample_related: Path, tmp_path: Path) -> Path:
    output = tmp_path / "corpus"
    shutil.copytree(sample_related, output, ignore=shutil.ignore_patterns("_state"))
    return output


def shard(output: Path) -> Path:
    return sorted((output / "records").iterdir())[0]


def changed(output: Path, change: Callable[[Row], None]) -> list[str]:
    """What is found once `change` was made to the first record with two relations or more."""

    def rewritten(table: pa.Table) -> pa.Table:
        rows = table.to_pylist()
        change(next(row for row in rows if len(row["relations"]) > 1))
        return pa.Table.from_pylist(rows, schema=table.schema)

    rewrite(shard(output), rewritten)
    mend(output)
    return problems(output)


def test_the_sample_with_relations_is_in_order(sample_related: Path) -> None:
    assert problems(sample_related) == []


@pytest.mark.parametrize("relations", ["sentence", "record"])
def test_spot_and_whole_records_are_in_order(tmp_path: Path, relations: str) -> None:
    sections = {
        "wikidata": {"wikidata": str(wikidata_path())},
        "records": {"sentence_records": relations == "sentence", "max_seq_length": 256},
        "relations": {"relations": relations, "drop_unrelated": True},
    }
    build(tmp_path, dump_path(), sections=sections)
    assert problems(tmp_path) == []


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("head", -1, "of no mention of their record"),
        ("tail", 9_999, "of no mention of their record"),
        ("property", 9_999, "not in Wikidata's triples with that rank"),
        ("property", 9_999, f"{VOCABULARY}: 1 properties of records are not in it, such as P9999"),
        ("rank", 1, "not in Wikidata's triples with that rank"),
        ("source", 1, "another source than their mentions"),
    ],
)
def test_a_wrong_relation_is_found(corpus: Path, field: str, value: int, problem: str) -> None:
    def change(row: Row) -> None:
        assert row["relations"][0][field] != value
        row["relations"][0][field] = value

    found = changed(corpus, change)
    assert any(problem in line for line in found), found
    assert any(shard(corpus).name in line for line in found)


def test_order_sentences_and_self_relations_are_looked_at(corpus: Path) -> None:
    def change(row: Row) -> None:
        row["relations"].reverse()
        row["relations"][0]["tail"] = row["relations"][0]["head"]
        row["sentence_starts"] = list(range(len(row["sentence_starts"])))  # all before the mentions, or among them

    found = " ".join(changed(corpus, change))
    assert "not in order of head, tail and property" in found
    assert "lead from an entity to itself" in found


def test_a_relation_across_sentences_is_found(corpus: Path) -> None:
    def change(row: Row) -> None:
        first = row["relations"][0]
        later = max(row["entity_starts"][first[end]] for end in ("head", "tail"))
        row["sentence_starts"] = sorted({*row["sentence_starts"], later})

    assert any("between mentions of two sentences" in line for line in changed(corpus, change))


def test_a_lost_relation_is_found(corpus: Path) -> None:
    found = changed(corpus, lambda row: row["relations"].pop())
    assert any("the manifest counts" in line and "relations" in line for line in found)
    assert any("counts differ from the records" in line for line in found)


def test_items_of_mentions_are_looked_at(corpus: Path) -> None:
    def change(row: Row) -> None:
        known = next(i for i, entity in enumerate(row["entity_ids"]) if entity != 1)
        row["entity_qids"][known] = 5

    assert any("items of mentions are not those of their entities" in line for line in changed(corpus, change))
    assert any("more or fewer items" in line for line in changed(corpus, lambda row: row["entity_qids"].pop()))


def test_the_vocabulary_is_looked_at(corpus: Path) -> None:
    rewrite(corpus / VOCABULARY, lambda table: with_value(table, "count", 1, 0))
    mend(corpus)
    found = problems(corpus)
    assert any("counts differ" in line for line in found) and any("not in order of count" in line for line in found)
    rewrite(corpus / VOCABULARY, lambda table: without_row(table, 1))
    mend(corpus)
    assert any("properties of records are not in it" in line for line in problems(corpus))


def test_records_that_do_not_say_what_was_looked_up(corpus: Path) -> None:
    rewrite(shard(corpus), lambda table: table.replace_schema_metadata({b"wikiprep.schema": b"records/1"}))
    mend(corpus)
    assert any("does not say that mentions of a sentence were looked up" in line for line in problems(corpus))
