"""Vocabularies of several wikis as one: against a merge with dicts; the order of wikis does not show."""

import random
from collections import defaultdict
from pathlib import Path

import numpy as np
import orjson
import pyarrow as pa
import pytest
from building import hashes

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.tables.entity_vocab import SPECIALS, EntityVocab, open_entity_items
from wikiprep.tables.merge_vocabularies import VOCAB_LINES, MergeOptions, WikiVocabulary, merge_vocabularies
from wikiprep.tables.vocab_files import read_vocabulary

Wikis = dict[str, list[tuple[str, int, int]]]  # language -> (title, links, item)


def vocabularies(wikis: Wikis) -> list[WikiVocabulary]:
    return [
        WikiVocabulary(
            language,
            pa.array([title for title, _, _ in rows], pa.string()),
            np.array([n for _, n, _ in rows], np.int64),
            np.array([item for *_, item in rows], np.int64),
        )
        for language, rows in wikis.items()
    ]


def random_wikis(seed: int) -> Wikis:
    rng = random.Random(seed)
    return {
        language: [
            (f"{language} title {item} {twice}", rng.randint(0, 9), item if rng.random() < 0.9 else -1)
            for item in rng.sample(range(1, 60), rng.randint(10, 50))
            for twice in range(2 if rng.random() < 0.05 else 1)
        ]
        for language in ("de", "en", "ja", "ltg")
    }


def naive(wikis: Wikis, options: MergeOptions) -> list[tuple[int, int, dict[str, set[str]]]]:
    """(item, links, titles by language) in order of id."""
    links: dict[int, int] = defaultdict(int)
    titles: dict[int, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for language, rows in wikis.items():
        for title, n, item in rows:
            links[item] += n
            titles[item][language].add(title)
    found = [(item, links[item], dict(titles[item])) for item in titles if item > 0]
    found = [f for f in found if len(f[2]) >= options.min_languages and f[1] >= options.min_count]
    return sorted(found, key=lambda f: (-f[1], f[0]))[: options.size - 3]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("options", [MergeOptions(3, 1000), MergeOptions(2, 20), MergeOptions(1, 1000, 12)], ids=str)
def test_the_same_as_merging_dicts(tmp_path: Path, seed: int, options: MergeOptions) -> None:
    wikis = random_wikis(seed)
    counts = merge_vocabularies(vocabularies(wikis), options, tmp_path)
    expected = naive(wikis, options)
    lines = [orjson.loads(line) for line in (tmp_path / VOCAB_LINES).read_bytes().splitlines()]
    assert [line["id"] for line in lines] == list(range(len(lines)))
    assert [line["entities"][0][0] for line in (*lines[:3], lines[-1])] == list(SPECIALS)
    made = []
    for line in lines[3:-1]:
        titles: dict[str, set[str]] = defaultdict(set)
        for title, language in line["entities"]:
            titles[language].add(title)
        made.append((int(line["qid"][1:]), line["count"], dict(titles)))
    assert made == expected
    assert counts["titles.read"] == sum(map(len, wikis.values()))
    assert counts["titles.read"] == counts["titles.kept"] + sum(n for k, n in counts.items() if "dropped" in k)
    assert counts["titles.dropped.no item"] == sum(item < 0 for rows in wikis.values() for *_, item in rows)
    # The look-up says the same.
    vocabulary, items = EntityVocab.open(tmp_path), open_entity_items(tmp_path)
    assert len(vocabulary) == len(lines) == counts["ids"]
    for line in lines[3:-1]:
        assert {vocabulary.id(f"{language}:{title}") for title, language in line["entities"]} == {line["id"]}
        assert items[line["id"]] == int(line["qid"][1:])


def test_any_order_of_wikis_gives_the_same_bytes(tmp_path: Path) -> None:
    wikis = vocabularies(random_wikis(9))
    rng = random.Random(1)
    for number in range(4):
        merge_vocabularies(wikis, MergeOptions(2, 30), tmp_path / str(number))
        rng.shuffle(wikis)
    assert len(hashes(tmp_path / "0")) == 5
    assert all(hashes(tmp_path / str(number)) == hashes(tmp_path / "0") for number in range(1, 4))


def test_a_language_reads_its_titles_with_the_shared_ids(tmp_path: Path) -> None:
    wikis = random_wikis(3)
    merge_vocabularies(vocabularies(wikis), MergeOptions(2, 1000), tmp_path)
    lines = [orjson.loads(line) for line in (tmp_path / VOCAB_LINES).read_bytes().splitlines()]
    for language in wikis:
        expected = {(line["id"], title) for line in lines for title, spoken in line["entities"] if spoken == language}
        for name in (VOCAB_LINES, "entity_vocab.json"):
            rows = read_vocabulary(tmp_path / name, language)
            assert {(row.id, row.title) for row in rows} == expected


def test_more_links_in_one_wiki_move_an_entity_up_and_others_stay_in_order(tmp_path: Path) -> None:
    wikis: Wikis = {"en": [("A", 5, 1), ("B", 4, 2), ("C", 4, 3)], "de": [("a", 1, 1), ("b", 1, 2), ("c", 9, 3)]}
    merge_vocabularies(vocabularies(wikis), MergeOptions(2, 100), tmp_path)
    ids = {row.title: row.id for row in read_vocabulary(tmp_path / VOCAB_LINES, "en")}
    assert (ids["C"], ids["A"], ids["B"]) == (3, 4, 5)


@pytest.mark.parametrize(
    ("wikis", "options", "problem"),
    [
        ({"en": [("A", 1, 1)]}, MergeOptions(2, 100), "--min-languages 2 of 1 corpora"),
        ({"en": [("A", 1, 1)], "de": [("B", 1, 2)]}, MergeOptions(2, 100), "no entity is in 2 of 2 languages"),
        ({"en": [("A", 1, 1)]}, MergeOptions(1, 3), "leaves no room"),
    ],
)
def test_what_cannot_be_is_told(tmp_path: Path, wikis: Wikis, options: MergeOptions, problem: str) -> None:
    with pytest.raises((UsageError, WikiprepError), match=problem):
        merge_vocabularies(vocabularies(wikis), options, tmp_path)
    with pytest.raises(UsageError, match="two corpora are of the language 'en'"):
        merge_vocabularies(vocabularies({"en": [("A", 1, 1)]}) * 2, MergeOptions(1, 100), tmp_path)
