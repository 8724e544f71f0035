"""Vocabulary files of others: every format, ids kept, and errors that name file and line."""

import gzip
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tables.vocab_files import VocabRow, read_vocabulary, vocabulary_gaps

SPECIALS = [VocabRow(0, "[PAD]", 0), VocabRow(1, "[UNK]", 0), VocabRow(2, "[MASK]", 0)]
ROWS = [*SPECIALS, VocabRow(3, "Fox", 9), VocabRow(7, "東京", 4), VocabRow(8, "Category:Foxes", 4)]


def jsonl(path: Path, *lines: Any) -> Path:
    path.write_text("".join(line + "\n" if isinstance(line, str) else json.dumps(line) + "\n" for line in lines))
    return path


def plain(row: VocabRow) -> dict[str, Any]:
    return {"id": row.id, "title": row.title, "count": row.count}


def multilingual(tmp_path: Path) -> Path:
    return jsonl(
        tmp_path / "v.jsonl",
        *[{"id": r.id, "entities": [[r.title, "ja"], [r.title, "en"]], "count": 0} for r in SPECIALS],
        {"id": 3, "entities": [["Fox", "en"], ["キツネ", "ja"], ["Red fox", "en"]], "count": 9},
        {"id": 5, "entities": [["猫", "ja"]], "count": 2},
    )


def test_json_lines(tmp_path: Path) -> None:
    assert read_vocabulary(jsonl(tmp_path / "v.jsonl", *map(plain, ROWS))) == ROWS


def test_json_lines_in_any_order_without_counts_compressed(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl.gz"
    lines = [json.dumps({"id": r.id, "title": r.title}) for r in reversed(ROWS)]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    assert [(r.id, r.title, r.count) for r in read_vocabulary(path)] == [(r.id, r.title, 0) for r in ROWS]


def test_tsv_ids_are_line_numbers(tmp_path: Path) -> None:
    path = tmp_path / "v.tsv"
    path.write_text("[PAD]\t0\n[UNK]\t0\r\n[MASK]\t0\nA\tB\t12\n")
    assert read_vocabulary(path) == [*SPECIALS, VocabRow(3, "A\tB", 12)]


def test_entity_vocab_json(tmp_path: Path) -> None:
    mapping = {r.title: r.id for r in ROWS} | {"[MASK2]": 9, "Star Wars: A": 10, "en:wiki": 11}
    path = tmp_path / "entity_vocab.json"
    for indent in (None, 2):
        path.write_text(json.dumps(mapping, indent=indent))
        assert {r.title: r.id for r in read_vocabulary(path, "en")} == mapping


def test_multilingual_entity_vocab_json(tmp_path: Path) -> None:
    path = tmp_path / "entity_vocab.json"
    mapping = {
        "[MASK]": 2,
        "[PAD]": 0,
        "[UNK]": 1,
        "[MASK2]": 9,
        "en:Fox": 3,
        "ja:キツネ": 3,
        "zh-yue:x": 4,
        "en:A:b": 5,
    }
    path.write_text(json.dumps(mapping))
    wanted = [*SPECIALS, VocabRow(3, "Fox", 0), VocabRow(5, "A:b", 0), VocabRow(9, "[MASK2]", 0)]
    assert read_vocabulary(path, "en") == wanted
    assert read_vocabulary(path, "zh-yue")[3] == VocabRow(4, "x", 0)
    with pytest.raises(UsageError, match="no entity in language 'fr'"):
        read_vocabulary(path, "fr")
    with pytest.raises(UsageError, match="several languages"):
        read_vocabulary(path)


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "v.parquet"
    table = {"id": [r.id for r in ROWS], "title": [r.title for r in ROWS], "count": [r.count for r in ROWS]}
    pq.write_table(pa.table({**table, "page_id": pa.nulls(len(ROWS), pa.int64())}), path)
    assert read_vocabulary(path) == ROWS
    shared = {"id": [0, 1, 2, 3, 3], "title": ["[PAD]", "[UNK]", "[MASK]", "Fox", "Red fox"]}
    pq.write_table(pa.table(shared), path)
    assert [row.id for row in read_vocabulary(path)] == shared["id"]
    pq.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(WikiprepError, match="has columns a, not id and title"):
        read_vocabulary(path)
    path.write_bytes(b"PAR1 and no more")
    with pytest.raises(WikiprepError, match="not a whole Parquet file"):
        read_vocabulary(path)


def test_json_lines_of_several_languages(tmp_path: Path) -> None:
    path = multilingual(tmp_path)
    assert read_vocabulary(path, "en") == [*SPECIALS, VocabRow(3, "Fox", 9), VocabRow(3, "Red fox", 9)]
    assert read_vocabulary(path, "ja") == [*SPECIALS, VocabRow(3, "キツネ", 9), VocabRow(5, "猫", 2)]
    with pytest.raises(UsageError, match=r"v\.jsonl: has no entity in language 'fr'") as error:
        read_vocabulary(path, "fr")
    assert "en, ja" in error.value.hint
    with pytest.raises(UsageError, match="several languages"):
        read_vocabulary(path)


def test_entities_without_a_language_are_for_all(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "v.jsonl", *[{"id": r.id, "entities": [[r.title, None]], "count": r.count} for r in ROWS])
    assert read_vocabulary(path, "fr") == read_vocabulary(path) == ROWS


def test_the_only_language_need_not_be_named(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "v.jsonl", *[{"id": r.id, "entities": [[r.title, "en"]], "count": r.count} for r in ROWS])
    assert read_vocabulary(path) == ROWS


def test_published_files(shared_data: Path) -> None:
    tsv = read_vocabulary(shared_data / "luke" / "enwiki_20181220_entvocab_100.tsv")
    assert tsv[:5] == [
        *SPECIALS,
        VocabRow(3, "Race and ethnicity in the United States Census", 284050),
        VocabRow(4, "United States", 261500),
    ]
    both = shared_data / "luke" / "en_ja_multilingual_vocab_test.jsonl"
    assert [r.id for r in read_vocabulary(both, "ja")] == [0, 1, 2, 3, 4, 5]
    assert read_vocabulary(both, "en") == SPECIALS
    golden = read_vocabulary(shared_data / "luke" / "golden-3pages" / "vocab.jsonl")
    assert (len(golden), vocabulary_gaps(golden)) == (249, [])


def test_gaps() -> None:
    assert vocabulary_gaps(ROWS) == [(4, 6)]
    assert vocabulary_gaps([VocabRow(2, "a", 0), VocabRow(2, "b", 0), VocabRow(4, "c", 0)]) == [(0, 1), (3, 3)]


BAD: list[tuple[list[Any], str]] = [
    ([*map(plain, ROWS), {"id": 3, "title": "Hen"}], r"v:7: id 3 of 'Hen' is that of 'Fox' \(line 4\)"),
    ([*map(plain, ROWS), {"id": 9, "title": "Fox"}], r"v:7: title 'Fox' .* twice \(first: line 4\)"),
    ([*map(plain, ROWS), "{"], "v:7: invalid JSON"),
    ([*map(plain, ROWS), [1]], "v:7: .* not an object"),
    ([*map(plain, ROWS), {"title": "x"}], "v:7: id is None"),
    ([*map(plain, ROWS), {"id": -1, "title": "x"}], "v:7: id is -1"),
    ([*map(plain, ROWS), {"id": 2**31, "title": "x"}], "v:7: id is 2147483648"),
    ([*map(plain, ROWS), {"id": True, "title": "x"}], "v:7: id is True"),
    ([*map(plain, ROWS), {"id": "9", "title": "x"}], "v:7: id is '9'"),
    ([*map(plain, ROWS), {"id": 9, "title": ""}], "v:7: title is ''"),
    ([*map(plain, ROWS), {"id": 9, "title": "x", "count": "many"}], "v:7: count is 'many'"),
    ([*map(plain, ROWS), {"id": 9, "entities": []}], 'v:7: "entities" is'),
    ([*map(plain, ROWS), {"id": 9, "entities": ["x"]}], r"v:7: 'x' is not \[title, language\]"),
    ([plain(r) for r in ROWS if r.title != "[UNK]"], r"v: \[UNK\] missing"),
    ([plain(ROWS[3])], r"v: \[PAD\], \[UNK\], \[MASK\] missing"),
    ([{**plain(r), "id": (r.id + 1) % 3 if r.id < 3 else r.id} for r in ROWS], "v: special entities have ids"),
    ([], "v: is empty"),
    (["[PAD]\t0", "", "[UNK]\t0"], "v:2: blank line"),
    (["[PAD]\t0", "[UNK] 0"], "v:2: .* is not title<TAB>count"),
    (["[PAD]\t0", "[UNK]\tx"], "v:2: .* is not title<TAB>count"),
    (["[PAD]\t0", "[PAD]\t0"], r"v:2: title '\[PAD\]'"),
    (["<!DOCTYPE html>"], "v:1: .* is not title<TAB>count"),
    (['{"a": 1.5}'], "v: id of 'a' is 1.5"),
    (['{"a": 3}'], "v: .*missing"),
    (["{"], "v: invalid JSON"),
    ([[1, 2]], "v:1: .* is not title<TAB>count"),
]


@pytest.mark.parametrize(("lines", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_files(tmp_path: Path, lines: list[Any], message: str) -> None:
    with pytest.raises(WikiprepError, match=message):
        read_vocabulary(jsonl(tmp_path / "v", *lines))


def test_bad_bytes(tmp_path: Path) -> None:
    path = tmp_path / "v"
    path.write_bytes(b"[PAD]\t0\n\xff\t1\n")
    with pytest.raises(WikiprepError, match="v:2: not UTF-8"):
        read_vocabulary(path)
    with pytest.raises(WikiprepError, match="no such file"):
        read_vocabulary(tmp_path / "none")


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8), unique=True), st.data())
def test_formats_agree(tmp_path_factory: pytest.TempPathFactory, titles: list[str], data: st.DataObject) -> None:
    # "Fox" shows that the others' prefixes are no languages.
    titles = ["Fox", *[t for t in titles if t not in ("[PAD]", "[UNK]", "[MASK]", "Fox") and not set("\r\n") & set(t)]]
    rows = [*SPECIALS, *[VocabRow(n, t, data.draw(st.integers(0, 9))) for n, t in enumerate(titles, 3)]]
    folder = tmp_path_factory.mktemp("v")
    tsv = folder / "v.tsv"
    tsv.write_text("".join(f"{r.title}\t{r.count}\n" for r in rows), encoding="utf-8", newline="")
    assert read_vocabulary(tsv) == rows
    assert read_vocabulary(jsonl(folder / "v.jsonl", *map(plain, rows))) == rows
    assert read_vocabulary(jsonl(folder / "v.json", {r.title: r.id for r in rows}), "en")[:3] == SPECIALS


def test_memory_a_row_is_modest(tmp_path: Path) -> None:
    path = tmp_path / "v.jsonl"
    with path.open("w") as f:
        for number, title in enumerate([r.title for r in SPECIALS] + [f"Title of a page {n}" for n in range(50_000)]):
            f.write(f'{{"id": {number}, "title": "{title}", "count": 1000}}\n')
    tracemalloc.start()
    rows = read_vocabulary(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(rows) == 50_003
    assert peak < 50_003 * 400 + 8_000_000  # bytes: 1 M rows stay under half a gigabyte
