"""What the guard's child makes of a batch of articles: all at once, without those given up, or one by one."""

import pyarrow as pa
import pytest
from engine_build import Local, package

package("apache-beam", "beam")
from wikiprep.corpus.articles import article_rows, read_articles  # noqa: E402 - not where Beam is missing
from wikiprep.errors import WikiprepError  # noqa: E402
from wikiprep.pipelines.transforms import BuildRecords, Place, ResolvedArticle  # noqa: E402
from wikiprep.pipelines.transforms.make_records import RecordsTerms, make_records  # noqa: E402
from wikiprep.wikitext.article_columns import columns_of  # noqa: E402


class Noted:
    """A watch that keeps what it is told."""

    def __init__(self) -> None:
        self.begun: list[int] = []

    def begin(
        self,
        ordinal: int,
        page_id: int | None,
        title: str | None,
        pages: int = 0,
        bytes_done: int = 0,
        rejects: int = 0,
    ) -> None:
        """Of a page."""
        self.begun.append(ordinal)

    def end(self) -> None:
        """Of the page before."""


@pytest.fixture
def batch(local: Local) -> tuple[RecordsTerms, list[ResolvedArticle]]:
    """All articles, of which one is a disambiguation page; every link leads to its own target."""
    parts = sorted((local.output / "articles").iterdir())
    rows = [row for part in parts for some in read_articles(part) for row in article_rows(some)]
    articles = [
        ResolvedArticle(Place(0, 1, n), "enwiki", row, {it: it for it in columns_of(row.paragraphs).targets})
        for n, row in enumerate(rows)
    ]
    return BuildRecords(local.output)._terms, articles


def test_one_that_was_given_up_is_left_out(batch: tuple[RecordsTerms, list[ResolvedArticle]]) -> None:
    _, articles = batch
    whole, without = make_records(batch, Noted(), {}, None), make_records(batch, Noted(), {2: "timeout"}, None)
    assert len(whole.numbers) == len(articles) and whole.numbers[2] > 0
    assert without.numbers == [0 if n == 2 else number for n, number in enumerate(whole.numbers)]
    assert (without.lost, without.counts["pages.skipped.timeout"]) == ({2: "timeout"}, 1)
    ids = [articles[n].row.page_id for n, number in enumerate(without.numbers) for _ in range(number)]
    assert pa.ipc.open_stream(without.data).read_all()["page_id"].to_pylist() == ids
    assert whole.counts["pages.read"] == whole.counts["pages.used"] + whole.counts["pages.skipped.disambiguation"]


def test_the_pages_of_a_batch_that_failed_are_tried_one_by_one(
    batch: tuple[RecordsTerms, list[ResolvedArticle]],
) -> None:
    _, articles = batch
    at_once, alone = Noted(), Noted()
    make_records(batch, at_once, {1: "crash"}, None)
    assert at_once.begun == [0]
    assert make_records(batch, alone, {1: "crash"}, 0).data == b""
    used = [n for n, article in enumerate(articles) if article.row.kind == "article" and n != 1]
    assert alone.begun == used


def test_a_link_without_an_end(batch: tuple[RecordsTerms, list[ResolvedArticle]]) -> None:
    terms, (first, *_) = batch
    lacking = ResolvedArticle(first.place, first.wiki, first.row, {})
    with pytest.raises(WikiprepError, match="no end is given for its link to"):
        make_records((terms, [lacking]), Noted(), {}, None)
