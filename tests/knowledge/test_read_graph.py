from collections import Counter
from pathlib import Path

import pytest

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.knowledge import HRT, HTR
from wikiprep.knowledge.graph import REPEATED, UNKNOWN_ENTITY, UNKNOWN_RELATION
from wikiprep.knowledge.read_graph import read_graph

REAL = Path(__file__).parents[2].parent / "shared" / "data" / "tasks"


def write(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_head_relation_tail_with_what_train_lacks(tmp_path: Path) -> None:
    folder = write(
        tmp_path, train="b\tin\ta\nc\tin\tb\nb\tin\ta\n", valid="a\tin\tx\na\tof\tb\n", test="a\tin\tc\na\tin\tc\n"
    )
    graph = read_graph(folder)
    assert (graph.entities, graph.relations) == (("a", "b", "c"), ("in",))
    assert graph.parts["train"].tolist() == [[1, 0, 0], [2, 0, 1]]
    assert graph.parts["test"].tolist() == [[0, 0, 2]]
    assert graph.dropped == {
        "train": Counter({REPEATED: 1}),
        "valid": Counter({UNKNOWN_ENTITY: 1, UNKNOWN_RELATION: 1}),
        "test": Counter({REPEATED: 1}),
    }
    assert all(graph.read[p] == len(graph.parts[p]) + graph.dropped[p].total() for p in graph.parts)
    assert "plain from the names" in graph.layout
    assert next(graph.edges()) == (1, "in", 0)


def test_the_order_of_columns_is_plain_or_told_never_guessed(tmp_path: Path) -> None:
    plain = read_graph(write(tmp_path, train="b\ta\tin\nc\tb\tin\n"))
    assert plain.layout.startswith(HTR) and plain.parts["train"].tolist() == [[1, 0, 0], [2, 0, 1]]
    write(tmp_path, train="b\tin\ta\nd\ton\tc\n")  # no name stands in two columns
    with pytest.raises(UsageError, match=r"which column has the relations is not plain.*\n.*--columns"):
        read_graph(tmp_path)
    told = read_graph(tmp_path / "train.txt", HRT)
    assert told.relations == ("in", "on") and list(told.parts) == ["train"] and "told" in told.layout
    write(tmp_path, train="a\ta\ta\n")
    with pytest.raises(UsageError, match="not plain"):
        read_graph(tmp_path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a\tin\n", "line 2 is no triple but 2 columns"),
        ("a\tin\t \n", "line 2 is no triple"),
        ("a in b\n", "but 1 column:"),
    ],
)
def test_a_line_that_does_not_fit_is_named(tmp_path: Path, line: str, said: str) -> None:
    write(tmp_path, train="b\tin\ta\n" + line)
    with pytest.raises(WikiprepError, match=rf"train.txt: .*{said}"):
        read_graph(tmp_path)


def test_what_is_no_graph(tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match="no such file"):
        read_graph(tmp_path / "nothing")
    with pytest.raises(WikiprepError, match=r"no train\.txt"):
        read_graph(tmp_path)
    with pytest.raises(WikiprepError, match="is empty"):
        read_graph(write(tmp_path, train=""))
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "manifest.json").touch()
    with pytest.raises(WikiprepError, match=r"no train\.txt.*\n.*it is a corpus: `wikiprep export-triples .*corpus -o"):
        read_graph(tmp_path / "corpus")
    with pytest.raises(WikiprepError, match="line 1 is a count, as OpenKE's"):
        read_graph(write(tmp_path, train="3\n0 1 0\n"))
    (tmp_path / "train.txt").write_bytes(b"\xff\tin\ta\n")
    with pytest.raises(WikiprepError, match="line 1 is not UTF-8"):
        read_graph(tmp_path)
    (tmp_path / "train.tsv").write_text("a\tb\tc\n")
    with pytest.raises(WikiprepError, match=r"both train.txt and train.tsv"):
        read_graph(tmp_path)


def test_open_ke(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        entity2id="3\nz\t0\ny\t1\nunused\t2\n",
        relation2id="1\nin\t0\n",
        train="1\n0 1 0\n",
        test="2\n1 0 0\n2 0 0\n",
    )
    graph = read_graph(folder)
    assert (graph.entities, graph.parts["train"].tolist()) == (("z", "y"), [[0, 0, 1]])  # in its order, not by name
    assert graph.dropped["test"] == Counter({UNKNOWN_ENTITY: 1})
    assert graph.leaked("test") == 1  # the same two entities, the other way round
    with pytest.raises(UsageError, match="OpenKE's files have head-tail-relation"):
        read_graph(folder, HRT)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("train", "1\n0 1 7\n", r"train.txt: line 2 does not fit: '0 1 7'"),
        ("train", "2\n0 1 0\n", r"train.txt: has 1 lines, its first line says 2"),
        ("train", "0 1 0\n", r"train.txt: line 1 does not fit"),
        ("entity2id", "2\nz\t0\ny\t0\n", r"entity2id.txt: line 3 does not fit"),
        ("entity2id", "2\nz\t0\nz\t1\n", r"a name has two numbers"),
    ],
)
def test_damaged_open_ke(tmp_path: Path, name: str, text: str, said: str) -> None:
    write(tmp_path, entity2id="2\nz\t0\ny\t1\n", relation2id="1\nin\t0\n", train="1\n0 1 0\n")
    write(tmp_path, **{name: text})
    with pytest.raises(WikiprepError, match=said):
        read_graph(tmp_path)


def test_export_triples_brings_titles_and_labels(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("Q2\tP1\tQ1\nQ1\tP1\tQ3\n")
    (tmp_path / "export.json").write_text("{}")
    (tmp_path / "entities.tsv").write_text("qid\ttitle\tlabel\nQ1\tOslo\toslo\nQ2\tNorway\tnorge\n")
    (tmp_path / "relations.tsv").write_text("property\tlabel\nP1\tcapital\n")
    graph = read_graph(tmp_path)
    assert graph.about["entities"] == {"title": ("Oslo", "Norway", ""), "label": ("oslo", "norge", "")}
    assert graph.about["relations"] == {"label": ("capital",)}
    assert sorted(graph.files) == ["entities.tsv", "export.json", "relations.tsv", "train.tsv"]
    (tmp_path / "entities.tsv").write_text("a\tb\n")
    with pytest.raises(WikiprepError, match=r"has no columns qid, title, label"):
        read_graph(tmp_path)


def test_the_graphs_of_the_paper() -> None:
    """DBpedia50k's test set is mostly of entities that training lacks: what is scored is a fifth of it."""
    if not (REAL / "dbpedia50").is_dir():
        pytest.skip("../shared/data/tasks/dbpedia50 is not there")
    graph = read_graph(REAL / "dbpedia50")
    assert (len(graph.entities), len(graph.relations)) == (24_620, 351)
    assert {part: len(triples) for part, triples in graph.parts.items()} == {
        "train": 32_194,
        "valid": 123,
        "test": 2_095,
    }
    assert graph.dropped["test"] == Counter({UNKNOWN_ENTITY: 8_869, REPEATED: 3, UNKNOWN_RELATION: 2})
