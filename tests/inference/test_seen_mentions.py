"""Links to entities that a model lacks: one of them costs no text, and each is counted and marked."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.inference.seen_mentions import NOT_GIVEN, NOT_KNOWN, MentionResolver, SeenMention, in_words, ways
from wikiprep.pretrain.luke.corpus_entities import Entities
from wikiprep.pretrain.trained import BadText, MarkedText
from wikiprep.tables.titles_to_vocabulary import Carrier, TitleSource

ENTITIES = Entities({"[PAD]": 0, "[UNK]": 1, "[MASK]": 2, "Mars": 3, "Sun": 4}, {"Mars": "Q111", "Sun": "Q525"}, 5)


class Model:
    """All that a resolver asks of a trained model."""

    entities = 5

    def carrier(self, source: TitleSource | None = None) -> Carrier:
        return Carrier(ENTITIES.ids, ENTITIES.qids, dict, source)


TEXT = MarkedText("a b c", ((0, 1), (2, 3), (4, 5)), ("Mars", "Nowhere", None))


@pytest.mark.parametrize(("unknown", "title", "shown"), [("unk", "[UNK]", "[UNK]"), ("mask", None, "[MASK]")])
def test_what_stands_for_an_unknown_entity(unknown: str, title: str | None, shown: str) -> None:
    made, seen = MentionResolver(Model(), unknown).resolve(TEXT)  # type: ignore[arg-type]
    assert made.titles == ("Mars", title, None)
    assert seen == (
        SeenMention("Mars", "Mars", "title"),
        SeenMention("Nowhere", shown, NOT_KNOWN),
        SeenMention(None, "[MASK]", NOT_GIVEN),
    )
    assert ways(seen) == {"title": 1, NOT_KNOWN: 1}
    assert in_words(ways(seen), unknown) == (
        f"links: 2 (1 by title; 1 are no entities of the model and stand as {shown})"
    )


def test_a_text_is_refused_where_that_is_asked_for() -> None:
    with pytest.raises(BadText, match="the entity 'Nowhere' is not in the model's vocabulary"):
        MentionResolver(Model(), "reject").resolve(TEXT)  # type: ignore[arg-type]
    assert in_words(Counter(), "reject") == ""


LINES = [
    {
        "text": "Mars and Foo orbit the Sun",
        "links": [
            {"start": 0, "end": 4, "target": "Mars"},
            {"start": 9, "end": 12, "target": "Foo (no such page)"},
            {"start": 23, "end": 26},
        ],
    },
    {"text": "Mars", "links": [{"start": 0, "end": 4, "target": "Mars", "qid": 7}]},
]


def call(*words: object) -> tuple[str, str]:
    done = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout, done.stderr


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)))
    return path


def vectors(run: Path, texts: Path, out: Path, *words: str) -> tuple[pa.Table, str]:
    _, said = call("embed", run, "--of", "entities", "--input", texts, "--output", out, *words)
    return pa.ipc.open_file(out).read_all(), said


def test_one_unknown_link_costs_no_text(tiny_run: Path, texts: Path, tmp_path: Path) -> None:
    unk, said = vectors(tiny_run, texts, tmp_path / "unk.arrow")
    assert unk["text"].to_pylist() == ["Mars", "Foo", "Sun"]
    assert unk["target"].to_pylist() == ["Mars", "Foo (no such page)", None]
    assert unk["entity"].to_pylist() == ["Mars", "[UNK]", "[MASK]"]
    assert unk["found"].to_pylist() == ["title", "unknown", "not_given"]
    assert "links: 2 (1 by title; 1 are no entities of the model and stand as [UNK])" in said
    assert 'texts.jsonl:2: the "qid" of the link at 0 is no string' in said
    mask, said = vectors(tiny_run, texts, tmp_path / "mask.arrow", "--unknown", "mask")
    assert mask["entity"].to_pylist() == ["Mars", "[MASK]", "[MASK]"] and "stand as [MASK]" in said
    one, other = (np.array(table["vector"].to_pylist(), np.float32) for table in (unk, mask))
    assert np.abs(one[1] - other[1]).max() > 1e-3
    # `[UNK]` said by hand is the same.
    explicit = json.loads(json.dumps(LINES[0]))
    explicit["links"][1]["target"] = "[UNK]"
    texts.write_text(json.dumps(explicit))
    again, _ = vectors(tiny_run, texts, tmp_path / "again.arrow")
    assert np.array_equal(np.array(again["vector"].to_pylist(), np.float32), one)


def test_a_text_with_an_unknown_link_is_left_out_where_asked(tiny_run: Path, texts: Path, tmp_path: Path) -> None:
    texts.write_text(json.dumps(LINES[0]) + '\n{"text": "[Mars]"}\n')
    table, said = vectors(tiny_run, texts, tmp_path / "v.arrow", "--unknown", "reject")
    assert "texts.jsonl:1: the entity 'Foo (no such page)' is not in the model's vocabulary; left out" in said
    assert table["line"].to_pylist() == [2]


def test_predictions_show_what_a_link_means_to_the_model(tiny_run: Path, texts: Path) -> None:
    out, said = call("predict", tiny_run, "--input", texts, "-k", 2)
    (line,) = map(json.loads, out.splitlines())
    mars, foo, sun = line["mentions"]
    assert (mars["target"], mars["entity"], mars["found"]) == ("Mars", "Mars", "title")
    assert (foo["target"], foo["entity"], foo["found"]) == ("Foo (no such page)", "[UNK]", "unknown")
    assert "target" not in sun and [len(mention["entities"]) for mention in line["mentions"]] == [2, 2, 2]
    assert "1 are no entities of the model" in said


def test_redirects_of_the_corpus_are_known_to_the_run(tiny_run: Path, texts: Path, tmp_path: Path) -> None:
    table = pq.read_table(tiny_run / "about" / "entity_redirects.parquet")
    assert table.num_rows and table.column_names == ["title", "final"]
    title, final = table["title"][0].as_py(), table["final"][0].as_py()
    texts.write_text(json.dumps({"text": "it", "links": [{"start": 0, "end": 2, "target": title}]}))
    found, said = vectors(tiny_run, texts, tmp_path / "v.arrow")
    assert (found["entity"].to_pylist(), found["found"].to_pylist()) == ([final], ["redirect"])
    assert "links: 1 (1 by redirect)" in said


def test_titles_of_another_dump_are_carried_by_their_items(tiny_run: Path, texts: Path, tmp_path: Path) -> None:
    known = pq.read_table(tiny_run / "about" / "entity_vocab.parquet", columns=["title", "qid"]).to_pylist()
    entity = next(row for row in known if row["qid"])
    (tmp_path / "qids.json").write_text(json.dumps({"Renamed since": entity["qid"], entity["title"]: "Q1"}))
    links = [{"start": 0, "end": 2, "target": "Renamed since"}, {"start": 3, "end": 5, "target": entity["title"]}]
    texts.write_text(json.dumps({"text": "it is", "links": links}))
    found, said = vectors(tiny_run, texts, tmp_path / "v.arrow", "--titles-from", str(tmp_path / "qids.json"))
    assert found["entity"].to_pylist() == [entity["title"], "[UNK]"]
    assert found["found"].to_pylist() == ["qid", NOT_KNOWN]  # the other is another item's title there
    assert "links: 2 (1 by qid; 1 are no entities of the model and stand as [UNK])" in said
    out, _ = call("predict", tiny_run, "--input", texts, "--titles-from", tmp_path / "qids.json")
    assert json.loads(out)["mentions"][0]["found"] == "qid"
