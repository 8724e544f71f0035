"""Random pages with their mentions: what each one leads to, its QID, its prior, and what else the name can mean."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.report.blocks import shorten
from wikiprep.report.corpus import ReportCorpus
from wikiprep.report.sampling import SampledArticles, random_rows
from wikiprep.tables.entity_vocab import VOCAB_TRIE
from wikiprep.tables.mentions.mention_table import MentionTable
from wikiprep.tables.resolver import Resolver, open_resolver, open_titles
from wikiprep.tables.title_lookup import TITLE_TRIE, TitleTable

CANDIDATES = 4
BUDGET = 3_000_000  # bytes of all pages together, so that the file stays under 5 MB
_COLOURS = {"entity": "entity", "no entity": "known", "article": "known", "link": "known", "missing": "missing"}
_MENTION = 700  # bytes that a mention takes, but for its names
_PAGES = "tables/pages.parquet"


@dataclass(frozen=True, slots=True)
class ShownMention:
    """A row of a page's table, and what is shown on hover."""

    key: str
    name: str
    target: str
    status: str  # entity, no entity, missing, …
    colour: str  # a class of report.css
    qid: str | None
    prior: float | None
    candidates: str


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """Text, and the mention that it is, if any."""

    text: str
    mention: ShownMention | None


@dataclass(frozen=True, slots=True)
class ShownParagraph:
    """Pieces of a paragraph. `heading`: the section that begins here; "" where none does."""

    heading: str
    kind: str
    pieces: Sequence[ShownPiece]


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page as far as it is shown. `cut`: paragraphs that are left out."""

    key: str
    corpus: str
    language: str
    title: str
    address: str
    page_id: int | None
    qid: str | None
    paragraphs: Sequence[ShownParagraph]
    mentions: Sequence[ShownMention]
    cut: int


class _CorpusTables:
    """The tables of a corpus, those that it has."""

    def __init__(self, corpus: ReportCorpus) -> None:
        store = corpus.store
        with corpus.whole("tables"):
            self.titles: TitleTable | None = open_titles(store) if corpus.has(f"tables/{TITLE_TRIE}") else None
            self.entities: Resolver | None = open_resolver(store) if corpus.has(f"tables/{VOCAB_TRIE}") else None
            self.names: MentionTable | None = (
                MentionTable.open(store) if corpus.has("tables/mentions/names.marisa") else None
            )
        self.qids: dict[int, str] = {}

    def page_id(self, target: str) -> int | None:
        """The page that a link leads to."""
        return self.titles.resolve(target).page_id if self.titles is not None else None

    def mention(self, key: str, name: str, target: str) -> ShownMention:
        """All that is known of a link."""
        page, final, status = None, target, ""
        if self.titles is not None:
            resolved = self.titles.resolve(target)
            status, page = resolved.status, resolved.page_id
            final = resolved.title or target
        if self.entities is not None:
            status = "entity" if self.entities.entity_id(target) is not None else (status or "unknown")
            status = "no entity" if status == "article" else status
        target_text = final if final == target else f"{final} (written as {target})"
        prior, others = None, ""
        if self.names is not None and self.names.counts(name) is not None:
            candidates = self.names.candidates(name)
            prior = next((one.prior for one in candidates if one.title == final), 0.0)
            others = "; ".join(f"{shorten(one.title, 60)} {one.prior:.3f}" for one in candidates[:CANDIDATES])
            if len(candidates) > CANDIDATES:
                others += f"; {len(candidates) - CANDIDATES:,} more"
        status = status or "link"
        return ShownMention(
            key,
            name,
            target_text,
            status,
            _COLOURS.get(status, "other"),
            self.qids.get(page) if page is not None else None,
            prior,
            others,
        )


def random_pages(
    corpus: ReportCorpus, articles: SampledArticles, count: int, seed: int, budget: int, letter: str
) -> tuple[list[ShownPage], list[str]]:
    """`count` pages of the sample, and lines on what is not known of them. Together they take about `budget` bytes."""
    tables, notes = _CorpusTables(corpus), []
    if tables.names is None:
        notes.append(f"{corpus.name}: without --mentions there are no priors and no candidates.")
    if tables.entities is None:
        notes.append(f"{corpus.name}: without a vocabulary it is not known which links lead to entities.")
    rows = list(_rows(corpus, articles, count, seed))
    targets = {link["target"] for row in rows for paragraph in row["paragraphs"] for link in paragraph["links"]}
    tables.qids, has_qids = qids_of(
        corpus, {page for target in targets if (page := tables.page_id(target)) is not None}
    )
    if not has_qids:
        notes.append(f"{corpus.name}: without --page-props or --wikidata there are no QIDs.")
    pages = [_page(corpus, tables, f"{letter}{i}", row, budget // max(1, count)) for i, row in enumerate(rows)]
    return pages, notes


def _rows(corpus: ReportCorpus, articles: SampledArticles, count: int, seed: int) -> Iterator[dict[str, Any]]:
    columns = ["page_id", "revision_id", "title", "qid", "paragraphs"]
    for piece, row in random_rows(articles, count, seed):
        with corpus.parquet(piece.path) as file:
            table = file.read_row_group(piece.number, columns=columns)
        yield table.slice(row, 1).to_pylist()[0]


def _page(corpus: ReportCorpus, tables: _CorpusTables, key: str, row: dict[str, Any], budget: int) -> ShownPage:
    paragraphs: list[ShownParagraph] = []
    mentions: list[ShownMention] = []
    section: list[str] = []
    used_bytes = 0
    for paragraph in row["paragraphs"]:
        remaining = budget - used_bytes
        if remaining <= 0:
            break
        pieces, at = [], 0
        text = paragraph["text"]
        for link in paragraph["links"]:
            if used_bytes > budget:
                break
            name = text[link["start"] : link["end"]]
            mention = tables.mention(f"{key}-{len(mentions)}", name, link["target"])
            mentions.append(mention)
            pieces += [ShownPiece(text[at : link["start"]], None), ShownPiece(name, mention)]
            used_bytes += _MENTION + 4 * sum(
                len(s.encode()) for s in (mention.name, mention.target, mention.candidates)
            )
            at = link["end"]
        rest = text[at : at + max(0, budget - used_bytes)]
        pieces.append(ShownPiece(rest + ("…" if at + len(rest) < len(text) else ""), None))
        used_bytes += 2 * len(text.encode()) + 100
        heading = "" if paragraph["section"] == section else " › ".join(paragraph["section"])
        section = paragraph["section"]
        paragraphs.append(ShownParagraph(heading, paragraph["kind"], [piece for piece in pieces if piece.text]))
    cut = len(row["paragraphs"]) - len(paragraphs)
    return ShownPage(
        key,
        corpus.name,
        corpus.manifest.inputs.language,
        row["title"],
        _address(corpus, row["revision_id"]),
        row["page_id"],
        row["qid"],
        paragraphs,
        mentions,
        cut,
    )


def _address(corpus: ReportCorpus, revision: int | None) -> str:
    """Where the very revision can be read; "" for text that is of no wiki on the web."""
    base = corpus.manifest.inputs.of_site("base") or ""
    scheme, _, rest = base.partition("://")
    host = rest.partition("/")[0]
    if scheme not in ("http", "https") or not host or revision is None:
        return ""
    return f"{scheme}://{host}/w/index.php?oldid={revision}"


def qids_of(corpus: ReportCorpus, pages: set[int]) -> tuple[dict[int, str], bool]:
    """QIDs by page id, and whether any page of the corpus has one: one pass over two columns of the table of pages.

    (tables/qids.py, which is for many look-ups, holds all: of ten million pages with sorting half a gigabyte.)
    """
    qids: dict[int, str] = {}
    known = False
    page_ids = pa.array(sorted(pages), pa.int64())
    for batch in corpus.batches(_PAGES, ["page_id", "qid"]) if corpus.has(_PAGES) else ():
        known = known or batch["qid"].null_count < batch.num_rows
        matches = batch.filter(pc.and_(pc.is_in(batch["page_id"], value_set=page_ids), pc.is_valid(batch["qid"])))
        qids.update(zip(matches["page_id"].to_pylist(), matches["qid"].to_pylist(), strict=True))
    return qids, known
