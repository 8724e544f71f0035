"""The articles of one part become records: what the guard's child process does.

Pages are worked on in slices of about 1 MB of text, since ICU and the tokenizer are quickest with much at once; a slice
is what the guard sees. When it looks for the bad page of a slice, the pages are worked on one by one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from wikiprep.config import RecordsConfig, RelationsConfig
from wikiprep.corpus.article_arrays import COLUMNS, slices
from wikiprep.corpus.articles import read_articles
from wikiprep.corpus.builder import SLICE_BYTES, RecordBuilder
from wikiprep.corpus.luke2020 import Luke2020Builder
from wikiprep.corpus.schema import record_schema
from wikiprep.corpus.shards import ShardWriter
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.counts import Count, Equation, Reasons
from wikiprep.file_receipt import FileReceipt
from wikiprep.files import Store
from wikiprep.guard.shared_memory import GIVEN_UP, GIVEN_UP_FOR, Watch
from wikiprep.stages.tables_of_unit import RejectRows
from wikiprep.stages.tokenizer import TOKENIZER
from wikiprep.tables.mentions.link_targets import Rules
from wikiprep.tables.resolver import open_resolver, open_titles
from wikiprep.tables.title_lookup import TitleTable
from wikiprep.units.unit import Unit

if TYPE_CHECKING:
    from wikiprep.corpus.relations import Aligner
    from wikiprep.corpus.spans import SpanAdder
    from wikiprep.tables.relation_vocab import RelationCounts

PAGES_READ = Count("pages.read", "Articles and disambiguation pages that the stage was given.")
PAGES_USED = Count("pages.used", "Pages that records are made of.")
PAGES_SKIPPED = Reasons(
    "pages.skipped.",
    "Pages that no record is made of.",
    disambiguation="A disambiguation page, without --keep-disambiguation.",
    duplicate_title="Another page has the title.",
    **GIVEN_UP_FOR,
)
DOCUMENTS = Equation("documents for records", PAGES_READ, (PAGES_USED, PAGES_SKIPPED))
RELATION_COUNTS = "_state/records/relations/"
_COLUMNS = [*COLUMNS, "kind"]


class Builder(Protocol):
    """What makes records of a batch of articles: `corpus/builder.py` or `corpus/luke2020.py`."""

    counts: Counter[Count]

    def build(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Records in the order of the articles."""


_builders: dict[str, Builder] = {}  # by fingerprint: the memo of word -> ids stays warm from unit to unit


@dataclass(frozen=True, slots=True)
class RecordsWork:
    """`articles` and `part`: paths relative to the output. `duplicates`: some titles come twice; one page counts.
    `rules`: what can be meant, with --densify. `relations`: None without them; `wiki`: whose titles Wikidata's are;
    `left_out`: table of the facts that are no relations."""

    articles: str
    part: str
    language: str
    kinds: tuple[str, ...]
    duplicates: bool
    config: RecordsConfig
    rules: Rules | None = None
    relations: RelationsConfig | None = None
    wiki: str = ""
    left_out: str | None = None


@dataclass(frozen=True, slots=True)
class _Slice:
    """Pages that are worked on at once; `ordinal` is the first one's place in the part."""

    ordinal: int
    rows: pa.RecordBatch

    def announce(self, watch: Watch, bytes_done: int) -> None:
        page_id, title = self.rows["page_id"][0].as_py(), self.rows["title"][0].as_py()
        watch.begin(self.ordinal, page_id, title, self.ordinal + self.rows.num_rows, bytes_done)


def build_part(
    payload: tuple[Unit, Store], watch: Watch, skip: Mapping[int, str], only: int | None
) -> tuple[list[FileReceipt], dict[Count, int]]:
    """The published files of a part, and its counts.

    With `only`, the slice that begins there is tried page by page and nothing is published.
    """
    unit, store = payload
    work: RecordsWork = unit.work
    builder = _cached_builder(unit, store)
    builder.counts.clear()
    selection = _PageSelection(work.kinds, open_titles(store) if work.duplicates else None, skip)
    articles = store.fetch(work.articles)
    if only is not None:
        for page in _pages_of_slice(articles, work, only):
            page.announce(watch, 0)
            builder.build(selection.rows(page))
            watch.end()
        return [], {}
    total = pq.read_metadata(articles).num_rows
    with store.scratch(unit.name) as folder:
        writer = ShardWriter(folder / "records.arrow", record_schema(work.config.text, work.relations))
        relations = open_relation_counts(store, folder) if work.relations is not None else None
        for piece in _slices(articles, work):
            piece.announce(watch, unit.weight * selection.counts[PAGES_READ] // total)
            records = builder.build(selection.rows(piece))
            watch.end()
            writer.write(records)
            if relations is not None:
                relations.add(records)
        writer.close()
        files = [store.publish(folder / "records.arrow", work.part)]
        if selection.lost:
            selection.write_lost(folder / "rejects.parquet")
            files.append(store.publish(folder / "rejects.parquet", f"rejects/records-{Path(work.part).stem}.parquet"))
        for path in relations.close() if relations is not None else ():
            files.append(store.publish(path, f"{RELATION_COUNTS}{Path(work.part).stem}/{path.name}"))
    counts = selection.counts + builder.counts
    return files, {key: n for key, n in sorted(counts.items()) if n}


def _slices(articles: Path, work: RecordsWork) -> Iterator[_Slice]:
    """The same ones whatever is skipped, so that an ordinal means the same page in each attempt."""
    ordinal = 0
    columns = None if work.config.compat else _COLUMNS  # the reference's rules take whole rows
    for batch in read_articles(articles, columns):
        for rows in slices(batch, SLICE_BYTES):
            yield _Slice(ordinal, rows)
            ordinal += rows.num_rows


def _pages_of_slice(articles: Path, work: RecordsWork, ordinal: int) -> Iterator[_Slice]:
    for piece in _slices(articles, work):
        if piece.ordinal == ordinal:
            for row in range(piece.rows.num_rows):
                yield _Slice(ordinal + row, piece.rows.slice(row, 1))


class _PageSelection:
    """Which pages records are made of; the others are counted. `titles` if some titles come twice."""

    def __init__(self, kinds: tuple[str, ...], titles: TitleTable | None, skip: Mapping[int, str]) -> None:
        self.counts: Counter[Count] = Counter()
        self.lost: list[tuple[int | None, str, str]] = []  # page id, title, reason
        self._kinds = pa.array(kinds)
        self._titles = titles
        self._skip = skip

    def rows(self, piece: _Slice) -> pa.RecordBatch:
        """The rows of a slice that are used."""
        self.counts[PAGES_READ] += piece.rows.num_rows
        remaining = self._drop_given_up(piece)
        rows_of_kind = remaining.filter(pc.is_in(remaining["kind"], self._kinds))
        self.counts[PAGES_SKIPPED.of("disambiguation")] += remaining.num_rows - rows_of_kind.num_rows
        unique = self._drop_duplicate_titles(rows_of_kind)
        self.counts[PAGES_SKIPPED.of("duplicate_title")] += rows_of_kind.num_rows - unique.num_rows
        self.counts[PAGES_USED] += unique.num_rows
        return unique

    def write_lost(self, path: Path) -> None:
        """The pages that were given up, as rejects."""
        rejects = RejectRows(path)
        for page_id, title, reason in self.lost:
            rejects.add(page_id, title, reason, GIVEN_UP)
        rejects.close()

    def _drop_given_up(self, piece: _Slice) -> pa.RecordBatch:
        keep = np.ones(piece.rows.num_rows, dtype=bool)
        for row in range(piece.rows.num_rows) if self._skip else ():
            reason = self._skip.get(piece.ordinal + row)
            if reason is not None:
                keep[row] = False
                self.counts[PAGES_SKIPPED.of(reason)] += 1
                self.lost.append((piece.rows["page_id"][row].as_py(), piece.rows["title"][row].as_py(), reason))
        return piece.rows if keep.all() else piece.rows.filter(pa.array(keep))

    def _drop_duplicate_titles(self, rows: pa.RecordBatch) -> pa.RecordBatch:
        if self._titles is None:
            return rows
        # Of pages with one title the title table has one; the others are rejects since the stage `pages`.
        numbers = self._titles.numbers(rows["title"].to_pylist())
        return rows.filter(pa.array(self._titles.page_id_of[numbers] == rows["page_id"].to_numpy()))


def _cached_builder(unit: Unit, store: Store) -> Builder:
    if unit.fingerprint not in _builders:
        _builders.clear()
        work: RecordsWork = unit.work
        tokenizer = load_tokenizer(str(store.fetch(TOKENIZER)))
        resolver = open_resolver(store)
        builder: Builder
        if work.config.compat == "luke-2020":
            look_up = resolver.vocabulary.id
            builder = Luke2020Builder(tokenizer, work.language, work.config, look_up, resolver.one_hop)
        else:
            densifier = None if work.rules is None else open_densifier(store, work.rules)
            aligner = None if work.relations is None else open_aligner(store, work.relations, work.wiki, work.left_out)
            builder = RecordBuilder(tokenizer, work.language, work.config, resolver.entity_id, densifier, aligner)
        _builders[unit.fingerprint] = builder
    return _builders[unit.fingerprint]


def open_aligner(store: Store, config: RelationsConfig, wiki: str, left_out: str | None = None) -> "Aligner":
    """What finds the relations of mentions: Wikidata's tables of the output, memory-mapped.

    `left_out`: a table of the facts that it must not find.
    """
    from wikiprep.corpus.relations import NO_ITEM, Aligner
    from wikiprep.leave_out.lists import open_left_out_facts
    from wikiprep.stages.wikidata import FOLDER, lookup_folder
    from wikiprep.wikidata.lookups import ItemTitles, Triples
    from wikiprep.wikidata.triples_table import TRIPLE_ARRAYS

    resolver, titles = open_resolver(store), ItemTitles.open(lookup_folder(store, FOLDER))

    def title_item(target: str) -> int:
        title = resolver.end(target)
        return NO_ITEM if title is None else int(titles.qids(wiki, [title])[0])

    triples = Triples.open(store.fetch(f"{FOLDER}/{TRIPLE_ARRAYS}").parent)
    facts = open_left_out_facts(store.fetch(left_out)) if left_out else None
    return Aligner(triples, _entity_items(store), config, title_item, facts)


def open_relation_counts(store: Store, folder: Path) -> "RelationCounts":
    """What counts the relations of a part, in files of `folder`."""
    from wikiprep.tables.relation_vocab import RelationCounts

    return RelationCounts(_entity_items(store), folder)


def _entity_items(store: Store) -> npt.NDArray[np.int64]:
    from wikiprep.tables.entity_vocab import VOCAB_ARRAYS, open_entity_items

    return open_entity_items(store.fetch(f"tables/{VOCAB_ARRAYS}").parent)


def open_densifier(store: Store, rules: Rules) -> "SpanAdder":
    """What finds the spans that records get beside links: names as the mention table of the output knows them."""
    from wikiprep.tables.mentions.densify import Densifier
    from wikiprep.tables.mentions.mention_table import MentionTable
    from wikiprep.tables.mentions.page_names import PageNamer

    return Densifier(PageNamer(MentionTable.open(store), rules, lambda title: True, subject=True))
