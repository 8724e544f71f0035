"""A corpus from Python: what it says is what the files hold, it can be pickled, and what is absent is told."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from inline import build, rows, write_dump, xml_page

import wikiprep


@pytest.fixture(scope="module")
def corpus(sample_related: Path) -> wikiprep.Corpus:
    """With mentions, relations and text; opened where it came to by pickle, as in a worker."""
    made: wikiprep.Corpus = pickle.loads(pickle.dumps(wikiprep.open(sample_related)))
    return made


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> wikiprep.Corpus:
    """Three pages, articles and tables alone, nothing of Wikidata."""
    folder = tmp_path_factory.mktemp("small")
    dump = write_dump(
        folder / "d.xml",
        xml_page(11, "Oslo", "Oslo is the capital of [[Norway]], as many people know by now."),
        xml_page(12, "Christiania", "", redirect="Oslo"),
        xml_page(13, "Nowhere", "", redirect="Neverland"),
        xml_page(15, "A\u200db", "A page without any links"),
        xml_page(14, "Norway", "The country of which [[Christiania]] is the capital has many fjords."),
    )
    build(folder / "out", dump, until="tables")
    return wikiprep.open(folder / "out")


@pytest.mark.parametrize("kind", [str, Path])
def test_the_class_itself_names_the_way(sample_related: Path, kind: type) -> None:
    with pytest.raises(wikiprep.UsageError, match=r"a corpus is opened by wikiprep\.open\n"):
        wikiprep.Corpus(kind(sample_related))


def test_what_is_no_corpus_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(wikiprep.UsageError, match="no such folder"):
        wikiprep.open(tmp_path / "absent")
    with pytest.raises(wikiprep.WikiprepError, match="give the folder of a corpus that wikiprep made"):
        wikiprep.open(tmp_path)


def test_articles_are_those_of_the_files(corpus: wikiprep.Corpus) -> None:
    written = rows(Path(corpus.path), "articles")
    articles = corpus.articles()
    assert len(articles) == len(written) > 100
    for _ in range(2):  # again and again
        assert [article.title for article in articles] == [row["title"] for row in written]
    first = next(iter(articles))
    assert first.text == "\n".join(paragraph["text"] for paragraph in written[0]["paragraphs"])
    assert sum(batch.num_rows for batch in articles.batches(["title"])) == len(written)


def test_an_article_by_title_redirect_and_id(corpus: wikiprep.Corpus, small: wikiprep.Corpus) -> None:
    article = small.article("Oslo")
    assert (article.page_id, article.redirected_from) == (11, None)
    for asked in ("Christiania", "christiania", "_Christiania"):
        found = small.article(asked)
        assert (found.title, found.redirected_from) == ("Oslo", "Christiania")
    assert small.article("11") == article
    joined = small.article("A\u200db")  # a joiner, as Hindi titles have it
    assert joined.page_id == 15 and small.items.qid(joined.title) is None
    assert small.redirects.resolve("A\u200db").page_id == 15
    with pytest.raises(wikiprep.WikiprepError, match="near titles are 'Oslo'"):
        small.article("Osla")
    with pytest.raises(wikiprep.WikiprepError, match="no article"):
        small.article("\ud800")
    for title in ("Solar System", "Galileo Galilei"):
        assert corpus.article(title).title == title


def test_articles_alone_are_found_without_tables(tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "d.xml", xml_page(11, "Oslo", "A town."), xml_page(12, "Bergen", "Another town."))
    build(tmp_path / "out", dump, until="extract")
    made = wikiprep.open(tmp_path / "out")
    assert made.article("Bergen").text == "Another town."
    assert (made.has("articles"), made.has("records"), made.has("redirects")) == (True, False, False)
    with pytest.raises(wikiprep.WikiprepError, match="run `wikiprep tables`"):
        _ = made.vocabulary


def test_records_are_those_of_the_files_and_their_splits_are_a_partition(corpus: wikiprep.Corpus) -> None:
    written = rows(Path(corpus.path), "records")
    records = corpus.records()
    assert len(records) == len(written)
    for number in (0, 7, -1):
        row, record = written[number], records[number]
        for name in ("word_ids", "entity_ids", "entity_starts", "entity_ends", "sentence_starts"):
            assert getattr(record, name).tolist() == row[name]
        assert records.row(number) == row
        assert len(record.relations) == len(row["relations"])
    assert [record.page_id for record in records[2:5]] == [row["page_id"] for row in written[2:5]]
    train, held_out = (corpus.records(split, held_out=0.3) for split in ("train", "held_out"))
    keys = [{(record.page_id, record.ordinal) for record in part} for part in (records, train, held_out)]
    assert keys[1] | keys[2] == keys[0] and not keys[1] & keys[2] and keys[1] and keys[2]
    assert not {page for page, _ in keys[1]} & {page for page, _ in keys[2]}
    with pytest.raises(IndexError):
        records[len(records)]
    for wrong in ({"split": "test"}, {"held_out": 1.5}):
        with pytest.raises(wikiprep.UsageError):
            corpus.records(**wrong)


def test_records_of_an_article_are_its_own(corpus: wikiprep.Corpus) -> None:
    mine = [row for row in rows(Path(corpus.path), "records") if row["title"] == "Solar System"]
    assert corpus.records_of("Solar System") == corpus.records_of(corpus.article("Solar System")) == mine != []


def test_records_are_views_of_the_mapped_file(corpus: wikiprep.Corpus) -> None:
    record = corpus.records()[0]
    assert not record.word_ids.flags.owndata and not record.word_ids.flags.writeable


def test_the_vocabulary_goes_both_ways(corpus: wikiprep.Corpus) -> None:
    vocabulary, written = corpus.vocabulary, rows(Path(corpus.path), "tables/entity_vocab.parquet")
    assert len(vocabulary) == len(written) == len(list(vocabulary))
    for entity in vocabulary:
        assert vocabulary.title(entity.id) == entity.title
        if entity.page_id is not None:
            assert vocabulary.id(entity.title) == entity.id and entity.title in vocabulary
            assert vocabulary.page_id(entity.id) == entity.page_id
    assert vocabulary.specials["[MASK]"] == 2 and "[MASK]" not in vocabulary
    assert vocabulary.id("Galileo") == vocabulary.id("Galileo Galilei") is not None  # as a link would have it
    assert vocabulary.id("No such page") is None and vocabulary.id("\ud800") is None
    for missing in (-1, len(vocabulary)):
        with pytest.raises(KeyError):
            vocabulary.title(missing)
        with pytest.raises(KeyError):
            vocabulary.page_id(missing)


def test_redirects(small: wikiprep.Corpus) -> None:
    redirects = small.redirects
    assert len(redirects) == 2
    assert [(one.title, one.final, one.status) for one in redirects] == [
        ("Christiania", "Oslo", "resolved"),
        ("Nowhere", "Neverland", "missing"),
    ]
    assert redirects.resolve("Christiania") == wikiprep.Resolved("Oslo", 11, "article", True)
    assert redirects.resolve("\ud800").status == "missing"
    assert redirects.to("Oslo") == ["Christiania"] and redirects.to("Bergen") == []


def test_relations_and_items(corpus: wikiprep.Corpus) -> None:
    relations, items = corpus.relations, corpus.items
    kepler, brahe = items.qid("Johannes Kepler"), items.qid("Tycho Brahe")
    assert kepler is not None and brahe is not None
    (student,) = relations.between("Johannes Kepler", "Tycho Brahe")
    assert (student.head, student.property, student.label, student.tail) == (kepler, "P1066", "student of", brahe)
    assert relations.between(kepler, brahe) == [student]
    assert relations.between("Johannes Kepler", "No such page") == []
    every = list(relations)
    assert len(every) == len(relations) and student in every
    known = relations.properties()
    assert [one.count for one in known] == sorted((one.count for one in known), reverse=True)
    assert all(relations.label(one.property) == one.label for one in known)
    assert relations.label("P0") is None and relations.label("capital") is None
    item = items.item(kepler)
    assert item is not None and "Johannes Kepler" in item.titles.values()
    assert items.title(kepler) == "Johannes Kepler" and items.title("Q1") is None
    assert len(items) == len(list(items)) and items.item("Q1") is None
    assert items.qid("Galileo") == items.qid("Galileo Galilei")
    for wrong in ("42", "Q", "P31", "Q4x", "Q99999999999999"):
        with pytest.raises(wikiprep.UsageError):
            items.title(wrong)


def test_what_the_build_left_out_is_named_with_its_option(small: wikiprep.Corpus) -> None:
    with pytest.raises(wikiprep.WikiprepError, match="--mentions"):
        _ = small.mentions
    with pytest.raises(wikiprep.WikiprepError, match="--wikidata"):
        _ = small.relations
    with pytest.raises(wikiprep.WikiprepError, match="--wikidata"):
        small.items.item("Q1")
    assert small.items.qid("Oslo") is None
    with pytest.raises(wikiprep.WikiprepError, match="no records"):
        small.records()
    with pytest.raises(wikiprep.UsageError, match="parts are"):
        small.has("pictures")


def test_mentions_are_those_of_the_command(corpus: wikiprep.Corpus) -> None:
    mentions = corpus.mentions
    assert "Galileo" in mentions and "no such name" not in mentions and len(mentions) > 100
    candidates = mentions.candidates("Galileo", k=10)
    assert [one.title for one in candidates] == ["Galileo (spacecraft)", "Galileo Galilei"]
    assert mentions.prior("Galileo", "Galileo Galilei") == candidates[1].prior
    (first, *_) = mentions.detect("Galileo flew past Io in 1999.")
    assert (first.text, first.best) == ("Galileo", candidates[0])
    text = "Galileo saw four moons of Jupiter. Io is one of them."
    spans = mentions.annotate(text, page="Jupiter")
    assert [(span.text, span.target, span.source) for span in spans][-1] == ("Io", "Io (moon)", "page_link")
    assert mentions.annotate([text, "Nothing."], page="Jupiter") == [spans, []]
    assert all(span.source == "prior" for span in mentions.annotate(text))
    blocked = mentions.annotate(text, page="Jupiter", blocked=[(35, 37)])
    assert [span for span in spans if span.text != "Io"] == blocked
    for call in (mentions.detect, mentions.annotate):
        with pytest.raises(wikiprep.UsageError, match="min_prior = 2 is no probability"):
            call(text, min_prior=2)


def test_every_part_can_be_pickled(corpus: wikiprep.Corpus) -> None:
    for part in ("articles", "records"):
        again = pickle.loads(pickle.dumps(getattr(corpus, part)()))
        assert len(again) == len(getattr(corpus, part)())
    for part in ("vocabulary", "mentions", "relations", "redirects", "items"):
        again = pickle.loads(pickle.dumps(getattr(corpus, part)))
        assert len(again) == len(getattr(corpus, part)) and repr(again) == repr(getattr(corpus, part))
    record = pickle.loads(pickle.dumps(corpus.records()))[3]
    assert np.array_equal(record.word_ids, corpus.records()[3].word_ids)
