"""export-spacy: what it writes is read by spaCy itself."""

from pathlib import Path

import numpy as np
import orjson
import pytest
from building import wikiprep

from wikiprep.applications.export_spacy import EntityVectors, SpacyOptions, write_kb
from wikiprep.errors import UsageError
from wikiprep.tables.mentions.mention_table import MentionTable

spacy = pytest.importorskip("spacy", reason="spacy is not installed: pip install '.[tagger]'")


def loaded(folder: Path) -> "spacy.kb.InMemoryLookupKB":
    base = spacy.kb.InMemoryLookupKB(vocab=spacy.vocab.Vocab(), entity_vector_length=1)
    base.from_disk(folder)
    return base


@pytest.fixture(scope="module")
def kb(tiny_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("spacy") / "kb"
    done = wikiprep("export-spacy", tiny_corpus, "--format", "kb", "--min-link-probability", 0, "-o", folder)
    assert done.returncode == 0, done.stderr
    assert "qids; vectors of 64: zeros" in done.stderr
    assert "candidates without id" in done.stderr  # Gold has no item
    return folder


def test_the_priors_are_those_of_the_mention_table(kb: Path, tiny_corpus: Path) -> None:
    base, table = loaded(kb), MentionTable.open(tiny_corpus)
    assert base.entity_vector_length == 64
    assert set(base.get_entity_strings()) == {f"Q{1000 + i}" for i in range(1, 16) if i not in (4, 8)}
    names = set(base.get_alias_strings())
    assert {"Mercury", "Venus", "AC/DC", "القاهرة"} <= names
    for name in names:
        expected = {f"Q{1000 + it.page_id}": it.prior for it in table.candidates(name, k=100) if it.page_id != 8}
        found = {it.entity_: it.prior_prob for it in base.get_alias_candidates(name)}
        assert found == pytest.approx(expected, abs=1e-6), name
    sun = next(it for it in base.get_alias_candidates("Sun"))
    links = [*table.candidates("Sun", k=9), *table.candidates("the Sun", k=9)]
    assert sun.entity_freq == sum(it.link_count for it in links)
    assert not any(base.get_vector(sun.entity_))


def test_titles_in_the_place_of_items(tiny_corpus: Path, tmp_path: Path) -> None:
    done = wikiprep("export-spacy", tiny_corpus, "--format", "kb", "--ids", "title", "-o", tmp_path / "kb")
    assert done.returncode == 0, done.stderr
    assert {"Gold", "Mercury (planet)"} <= set(loaded(tmp_path / "kb").get_entity_strings())


def test_vectors_of_a_model_and_its_entities_alone(tiny_corpus: Path, tmp_path: Path) -> None:
    vectors = EntityVectors(["Sun", "Rome"], np.array([[1, 2, 3], [4, 5, 6]], np.float32))
    write_kb(str(tiny_corpus), str(tmp_path / "kb"), SpacyOptions(), vectors, 64)
    base = loaded(tmp_path / "kb")
    assert sorted(base.get_entity_strings()) == ["Q1005", "Q1010"]
    assert list(base.get_vector("Q1010")) == [4, 5, 6]
    assert not base.get_alias_candidates("Cairo")


def test_the_same_corpus_gives_the_same_bytes(kb: Path, tiny_corpus: Path, tmp_path: Path) -> None:
    write_kb(str(tiny_corpus), str(tmp_path / "kb"), SpacyOptions(), None, 64)
    for name in ("contents", "strings.json"):
        assert (tmp_path / "kb" / name).read_bytes() == (kb / name).read_bytes()


def test_a_ruler_marks_text_with_the_patterns(tiny_corpus: Path, tmp_path: Path) -> None:
    file = tmp_path / "names.jsonl"
    words = ("--format", "patterns", "--label", "WIKI", "--min-prior", 0.6)
    done = wikiprep("export-spacy", tiny_corpus, *words, "-o", file)
    assert done.returncode == 0, done.stderr
    lines = [orjson.loads(line) for line in file.read_bytes().splitlines()]
    table = MentionTable.open(tiny_corpus)
    assert all(table.candidates(line["pattern"], k=1)[0].prior >= 0.6 for line in lines)
    nlp = spacy.blank("en")
    nlp.add_pipe("entity_ruler").from_disk(file)
    found = [(one.text, one.label_, one.ent_id_) for one in nlp("AC/DC played in Rome under the Sun.").ents]
    assert found == [("AC/DC", "WIKI", "Q1013"), ("Rome", "WIKI", "Q1010"), ("the Sun", "WIKI", "Q1005")]


def test_what_is_no_knowledge_base_is_not_written_over(tiny_corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "kb").mkdir()
    (tmp_path / "kb" / "thesis.tex").write_text("years of work")
    with pytest.raises(UsageError, match="holds other files"):
        write_kb(str(tiny_corpus), str(tmp_path / "kb"), SpacyOptions(), None, 8)
    done = wikiprep("export-spacy", tiny_corpus, "--format", "patterns", "-o", tmp_path / "names.json")
    assert (done.returncode, "names.json.jsonl" in done.stderr) == (2, True)
