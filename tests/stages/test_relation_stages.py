"""Builds with relations: records, their vocabulary, options that contradict each other; the same bytes however cut."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from building import TOKENIZER, built, hashes, wikiprep
from entity_dumps import array, item, prop, statement
from inline import build, job_of, rows, vocabulary, write_dump, xml_page

from wikiprep.config import RelationsConfig
from wikiprep.config_toml import load
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.stages.build import stages_of
from wikiprep.stages.records_part import open_aligner

# Pages of one sentence or two each, so that what is related can be read off.
PAGES = (
    xml_page(
        1, "Oslo", "Oslo, the capital of [[Norway]], lies south of [[Trondheim]] by the sea.\n\nHe saw [[Ibsen]]."
    ),
    xml_page(2, "Norway", "The country has [[Oslo]] and [[Trondheim]] and the writer [[Ibsen]] of [[Skien]]."),
    xml_page(3, "Trondheim", "It is a town of [[Norway]] as [[Oslo]] is, and [[Norway]] has more of them."),
    xml_page(4, "Henrik Ibsen", "He was born in [[Skien]], and that is in [[Norway]], not in [[Atlantis]]."),
    xml_page(5, "Ibsen", "", redirect="Henrik Ibsen"),
    xml_page(6, "Skien", "Nothing of this page is linked to [[Atlantis]] but for one word of it."),
)
ENTITIES = [
    item(585, statement("P17", "Q20"), statement("P1376", "Q20", "preferred"), title="Oslo"),
    item(20, statement("P36", "Q585"), statement("P999", "Q585"), title="Norway"),
    item(25804, statement("P17", "Q20"), title="Trondheim"),
    item(36661, statement("P19", "Q109065"), title="Henrik Ibsen"),
    item(109065, statement("P17", "Q20"), title="Skien"),
    prop(17, label="country"),
    prop(19, label="place of birth"),
    prop(36, labels={}),
    prop(1376, label="capital of"),
]


def dumps(folder: Path) -> tuple[Path, dict[str, Any]]:
    folder.mkdir(exist_ok=True)
    (folder / "all.json").write_bytes(array(ENTITIES))
    return write_dump(folder / "enwiki.xml", *PAGES), {"wikidata": str(folder / "all.json")}


def told(output: Path) -> list[tuple[str, int, str, int]]:
    """Relations of all records by the titles of their entities."""
    titles = {number: title for title, number in vocabulary(output).items()}
    return [
        (titles[row["entity_ids"][r["head"]]], r["property"], titles[row["entity_ids"][r["tail"]]], r["rank"])
        for row in rows(output, "records")
        for r in row["relations"]
    ]


ALL = [
    ("Trondheim", 17, "Norway", 0),  # of the page Oslo
    ("Henrik Ibsen", 19, "Skien", 0),  # of Norway, which does not link itself
    ("Norway", 36, "Oslo", 0),  # of Trondheim, where Norway comes twice
    ("Norway", 999, "Oslo", 0),
    ("Oslo", 17, "Norway", 0),
    ("Oslo", 1376, "Norway", 1),
    ("Oslo", 17, "Norway", 0),
    ("Oslo", 1376, "Norway", 1),
    ("Norway", 36, "Oslo", 0),
    ("Norway", 999, "Oslo", 0),
    ("Skien", 17, "Norway", 0),  # of Henrik Ibsen
]


def test_records_have_relations_and_a_vocabulary_counts_them(tmp_path: Path) -> None:
    dump, options = dumps(tmp_path)
    commits = build(tmp_path / "out", dump, sections={"wikidata": options})
    found = told(tmp_path / "out")
    assert sorted(found) == sorted(ALL)
    assert found == ALL
    table = rows(tmp_path / "out", "tables/relation_vocab.parquet")
    assert [tuple(row.values()) for row in table] == [
        # id, property, label, count, triples, heads, tails
        (0, 17, "country", 4, 3, 3, 1),
        (1, 36, None, 2, 1, 1, 1),
        (2, 999, None, 2, 1, 1, 1),
        (3, 1376, "capital of", 2, 1, 1, 1),
        (4, 19, "place of birth", 1, 1, 1, 1),
    ]
    counts = commits["relations"].counts
    assert (counts["relations.read"], counts["properties"]) == (11, 5)
    assert counts["relations.unknown_property"] == counts["relations.without_label"] == 2
    assert any(
        "2 relations have a property that Wikidata's dump does not hold" in w for w in commits["relations"].warnings
    )


@pytest.mark.parametrize("size", [0.001, 0.002])
def test_ranges_do_not_show_in_the_vocabulary(tmp_path: Path, size: float) -> None:
    dump, options = dumps(tmp_path)
    made = []
    for name, cut in (("whole", 32.0), ("cut", size)):
        build(tmp_path / name, dump, sections={"wikidata": options, "input": {"range_mb": cut}})
        made.append((told(tmp_path / name), (tmp_path / name / "tables" / "relation_vocab.parquet").read_bytes()))
    assert len(list((tmp_path / "cut" / "records").iterdir())) > 1
    assert made[0] == made[1]


def test_only_sentences_with_a_relation_are_kept(tmp_path: Path) -> None:
    dump, options = dumps(tmp_path)
    sections = {"wikidata": options, "records": {"sentence_records": True}, "relations": {"drop_unrelated": True}}
    commits = build(tmp_path / "out", dump, sections=sections)
    found = rows(tmp_path / "out", "records")
    assert [(row["title"], row["ordinal"], len(row["sentence_starts"])) for row in found] == [
        ("Oslo", 0, 1), ("Norway", 0, 1), ("Trondheim", 0, 1), ("Henrik Ibsen", 0, 1),
    ]  # fmt: skip
    assert told(tmp_path / "out") == ALL
    counts = commits["records"].counts
    assert counts["records.dropped.no_relation"] == 2  # with one mention each: "He saw Ibsen.", and the page Skien
    assert 1 in [i for row in found for i in row["entity_ids"]], "[UNK] keeps its span"


def test_densified_subjects_have_relations(tmp_path: Path) -> None:
    dump, options = dumps(tmp_path)
    sections: dict[str, Any] = {"wikidata": options, "records": {"densify": True}, "mentions": {"mentions": True}}
    build(tmp_path / "out", dump, sections=sections)
    first = rows(tmp_path / "out", "records")[0]
    assert first["entity_sources"][0] == 2
    assert {(r["head"], r["property"], r["tail"], r["source"]) for r in first["relations"]} >= {
        (0, 17, 1, 2), (1, 36, 0, 2), (2, 17, 1, 0),
    }  # fmt: skip
    without = sections | {"relations": {"subject_relations": False}}
    build(tmp_path / "without", dump, sections=without)
    assert {r["source"] for row in rows(tmp_path / "without", "records") for r in row["relations"]} == {0}


def test_unknown_entities_take_part_by_their_title_on_demand(tmp_path: Path) -> None:
    dump, options = dumps(tmp_path)
    sections = {"wikidata": options, "vocabulary": {"vocab_size": 5}, "relations": {"unk_relations": True}}
    build(tmp_path / "out", dump, sections=sections)
    found = rows(tmp_path / "out", "records")
    assert sum(len(row["relations"]) for row in found) == len(ALL), "as with all entities known"
    assert found[1]["entity_qids"] == [585, 25804, 36661, 109065]
    build(tmp_path / "known", dump, sections={k: v for k, v in sections.items() if k != "relations"})
    assert len(told(tmp_path / "known")) < len(ALL)


def test_ranks_merged_items_and_self_relations(tmp_path: Path) -> None:
    """Best rank only, never deprecated; the old number of a merged item is the new one's; none with itself."""
    text = "Here [[Oslo]] and [[Norway]] and [[Trondheim]] stand in one sentence, and [[Oslo]] once more."
    dump = write_dump(
        tmp_path / "enwiki.xml", *(xml_page(i, t, text) for i, t in enumerate(("Oslo", "Norway", "Trondheim", "A"), 1))
    )
    oslo = item(
        585,
        *(statement("P1", "Q20", "preferred"), statement("P1", "Q25804")),  # the second is not of the best rank
        *(statement("P2", "Q20", "deprecated"), statement("P2", "Q25804")),
        statement("P3", "Q20", "deprecated"),
        statement("P4", "Q99"),  # merged into Q20
        *(statement("P5", "Q585"), statement("P5", "Q98")),  # itself, and what was merged into itself
        title="Oslo",
    )
    entities = [oslo, item(20, title="Norway"), item(25804, title="Trondheim"), *(prop(i) for i in range(1, 6))]
    (tmp_path / "all.json").write_bytes(array(entities))
    tables = {"redirect": "rd_from rd_namespace rd_title", "page": "page_id page_namespace page_title page_is_redirect"}
    values = {"redirect": "(900,0,'Q20'),(901,0,'Q585')", "page": "(1,0,'Q20',0),(900,0,'Q99',1),(901,0,'Q98',1)"}
    options = {"wikidata": str(tmp_path / "all.json")}
    for table, names in tables.items():
        columns = ",\n".join(f"  `{name}` int NOT NULL" for name in names.split())
        sql = f"CREATE TABLE `{table}` (\n{columns}\n);\nINSERT INTO `{table}` VALUES {values[table]};\n"
        (tmp_path / f"{table}.sql").write_text(sql + "-- Dump completed\n")
        options[f"wikidata_{table}"] = str(tmp_path / f"{table}.sql")
    commits = build(tmp_path / "out", dump, sections={"wikidata": options})
    record = next(row for row in rows(tmp_path / "out", "records") if row["title"] == "A")
    assert [tuple(r.values()) for r in record["relations"]] == [
        # head, tail, property, rank, source
        (0, 1, 1, 1, 0),
        (0, 1, 4, 0, 0),
        (0, 2, 2, 0, 0),
        (3, 1, 1, 1, 0),
        (3, 1, 4, 0, 0),
        (3, 2, 2, 0, 0),
    ]
    assert commits["wikidata"].counts["also.triples.to itself"] == 1
    assert (
        commits["records"].counts["pairs.dropped.same_entity"] == 2 * 3
    )  # A, Norway, Trondheim; Oslo links not itself


def test_look_ups_are_views_of_mapped_files(sample_related: Path) -> None:
    made = open_aligner(Store(str(sample_related)), RelationsConfig(), "samplewiki")
    arrays = [made.items, *made.triples.rows(0, 10)[2:]]
    assert not any(array.flags.owndata or array.flags.writeable for array in arrays)
    assert made.title_item("Luna") == 900_000_006  # a redirect to Moon
    assert made.title_item("Nowhere at all") == -1


def test_nothing_left_says_why(tmp_path: Path) -> None:
    dump, _ = dumps(tmp_path)
    (tmp_path / "all.json").write_bytes(array([item(585, title="Oslo"), item(20, title="Norway")]))
    sections = {"wikidata": {"wikidata": str(tmp_path / "all.json")}, "relations": {"drop_unrelated": True}}
    with pytest.raises(WikiprepError, match=r"none of \d has a relation .* looked up"):
        build(tmp_path / "out", dump, sections=sections)
    commits = build(tmp_path / "kept", dump, sections={"wikidata": sections["wikidata"]})
    assert "none holds for any of 4 pairs" in commits["relations"].warnings[0]
    assert pq.read_table(tmp_path / "kept" / "tables" / "relation_vocab.parquet").num_rows == 0


@pytest.mark.parametrize(
    ("sections", "message"),
    [
        ({"relations": {"drop_unrelated": True}}, "drop-unrelated needs Wikidata"),
        ({"relations": {"relations": "record"}}, "relations record needs Wikidata"),
        ({"relations": {"relations": "none", "unk_relations": True}}, "unk-relations needs Wikidata"),
        ({"relations": {"relations": "none", "drop_unrelated": True}, "wikidata": {}}, "needs relations"),
        ({"wikidata": {}, "records": {"compat": "luke-2020"}}, "luke-2020 and relations exclude each other"),
        ({"records": {"compat": "luke-2020", "sentence_records": True}}, "sentence-records exclude each other"),
    ],
)
def test_options_that_contradict_each_other_are_refused(tmp_path: Path, sections: dict[str, Any], message: str) -> None:
    dump, options = dumps(tmp_path)
    sections = {name: options if name == "wikidata" else given for name, given in sections.items()}
    with pytest.raises(UsageError, match=message):
        stages_of(job_of(tmp_path / "out", dump, sections=sections))


def test_no_relations_on_demand(tmp_path: Path) -> None:
    dump, options = dumps(tmp_path)
    for name, more in (("none", {}), ("compat", {"records": {"compat": "luke-2020"}})):
        sections = {"wikidata": options, "relations": {"relations": "none"}, **more}
        commits = build(tmp_path / name, dump, sections=sections)
        assert "relations" not in commits
        assert "relations" not in rows(tmp_path / name, "records")[0]


def test_the_sample_for_spot_is_the_same_with_one_worker_and_three(tmp_path: Path) -> None:
    words = ("--sample", "--preset", "spot", "--range-mb", "0.1", "--quiet")
    one = built(tmp_path / "one", *words, "--workers", "1", PYTHONHASHSEED="1")
    built(tmp_path / "three", *words, "--workers", "3", PYTHONHASHSEED="2")
    assert hashes(tmp_path / "one") == hashes(tmp_path / "three")
    found = rows(tmp_path / "one", "records")
    assert found and all(row["relations"] and len(row["sentence_starts"]) == 1 for row in found)
    assert max(len(row["word_ids"]) for row in found) <= 254
    assert one["options"]["vocabulary"]["vocab_size"] == 1_000_000
    assert one["counts"]["records"]["relations.found"] == sum(len(row["relations"]) for row in found)
    assert 1 in {entity for row in found for entity in row["entity_ids"]}
    assert (one["preset"], one["facts"]["wikidata"]["folder"]) == ("spot", "tables")
    again = load(tmp_path / "one" / "config.toml").sections
    assert again["relations"]["drop_unrelated"] is True and again["records"]["sentence_records"] is True


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--preset", "spot"), "[relations] drop-unrelated needs Wikidata"),
        (("--relations", "record"), "[relations] relations record needs Wikidata"),
        (("--preset", "spot", "--compat", "luke-2020"), "exclude each other"),
        (("--relations", "none", "--drop-unrelated"), "[relations] drop-unrelated needs Wikidata"),
    ],
)
def test_a_command_that_lacks_wikidata_is_refused_in_a_line(
    tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    dump, _ = dumps(tmp_path)
    done = wikiprep("build-corpus", dump, "--tokenizer", TOKENIZER, "--output", tmp_path / "out", *words)
    assert done.returncode == 2
    assert message in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "out" / "records").exists()
