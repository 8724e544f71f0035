"""The numbers of a report are those of the corpus; the same input gives the same bytes; bad input is told in a line."""

import json
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from inline import build, rows, write_dump, xml_page
from logged_run import write_run

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.report.ambiguous_names import ambiguous_names
from wikiprep.report.blocks import Section, Table
from wikiprep.report.corpus import ReportCorpus
from wikiprep.report.costs import costs
from wikiprep.report.coverage import coverage
from wikiprep.report.funnels import funnels
from wikiprep.report.kinds import kinds
from wikiprep.report.lengths import lengths
from wikiprep.report.make_report import LIMIT, ReportOptions, write_report
from wikiprep.report.pages import random_pages
from wikiprep.report.rejects import rejects
from wikiprep.report.relations import relations
from wikiprep.report.runs import open_runs, training
from wikiprep.report.sampling import read_articles
from wikiprep.report.templates import templates
from wikiprep.report.zipf import zipf
from wikiprep.tables.coverage import coverage_of
from wikiprep.tables.mentions.mention_table import MentionTable


@pytest.fixture(scope="module")
def related(sample_related: Path) -> ReportCorpus:
    return ReportCorpus(str(sample_related))


def figure(section: Section, title: str) -> Table:
    (found,) = [one.table for one in section.figures if one.title == title]
    return found


def test_the_funnel_is_the_manifest(related: ReportCorpus) -> None:
    section, counts = funnels([related]), related.manifest.counts
    pages = dict(row[:2] for row in figure(section, "Pages").rows)
    assert pages["in the dump"] == counts["extract"]["pages.read"] == 203
    assert pages["used for records"] == counts["records"]["pages.used"]
    links = [row[1] for row in figure(section, "Links").rows]
    assert links[0] == counts["extract"]["links.found"] and links[-1] == counts["records"]["links.entity"]
    assert links == sorted(links, reverse=True) and len(links) == 5
    (sums,) = section.tables
    equations = related.manifest.equations
    assert [row[2] for row in sums.rows if row[1] == "all"] == [equation.total for equation in equations]


def test_curves_are_those_of_the_tables(related: ReportCorpus, sample_related: Path) -> None:
    curve = coverage_of(related.store, related.manifest)
    for size, share in figure(coverage([related]), "Coverage").rows:
        assert share == pytest.approx(100 * curve.share([size])[0], abs=0.006)
    section = zipf([related])
    vocabulary = sorted((row["count"] for row in rows(sample_related, "tables/entity_vocab.parquet")), reverse=True)
    for rank, count in figure(section, "Entities").rows:
        assert count == vocabulary[rank - 1]
    names = {row["name"]: row["name_link_count"] for row in rows(sample_related, "tables/mentions.parquet")}
    linked = sorted(filter(None, names.values()), reverse=True)
    table = figure(section, "Names").rows
    assert all(count == linked[rank - 1] for rank, count in table) and table[-1][0] == len(linked)


def test_lengths_and_kinds_are_those_of_the_rows(related: ReportCorpus, sample_related: Path) -> None:
    articles = read_articles(related, 0)
    assert articles.sample.whole
    made, records = rows(sample_related, "articles"), rows(sample_related, "records")
    assert articles.characters.tolist() == [sum(len(p["text"]) for p in row["paragraphs"]) for row in made]
    assert articles.links.tolist() == [sum(len(p["links"]) for p in row["paragraphs"]) for row in made]
    assert articles.paragraphs == Counter(p["kind"] for row in made for p in row["paragraphs"])
    headings = Counter(head for row in made for head in {p["section"][0] for p in row["paragraphs"] if p["section"]})
    assert articles.sections == headings and headings
    section = lengths([related], {related.name: articles}, 0)
    tokens = [len(row["word_ids"]) for row in records]
    said = dict(row[:2] for row in figure(section, "Tokens of a record").rows if isinstance(row[0], str))
    assert said == {
        "number": len(tokens), "mean": round(float(np.mean(tokens)), 1), "median": float(np.median(tokens)),
        "90 % are below": float(np.quantile(tokens, 0.9)), "greatest": max(tokens),
    }  # fmt: skip
    for one in section.figures:
        shares = [row[1] for row in one.table.rows if isinstance(row[0], int)]
        assert sum(shares) == pytest.approx(100, abs=0.2), one.title
    shown = figure(kinds([related], {related.name: articles}), "Paragraphs by kind").rows
    assert shown[0] == [
        "prose",
        pytest.approx(100 * articles.paragraphs["prose"] / articles.paragraphs.total(), abs=0.01),
    ]


def test_templates_are_ranked_by_the_words_that_they_were_given(tmp_path: Path) -> None:
    text = "{{Box|one two|name=three|{{inner|four}}}} {{Box}} {{Rare|a b c d e f g}} A [[Page]]."
    build(tmp_path / "c", write_dump(tmp_path / "d.xml", xml_page(1, "Page", text)), until="vocabulary")
    section = templates([ReportCorpus(str(tmp_path / "c"))])
    assert section.tables[0].rows == [["Rare", 7, 1, 0, 1], ["Box", 5, 2, 0, 1]]  # `{{inner` is one of them
    assert figure(section, "Words given to them").rows == [["Rare", 7], ["Box", 5]]


def test_rejects_have_examples_of_each_reason(related: ReportCorpus, sample_related: Path) -> None:
    made = rows(sample_related, "rejects")
    (table,) = rejects([related]).tables
    assert {row[0]: row[1] for row in table.rows} == Counter(row["reason"] for row in made) and made
    for reason, _, example, *_ in table.rows:
        assert any(str(example).startswith(row["title"]) for row in made if row["reason"] == reason)


def test_ambiguous_names_relations_and_disk(related: ReportCorpus, sample_related: Path) -> None:
    (table,) = ambiguous_names([related]).tables
    names: dict[str, list[int]] = {}
    for row in rows(sample_related, "tables/mentions.parquet"):
        names.setdefault(row["name"], []).append(row["link_count"])
    wrong = {name: sum(links) - max(links) for name, links in names.items() if sum(links) > max(links)}
    assert [(row[0], row[2]) for row in table.rows] == sorted(wrong.items(), key=lambda one: (-one[1], one[0]))[:25]
    first = MentionTable.open(sample_related).candidates(str(table.rows[0][0]))[0]
    assert str(table.rows[0][5]).startswith(f"{first.title} {first.prior:.3f}; ")
    found = figure(relations([related]), "Relations").rows
    vocabulary = rows(sample_related, "tables/relation_vocab.parquet")
    assert found[0] == [f"P{vocabulary[0]['property']} {vocabulary[0]['label']}", vocabulary[0]["count"]]
    disk = figure(costs([related]), "Megabytes by folder").rows
    records = sum(path.stat().st_size for path in (sample_related / "records").iterdir())
    assert dict(disk)["records/"] == pytest.approx(records / 1e6, abs=0.001)


def test_times_of_several_runs_are_added(sample_related: Path, tmp_path: Path) -> None:
    corpus = tmp_path / "c"
    corpus.mkdir()
    shutil.copy(sample_related / "manifest.json", corpus)
    runs = [{"seconds": {"extract": 2.5, "records": n}, "options": {"workers": 2}} for n in (1.0, 4.0)]
    (corpus / "run.json").write_text(json.dumps({"runs": runs}))
    section = costs([ReportCorpus(str(corpus))])
    assert figure(section, "Seconds by stage").rows == [["extract", 5.0], ["records", 5.0]]
    (corpus / "run.json").write_text("{")
    assert costs([ReportCorpus(str(corpus))]).notes == ["c: run.json is damaged, so that times are not known."]


def test_pages_have_targets_items_priors_and_candidates(related: ReportCorpus, sample_related: Path) -> None:
    articles = read_articles(related, 0)
    pages, notes = random_pages(related, articles, 20, 0, 10**8, "a")
    assert notes == [] and len({page.title for page in pages}) == 20
    made = {row["title"]: row for row in rows(sample_related, "articles")}
    items = {row["title"]: row["qid"] for row in rows(sample_related, "tables/pages.parquet")}
    table = MentionTable.open(sample_related)
    for page in pages:
        row = made[page.title]
        assert row["kind"] == "article" and page.cut == 0
        texts = ["".join(piece.text for piece in paragraph.pieces) for paragraph in page.paragraphs]
        assert texts == [paragraph["text"] for paragraph in row["paragraphs"] if paragraph["text"]]
        links = [link for paragraph in row["paragraphs"] for link in paragraph["links"]]
        for one, link in zip(page.mentions, links, strict=True):
            final = one.target.partition(" (written as ")[0] if "written as" in one.target else one.target
            assert link["target"] in (final, one.target.rpartition("(written as ")[2][:-1])
            assert one.qid == items.get(final)
            if one.prior is not None:
                assert one.prior == table.prior(one.name, final)
    few, _ = random_pages(related, articles, 20, 0, 60_000, "a")
    assert sum(page.cut for page in few) > 0 and [page.title for page in few] == [page.title for page in pages]
    other, _ = random_pages(related, articles, 20, 1, 10**8, "a")
    assert {page.title for page in other} != {page.title for page in pages}


def test_same_bytes_and_side_by_side(sample_related: Path, tiny_corpus: Path, tmp_path: Path) -> None:
    run = write_run(tmp_path / "run")
    words = ["report", str(sample_related), "--compare", str(tiny_corpus), "--run", str(run), "--pages", "3"]
    for name in ("a.html", "b.html"):
        done = CliRunner().invoke(cli, [*words, "-o", str(tmp_path / name)])
        assert done.exit_code == 0, done.output
    html = (tmp_path / "a.html").read_bytes()
    assert html == (tmp_path / "b.html").read_bytes() and len(html) < LIMIT
    text = html.decode()
    assert "A: corpus" in text and "B: corpus" in text  # both folders are called so
    assert "http-equiv" in text and "<link" not in text and "src=" not in text and "@import" not in text


def test_runs_show_accuracy_beside_the_prior(tmp_path: Path) -> None:
    section = training(open_runs([str(write_run(tmp_path / "one", 400)), str(write_run(tmp_path / "two", 100))]))
    table = figure(section, "Held-out accuracy: entity")
    assert table.columns[1:4] == ["one: entity_top1, %", "one: the mention prior, %", "one: no_entity_top1, %"]
    assert table.rows[0][:4] == [50, 55.0, 80.0, 40.0] and table.rows[-1][4] is None
    loss = figure(section, "Loss")
    assert loss.rows[0][:2] == [1, 10.0] and loss.rows[-1][0] == 400 and len(loss.rows) <= 300
    assert figure(section, "Learning rate").columns == ["step", "one", "two"]
    assert section.tables[0].rows[0] == ["records", 12, 12]


def test_what_a_corpus_lacks_is_said_in_a_line(tmp_path: Path) -> None:
    dump = write_dump(tmp_path / "d.xml", xml_page(1, "Page", "A [[Page]] and [[Other]]."), xml_page(2, "Other", ""))
    build(tmp_path / "c", dump, until="extract")
    size = write_report(ReportOptions(str(tmp_path / "c")), str(tmp_path / "r.html"))
    text = (tmp_path / "r.html").read_text("utf-8")
    assert size == (tmp_path / "r.html").stat().st_size
    for line in (
        "c has no vocabulary: `wikiprep tables` makes one.",
        "c has no names: the build&#39;s command with --mentions adds their table.",
        "c has no records: `wikiprep records` makes them.",
        "c has no relations: the build&#39;s command with --wikidata adds them.",
        "c: no vocabulary that was counted here.",
        "c: nothing was rejected.",
        "c: without --mentions there are no priors and no candidates.",
    ):
        assert line in text, line


def test_bad_input(sample_related: Path, tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match="no such folder"):
        write_report(ReportOptions(str(tmp_path / "none")), "r.html")
    (tmp_path / "empty").mkdir()
    with pytest.raises(WikiprepError, match="give the folder of a corpus that wikiprep made"):
        write_report(ReportOptions(str(tmp_path / "empty")), "r.html")
    (tmp_path / "half" / "_state" / "inputs").mkdir(parents=True)
    (tmp_path / "half" / "_state" / "inputs" / "plan.json").write_text("{}")
    with pytest.raises(WikiprepError, match="the build is not finished, or the file is lost: give its command again"):
        write_report(ReportOptions(str(sample_related), compare=str(tmp_path / "half")), "r.html")
    with pytest.raises(UsageError, match=r"log\.jsonl: no such file\n  --run takes the folder"):
        write_report(ReportOptions(str(sample_related), runs=[str(tmp_path / "empty")]), "r.html")
    (tmp_path / "empty" / "log.jsonl").write_text('{"event": "train", "st\n[]\n')
    notes = training(open_runs([str(tmp_path / "empty")])).notes
    assert "empty: no step is logged yet." in notes and "empty: 2 lines of log.jsonl could not be read." in notes
    with pytest.raises(WikiprepError, match="is a folder"):
        write_report(ReportOptions(str(sample_related)), str(tmp_path))


def test_damage_is_told_and_no_report_is_left(sample_related: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut"
    shutil.copytree(sample_related, cut)
    for name in (
        "tables/mentions.parquet",
        "records/part-00000-of-00001.arrow",
        "articles/part-00000-of-00001.parquet",
    ):
        path = next(cut.glob(name.replace("part-00000-of-00001", "part-00000-*")))
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        with pytest.raises(WikiprepError, match=path.name):
            write_report(ReportOptions(str(cut)), str(tmp_path / "r.html"))
        path.write_bytes(whole)
    assert not (tmp_path / "r.html").exists()


def test_without_the_libraries_a_line_says_what_to_install(sample_related: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['matplotlib'] = None; sys.argv = ['wikiprep', *sys.argv[1:]]\n"
        "from wikiprep.cli.main import main; main()"
    )
    for words in (["report", str(sample_related)], ["coverage", str(sample_related), "--svg", "c.svg"]):
        command = [sys.executable, "-c", code, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 2
        assert 'matplotlib is not installed\n  pip install "wikiprep[report]"' in done.stderr
    assert list(tmp_path.iterdir()) == []
