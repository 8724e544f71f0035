"""Pipelines composed of the transforms, on FnApiRunner and Prism: the files have the local driver's bytes."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import hostile_pages
import pyarrow as pa
import pytest
from building import hashes
from engine_build import Local, needs_prism, package, prism
from inline import write_dump, xml_page

package("apache-beam", "beam")
import apache_beam as beam  # noqa: E402 - not where Beam is missing
from apache_beam.options.pipeline_options import PipelineOptions  # noqa: E402
from apache_beam.testing.util import assert_that, equal_to  # noqa: E402

from wikiprep.config import ExtractConfig, RecordsConfig  # noqa: E402
from wikiprep.corpus.schema import record_schema  # noqa: E402
from wikiprep.corpus.shards import read_shard  # noqa: E402
from wikiprep.dump.page_xml import Page  # noqa: E402
from wikiprep.dump.site import Site  # noqa: E402
from wikiprep.errors import WikiprepError  # noqa: E402
from wikiprep.pipelines.transforms import (  # noqa: E402
    BuildRecords,
    ExtractArticles,
    PageRecords,
    Place,
    ReadPages,
    ResolvedArticle,
    ResolveLinks,
    SourcePage,
    WriteArrow,
    WriteArticles,
    WrittenPart,
    extract_articles,
    page_batches,
    write_arrow,
)
from wikiprep.wikitext.article import Link, Paragraph  # noqa: E402

RUNNERS = ["FnApiRunner", pytest.param("PrismRunner", marks=needs_prism())]


def pipeline_on(runner: str = "FnApiRunner") -> beam.Pipeline:
    """A pipeline that runs on leaving its block."""
    words = [f"--prism_location={prism()}"] if runner == "PrismRunner" else []
    return beam.Pipeline(runner=runner, options=PipelineOptions(words))


def pages(*titles: str, wiki: str = "", text: str = "'''Aa''' is a [[river]].") -> beam.PTransform:
    """Pages of one's own."""
    made = [
        SourcePage(Place(0, 1, n), wiki, Page(n, 0, title, None, None, "wikitext", None, text, 0))
        for n, title in enumerate(titles, 1)
    ]
    return beam.Create(made).with_output_types(SourcePage)


def records(part: int, parts: int, ordinal: int, rows: int = 1) -> PageRecords:
    """Records that say where they are from."""
    data = [{"page_id": ordinal, "ordinal": n, "title": f"part {part}"} for n in range(rows)]
    return PageRecords(Place(part, parts, ordinal), "", pa.RecordBatch.from_pylist(data, record_schema()))


def ids(output: Path) -> list[list[int]]:
    """Page ids of the records of each shard."""
    shards = sorted((output / "records").iterdir())
    return [[page_id for batch in read_shard(shard) for page_id in batch["page_id"].to_pylist()] for shard in shards]


def counters(result: Any, transform: str) -> dict[str, int]:
    """Beam's, as the runner has them at the end."""
    found = result.metrics().query()["counters"]
    return {it.key.metric.name: it.committed for it in found if it.key.metric.namespace == transform}


def of_folders(sums: dict[str, str], *folders: str) -> dict[str, str]:
    return {path: digest for path, digest in sums.items() if path.split("/")[0] in folders}


@pytest.mark.parametrize("runner", RUNNERS)
def test_the_composed_build_has_the_bytes_of_the_local_driver(runner: str, local: Local, tmp_path: Path) -> None:
    dump, corpus, output = local.words[0], local.output, tmp_path / "out"
    reading = ReadPages(dump, range_mb=0.002)
    assert len(reading.ranges) == 3
    with pipeline_on(runner) as p:
        articles = p | reading | ExtractArticles(reading.site, corpus=corpus)
        articles | WriteArticles(output)
        articles | ResolveLinks(corpus) | BuildRecords(corpus) | WriteArrow(output)
    assert hashes(output) == of_folders(local.hashes, "articles", "records")


def test_what_a_filter_leaves_is_written_in_all_parts(local: Local, tmp_path: Path) -> None:
    corpus, output, reading = local.output, tmp_path / "out", ReadPages(local.words[0], range_mb=0.002)
    with pipeline_on() as p:
        written = (
            p
            | reading
            | beam.Filter(lambda it: it.place.part == 1)  # its type hints are those of its input
            | ExtractArticles(reading.site, corpus=corpus)
            | ResolveLinks(corpus)
            | BuildRecords(corpus)
            | WriteArrow(output)
        )
        paths = [f"records/part-0000{part}-of-00003.arrow" for part in range(3)]
        assert_that(written | beam.Map(lambda it: it.path), equal_to(paths))
    assert sorted(hashes(output)) == paths
    first, second, third = ids(output)
    assert first == [] and third == [] and len(second) > 0
    assert hashes(output)[paths[1]] == local.hashes[paths[1]]


def test_pages_of_ones_own_and_no_corpus() -> None:
    with pipeline_on() as p:
        rows = p | pages("Aa", "Inn") | ExtractArticles(Site.for_language("en"))
        paragraph = Paragraph((), "prose", 0, "Aa is a river.", (Link(8, 13, "River"),))
        found = rows | beam.Map(lambda it: (it.row.title, it.row.paragraphs[0]))
        assert_that(found, equal_to([("Aa", paragraph), ("Inn", paragraph)]))


def test_a_resolution_of_ones_own(local: Local) -> None:
    """Links lead where the element says, whatever the redirects of the vocabulary's corpus are."""
    options = RecordsConfig(min_sentence_length=0)
    with pipeline_on() as p:
        made = (
            p
            | pages("Aa", text="It is in [[the town]] and [[nowhere]].")
            | ExtractArticles(Site.for_language("en"))
            | beam.Map(
                lambda it: ResolvedArticle(it.place, it.wiki, it.row, {"The town": "Rome", "Nowhere": None})
            ).with_output_types(ResolvedArticle)
            | BuildRecords(local.output, options=options)
        )
        vocabulary = {r["title"]: r["id"] for r in _vocabulary(local.output)}
        assert_that(made | beam.Map(lambda it: it.rows()[0]["entity_ids"]), equal_to([[vocabulary["Rome"], 1]]))


def _vocabulary(output: Path) -> list[dict[str, Any]]:
    import pyarrow.parquet as pq

    rows: list[dict[str, Any]] = pq.read_table(output / "tables" / "entity_vocab.parquet").to_pylist()
    return rows


@pytest.fixture(params=[1, 2_000])
def batch_pages(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches that are full within a bundle, and such that end with it."""
    monkeypatch.setattr(page_batches, "BATCH_PAGES", request.param)


@pytest.mark.usefixtures("batch_pages")
def test_each_page_is_counted_and_the_rejects_come_out(tmp_path: Path) -> None:
    dump = write_dump(
        tmp_path / "dump.xml",
        xml_page(1, "Aa", "A [[river]]."),
        xml_page(2, "Bad", "x").replace("<title>", "<title><b>", 1),
        xml_page(3, "Long", "word " * 1_000),
        xml_page(4, "Style", "a {}", model="css"),
        xml_page(5, "Talk:Aa", "x", ns=1),
        xml_page(6, "Ab", "", redirect="Aa"),
    )
    reading = ReadPages(dump)
    p = pipeline_on()
    found, unread = p | reading.with_rejects()
    options = ExtractConfig(templates="render", max_page_mb=0.001)
    articles, unused = found | ExtractArticles(reading.site, options=options).with_rejects()
    assert_that(articles | "A" >> beam.Map(lambda it: it.row.title), equal_to(["Aa"]), "articles")
    reasons = (unread, unused) | beam.Flatten() | "R" >> beam.Map(lambda it: (it.place.ordinal, it.page_id, it.reason))
    expected = [(1, 2, "malformed XML"), (2, 3, "page too large"), (3, 4, "content model")]
    assert_that(reasons, equal_to(expected), "rejects")
    result = p.run()
    result.wait_until_finish()
    assert counters(result, "ReadPages") == {"pages.read": 6, "pages.given": 5, "rejects.malformed XML": 1}
    kinds = {"article": 1, "reject": 2, "other_namespace": 1, "redirect": 1}
    assert counters(result, "ExtractArticles") == {
        "pages.read": 5,
        **{f"pages.{kind}": n for kind, n in kinds.items()},
        "rejects.page too large": 1,
        "rejects.content model": 1,
        "links.found": 1,
        "links.kept": 1,
    }


def test_a_page_that_kills_its_process_is_a_reject(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extract_articles, "extract_pages", hostile_pages.extract_or_die)
    with pipeline_on() as p:
        some = p | pages("Aa", hostile_pages.KILLS, "Inn")
        articles, rejects = some | ExtractArticles(Site.for_language("en")).with_rejects()
        assert_that(articles | "A" >> beam.Map(lambda it: it.row.title), equal_to(["Aa", "Inn"]), "articles")
        told = rejects | "R" >> beam.Map(lambda it: (it.title, it.reason))
        assert_that(told, equal_to([(hostile_pages.KILLS, "crash")]), "rejects")


@pytest.mark.usefixtures("batch_pages")
def test_pages_keep_their_windows_in_batches() -> None:
    with pipeline_on() as p:
        stamped = p | pages("Aa", "Inn") | beam.Map(lambda it: beam.window.TimestampedValue(it, it.place.ordinal * 60))
        windowed = stamped | beam.WindowInto(beam.window.FixedWindows(60))
        told = windowed | ExtractArticles(Site.for_language("en")) | beam.ParDo(_WindowOf())
        assert_that(told | "One" >> beam.WindowInto(beam.window.GlobalWindows()), equal_to([("Aa", 60), ("Inn", 120)]))


class _WindowOf(beam.DoFn):
    def process(self, element: Any, window: Any = beam.DoFn.WindowParam) -> Any:
        yield element.row.title, int(window.start)


def test_shards_are_in_the_order_of_places_and_old_ones_go(tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    shutil.copy(__file__, tmp_path / "records" / "part-00000-of-00009.arrow")
    sums = []
    for elements in ([records(1, 2, 5), records(0, 2, 3, rows=2), records(0, 2, 1)],) * 2:
        with pipeline_on() as p:
            made = p | beam.Create(elements).with_output_types(PageRecords)
            sizes = made | WriteArrow(tmp_path, overwrite=True) | beam.Map(lambda it: (it.path[-20:-6], it.rows))
            assert_that(sizes, equal_to([("00000-of-00002", 3), ("00001-of-00002", 1)]))
        assert ids(tmp_path) == [[1, 3, 3], [5]]
        sums.append(hashes(tmp_path))
    assert sums[0] == sums[1]


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ([records(0, 2, 1), records(0, 2, 1)], "page 1 of part-00000-of-00002 came twice"),
        ([records(0, 2, 1), records(1, 3, 1)], "a source of 2 parts and of one of 3 are mixed"),
        ([records(0, 2, 1), records(0, 3, 1)], "a source of 2 parts and of one of 3 are mixed"),
        ([records(2, 2, 1)], "part 2 of 2"),
    ],
)
def test_places_that_contradict_each_other(elements: list[PageRecords], message: str, tmp_path: Path) -> None:
    p = pipeline_on()
    p | beam.Create(elements).with_output_types(PageRecords) | WriteArrow(tmp_path)
    with pytest.raises(Exception, match=message):
        p.run()


def test_a_part_that_only_another_machine_has(tmp_path: Path) -> None:
    """As where the output is a path that the workers do not share."""
    finish = write_arrow.WriteArrow(tmp_path).finish()
    part = WrittenPart("records/part-00000-of-00001.arrow", 1, 7, "ab")
    with pytest.raises(WikiprepError, match="was written by another worker, and is not to be seen here"):
        list(finish.process((0, [(0, 1, part)])))


def test_pages_of_another_wiki_than_the_tables(local: Local) -> None:
    p = pipeline_on()
    articles = p | pages("Aa", wiki="dewiki") | ExtractArticles(Site.for_language("de"))
    articles | ResolveLinks(local.output)
    with pytest.raises(Exception, match="ResolveLinks was made for enwiki, and was given a page of dewiki"):
        p.run()


def test_the_child_of_the_guard_imports_no_beam() -> None:
    code = (
        "import sys, wikiprep.pipelines.transforms.extract_pages, wikiprep.pipelines.transforms.make_records as it;"
        "print('apache_beam' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
