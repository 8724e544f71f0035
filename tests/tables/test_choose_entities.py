"""The entity vocabulary: order, ids, what enters, what is lost, and the same bytes from any number of parts."""

import hashlib
import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from make_tables import counts_of, is_main, page, pages_of, write_articles

from wikiprep.config import VocabularyConfig
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.storage.tables import TableResult
from wikiprep.tables.choose_entities import build_vocabulary
from wikiprep.tables.entity_vocab import (
    VOCAB_ARRAYS,
    VOCAB_JSON,
    VOCAB_PARQUET,
    VOCAB_TRIE,
    EntityVocab,
    open_entity_items,
    write_vocabulary,
)
from wikiprep.tables.link_counts import count_links
from wikiprep.tables.title_lookup import TitleTable

FILES = (VOCAB_PARQUET, VOCAB_JSON, VOCAB_TRIE, VOCAB_ARRAYS)
PAGES = [
    page(10, "India"),
    page(11, "China"),
    page(12, "Angola"),
    page(13, "Bharat", target="India"),
    page(14, "Republic of India", target="Bharat"),
    page(15, "Mercury", "disambiguation"),
    page(16, "Loop", target="Loop"),
    page(17, "Zambia"),
    page(18, "Ægir"),
]
LINKS = [
    ("India", ["China", "Angola", "Ægir", "Mercury", "Loop", "Nowhere", "Category:India"]),
    ("China", ["India", "Bharat", "Republic of India", "India", "India"]),
]


def vocabulary(folder: Path, config: VocabularyConfig | None = None, **options: object) -> TableResult:
    pages_of(folder, PAGES)
    config = config or VocabularyConfig(**options)
    counts, _ = counts_of(folder, LINKS, keep=config.keep_disambiguation)
    return build_vocabulary([counts], folder, folder, config)


def entries(folder: Path) -> list[tuple[int, str, int | None, int]]:
    table = pq.read_table(folder / VOCAB_PARQUET)
    return [(row["id"], row["title"], row["page_id"], row["count"]) for row in table.to_pylist()]


def test_most_frequent_first_then_by_title(tmp_path: Path) -> None:
    made = vocabulary(tmp_path)
    assert entries(tmp_path) == [
        (0, "[PAD]", None, 0),
        (1, "[UNK]", None, 0),
        (2, "[MASK]", None, 0),
        (3, "India", 10, 5),
        (4, "Angola", 12, 1),
        (5, "China", 11, 1),
        (6, "Ægir", 18, 1),
        (7, "[MASK2]", None, 0),
    ]
    assert made.counts == {
        "vocabulary.links": 11,
        "vocabulary.links.covered": 8,
        "vocabulary.links.lost.missing": 1,
        "vocabulary.links.lost.disambiguation": 1,
        "vocabulary.links.lost.unresolved_redirect": 1,
        "vocabulary.links.lost.outside": 0,
        "vocabulary.size": 8,
        "vocabulary.entities": 4,
        "vocabulary.special_tokens": 4,
        "also.vocabulary.white_list.entered": 0,
        "also.vocabulary.white_list.unknown": 0,
    }
    assert made.warnings == ()
    share = pq.read_table(tmp_path / VOCAB_PARQUET)["cumulative_share"].to_pylist()
    assert share == pytest.approx([0, 0, 0, 5 / 11, 6 / 11, 7 / 11, 8 / 11, 8 / 11])


def test_look_ups_and_the_json_for_hugging_face(tmp_path: Path) -> None:
    vocabulary(tmp_path)
    vocab = EntityVocab.open(tmp_path)
    assert len(vocab) == 8
    assert (vocab.id("India"), vocab.id("Bharat"), vocab.id("[MASK]")) == (3, None, None)
    assert [vocab.title(i) for i in range(8)] == [title for _, title, _, _ in entries(tmp_path)]
    assert (vocab.page_id(3), vocab.page_id(1)) == (10, None)
    assert vocab.specials == {"[PAD]": 0, "[UNK]": 1, "[MASK]": 2, "[MASK2]": 7}
    with pytest.raises(KeyError):
        vocab.title(8)
    loaded = json.loads((tmp_path / VOCAB_JSON).read_text(encoding="utf-8"))
    assert loaded == {title: i for i, title, _, _ in entries(tmp_path)}


def test_size_counts_three_special_tokens(tmp_path: Path) -> None:
    made = vocabulary(tmp_path, vocab_size=5)
    assert [row[1] for row in entries(tmp_path)] == ["[PAD]", "[UNK]", "[MASK]", "India", "Angola", "[MASK2]"]
    assert made.counts["vocabulary.links.lost.outside"] == 2
    with pytest.raises(UsageError, match="no room"):
        vocabulary(tmp_path, vocab_size=3)


def test_min_count(tmp_path: Path) -> None:
    vocabulary(tmp_path, min_count=2)
    assert [row[1] for row in entries(tmp_path)[3:-1]] == ["India"]


def test_linked_targets_enter_without_a_page(tmp_path: Path) -> None:
    made = vocabulary(tmp_path, vocab_targets="linked")
    assert entries(tmp_path)[3:-1] == [
        (3, "India", 10, 5),
        (4, "Angola", 12, 1),
        (5, "China", 11, 1),
        (6, "Nowhere", None, 1),
        (7, "Ægir", 18, 1),
    ]
    assert made.counts["vocabulary.links.covered"] == 9
    with pytest.raises(UsageError, match="unknown"):
        vocabulary(tmp_path, vocab_targets="all")


def test_disambiguation_pages_by_option(tmp_path: Path) -> None:
    vocabulary(tmp_path, keep_disambiguation=True)
    assert (6, "Mercury", 15, 1) in entries(tmp_path)


@pytest.mark.parametrize("targets", ["existing", "linked"])
def test_the_white_list_enters_whatever_its_count(tmp_path: Path, targets: str) -> None:
    white = tmp_path / "white.txt"
    white.write_text("\ufeffZambia\nRepublic_of India\nÆgir\n\nAtlantis\nMercury\n", encoding="utf-8")
    made = vocabulary(tmp_path, vocab_size=6, vocab_targets=targets, white_list=str(white))
    assert [row[1:] for row in entries(tmp_path)[3:-1]] == [("India", 10, 5), ("Ægir", 18, 1), ("Zambia", 17, 0)]
    assert made.counts["also.vocabulary.white_list.entered"] == 3
    assert "2 titles of the white list" in made.warnings[0]
    assert "Atlantis, Mercury" in made.warnings[0]
    with pytest.raises(UsageError, match="cannot read the white list"):
        vocabulary(tmp_path, white_list=str(tmp_path / "nowhere.txt"))
    with pytest.raises(UsageError, match="white list"):
        vocabulary(tmp_path, vocab_size=4, white_list=str(white))


def test_links_lost_are_counted_and_where_all_are_the_option_is_named(tmp_path: Path) -> None:
    pages_of(tmp_path, PAGES)
    counts, _ = counts_of(tmp_path, [("India", ["X", "Y", "Z", "China"])])
    made = build_vocabulary([counts], tmp_path, tmp_path, VocabularyConfig())
    assert made.counts["vocabulary.links.lost.missing"] == 3  # what is said of it: test_red_links.py
    assert made.warnings == ()
    counts, _ = counts_of(tmp_path, [("India", ["X", "Y", "Z"])])
    with pytest.raises(WikiprepError, match=r"vocabulary is empty(.|\n)*--vocab-targets linked"):
        build_vocabulary([counts], tmp_path, tmp_path, VocabularyConfig())


def test_a_text_without_links_has_special_tokens_only(tmp_path: Path) -> None:
    pages_of(tmp_path, PAGES)
    counts, _ = counts_of(tmp_path, [("India", [])])
    made = build_vocabulary([counts], tmp_path, tmp_path, VocabularyConfig())
    assert (made.counts["vocabulary.size"], made.counts["vocabulary.entities"]) == (4, 0)
    assert len(EntityVocab.open(tmp_path)) == 4


def test_stray_blanks_make_no_second_entity(tmp_path: Path) -> None:
    """wikipedia2vec#38: the extractor normalises; here five links to one title are one row."""
    pages_of(tmp_path, PAGES)
    counts, _ = counts_of(tmp_path, [("China", ["India"] * 5)])
    build_vocabulary([counts], tmp_path, tmp_path, VocabularyConfig())
    assert entries(tmp_path)[3:-1] == [(3, "India", 10, 5)]
    assert not [row for row in entries(tmp_path) if row[1] != row[1].strip(" _")]


TITLES = [f"P{i}" for i in range(15)] + [f"M{i}" for i in range(15)] + ["Æ", "𐍈", "～"]


@settings(max_examples=40, deadline=None)
@given(
    targets=st.lists(st.sampled_from(TITLES), max_size=60),
    parts=st.integers(1, 5),
    size=st.integers(4, 40),
    min_count=st.integers(1, 3),
    linked=st.booleans(),
    seed=st.integers(0, 1000),
)
def test_equals_a_simple_vocabulary_from_any_parts(
    tmp_path_factory: pytest.TempPathFactory,
    targets: list[str],
    parts: int,
    size: int,
    min_count: int,
    linked: bool,
    seed: int,
) -> None:
    folder = tmp_path_factory.mktemp("vocabulary")
    pages = [page(i, t) for i, t in enumerate(TITLES) if t[0] != "M"]
    pages.append(page(99, "P3 by another name", target="M3"))
    pages_of(folder, pages)
    table = TitleTable.open(folder)
    paths = []
    for number in range(parts):
        article = write_articles(folder / f"{number}.parquet", [("P0", targets[number::parts])])
        paths.append(folder / f"{number}.arrow")
        count_links(article, table, is_main, paths[-1])
    random.Random(seed).shuffle(paths)
    config = VocabularyConfig(vocab_size=size, vocab_targets="linked" if linked else "existing", min_count=min_count)
    expected = [
        (t, n)
        for t, n in sorted(Counter(targets).items(), key=lambda row: (-row[1], row[0]))
        if n >= min_count and (linked or t[0] != "M")
    ][: size - 3]
    if not expected and targets:
        with pytest.raises(WikiprepError, match="empty"):
            build_vocabulary(paths, folder, folder / "many", config)
        return
    made = build_vocabulary(paths, folder, folder / "many", config)
    assert [(row[1], row[3]) for row in entries(folder / "many")[3:-1]] == expected
    links = {k: n for k, n in made.counts.items() if k.startswith("vocabulary.links.")}
    assert sum(links.values()) == made.counts["vocabulary.links"] == len(targets)
    whole = write_articles(folder / "whole.parquet", [("P0", targets)])
    count_links(whole, table, is_main, folder / "whole.arrow")
    assert build_vocabulary([folder / "whole.arrow"], folder, folder / "one", config) == made
    for name in FILES:
        one, many = ((folder / f / name).read_bytes() for f in ("one", "many"))
        assert hashlib.sha256(one).digest() == hashlib.sha256(many).digest(), name


def test_a_foreign_vocabulary_keeps_its_ids(tmp_path: Path) -> None:
    rows = [
        (0, "[PAD]", None, 0),
        (1, "[UNK]", None, 0),
        (2, "[MASK]", None, 0),
        (7, "Japan", 5, 9),
        (3, "日本", None, 4),
    ]
    assert write_vocabulary(rows, tmp_path) == 6
    vocab = EntityVocab.open(tmp_path)
    assert (vocab.id("Japan"), vocab.id("日本"), vocab.title(7), vocab.page_id(7)) == (7, 3, "Japan", 5)
    assert vocab.specials["[MASK2]"] == 8
    assert len(vocab) == 6
    with pytest.raises(KeyError):
        vocab.title(5)


def test_special_tokens_that_a_foreign_vocabulary_lacks(tmp_path: Path) -> None:
    write_vocabulary([(0, "A", None, 1), (1, "B", None, 1)], tmp_path)
    assert EntityVocab.open(tmp_path).specials == {"[PAD]": 3, "[UNK]": 4, "[MASK]": 2, "[MASK2]": 5}


def test_several_titles_may_share_an_id_but_not_the_reverse(tmp_path: Path) -> None:
    write_vocabulary([(3, "Japan", None, 9), (3, "日本", None, 9)], tmp_path)
    vocab = EntityVocab.open(tmp_path)
    assert (vocab.id("Japan"), vocab.id("日本"), vocab.title(3), len(vocab)) == (3, 3, "Japan", 5)
    with pytest.raises(WikiprepError, match="'Paris' has two ids, 3 and 4"):
        write_vocabulary([(4, "Paris", None, 1), (3, "Paris", None, 1)], tmp_path)
    with pytest.raises(WikiprepError, match="has the id -1"):
        write_vocabulary([(-1, "Paris", None, 1)], tmp_path)


def test_items_of_entities_by_id(tmp_path: Path) -> None:
    rows = [(7, "Japan", 5, 9), (3, "日本", None, 4), (4, "A", None, 1), (5, "B", None, 1)]
    largest = 2**32 - 1
    write_vocabulary(rows, tmp_path, qids={7: "Q17", 4: f"Q{largest}", 5: f"Q{largest + 1}"})
    items = open_entity_items(tmp_path)
    assert items.tolist() == [-1, -1, -1, -1, largest, -1, -1, 17, -1]
    write_vocabulary(rows, tmp_path / "plain")
    with pytest.raises(WikiprepError, match=r"entity_vocab\.arrow: not a table of this kind"):
        open_entity_items(tmp_path / "plain")


def test_a_missing_vocabulary_is_named(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match="entity_vocab"):
        EntityVocab.open(tmp_path)


BUILD = """
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[2], sys.argv[3]]
import test_choose_entities
white = Path(sys.argv[1], "white.txt")
white.write_text("Zambia\\nAtlantis\\nMars\\nVenus\\n", encoding="utf-8")
made = test_choose_entities.vocabulary(Path(sys.argv[1]), vocab_targets="linked", white_list=str(white))
print(made)
"""


def test_bytes_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    outputs = set()
    for seed in ("0", "77"):
        folder = tmp_path / seed
        folder.mkdir()
        tests, root = Path(__file__).parent, Path(__file__).parents[2]
        env = {**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": "C"}
        run = subprocess.run(
            [sys.executable, "-c", BUILD, folder, tests, root], env=env, check=True, capture_output=True, text=True
        )
        files = sorted(path for path in folder.iterdir() if path.name != "articles.parquet")
        outputs.add((run.stdout, *((path.name, path.read_bytes()) for path in files)))
    assert len(outputs) == 1
    assert "Atlantis, Mars, Venus" in run.stdout
