"""The relation vocabulary: sums of any runs are those of a plain count, with memory for a few rows or for all."""

from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wikiprep.config import RelationsConfig
from wikiprep.corpus.schema import record_schema
from wikiprep.errors import WikiprepError
from wikiprep.tables.relation_vocab import RELATION_VOCAB, RelationCounts, build_relation_vocab

ITEMS = np.array([-1, -1, -1, 10, 20, 30, 40, 4_294_967_295])  # by entity id
Mentions = list[int]
Record = tuple[Mentions, list[tuple[int, int, int]]]


def records(rows: list[Record]) -> pa.RecordBatch:
    """Records of entities and of (head, tail, property)."""
    schema = record_schema(relations=RelationsConfig())
    data = [
        dict.fromkeys(schema.names)
        | {
            "entity_ids": entities,
            "relations": [
                {"head": head % len(entities), "tail": tail % len(entities), "property": p, "rank": 0, "source": 0}
                for head, tail, p in relations
            ],
        }
        for entities, relations in rows
    ]
    return pa.RecordBatch.from_pylist(data, schema=schema)


def properties(folder: Path) -> Path:
    path = folder / "properties.parquet"
    pq.write_table(pa.table({"pid": pa.array([1, 2], pa.int32()), "label": ["one", None]}), path)
    return path


RECORD = st.tuples(
    st.lists(st.integers(3, 7), min_size=1, max_size=5),
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from([1, 2, 3])), max_size=6),
)


@given(st.lists(st.lists(RECORD, max_size=4), min_size=1, max_size=4), st.integers(1, 8), st.integers(1, 8))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
def test_sums_are_those_of_a_plain_count(
    tmp_path_factory: pytest.TempPathFactory, parts: list[list[Record]], run_rows: int, rows: int
) -> None:
    folder = tmp_path_factory.mktemp("vocab")
    files, plain = [], Counter[tuple[int, int, int]]()
    for number, part in enumerate(parts):
        (folder / str(number)).mkdir()
        counts = RelationCounts(ITEMS, folder / str(number), run_rows)
        for row in part:
            counts.add(records([row]))
            entities, relations = row
            plain.update(
                (p, int(ITEMS[entities[h % len(entities)]]), int(ITEMS[entities[t % len(entities)]]))
                for h, t, p in relations
            )
        files += counts.close()
    made = build_relation_vocab(files, properties(folder), folder, rows)
    found = pq.read_table(folder / RELATION_VOCAB).to_pylist()
    total = Counter[int]()
    for (prop, _, _), n in plain.items():
        total[prop] += n
    order = sorted(total, key=lambda prop: (-total[prop], prop))
    assert [tuple(row.values()) for row in found] == [
        (
            place, prop, {1: "one"}.get(prop), total[prop],
            len({t for t in plain if t[0] == prop}),
            len({t[1] for t in plain if t[0] == prop}),
            len({t[2] for t in plain if t[0] == prop}),
        )
        for place, prop in enumerate(order)
    ]  # fmt: skip
    assert made.counts["relations.read"] == total.total()
    kinds = {"labelled": total[1], "without_label": total[2], "unknown_property": total[3]}
    assert {kind: made.counts.get(f"relations.{kind}", 0) for kind in kinds} == kinds


def test_a_lost_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=r"gone\.arrow: not a whole file"):
        build_relation_vocab([tmp_path / "gone.arrow"], properties(tmp_path), tmp_path)
