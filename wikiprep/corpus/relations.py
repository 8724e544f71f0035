"""What holds between the mentions of a sentence or record, by Wikidata's triples.

Every ordered pair of mentions gets all properties that lead from the first one's item to the second's; an entity that
is mentioned twice has its relations at both mentions, and none with itself. All pairs of a slice of pages are looked up
at once, each pair of items one time, in mapped arrays. Nothing is drawn here: what trains on pairs without a relation
draws them from the mentions.

Of finished records, the items of the mentions come from the records, or from the vocabulary by entity id.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.config import RelationsConfig
from wikiprep.corpus.joined_text import Positions
from wikiprep.corpus.spans import DENSIFIED, LINK, SUBJECT, UNK
from wikiprep.counts import Count, Equation, Reasons
from wikiprep.wikidata.left_out_facts import LeftOutFacts
from wikiprep.wikidata.lookups import Triples
from wikiprep.wikidata.triples_table import pairs_of

NO_ITEM = -1
PAIRS_FOUND = Count("pairs.found", "Ordered pairs of mentions that share their sentence or record.")
PAIRS_RELATED = Count("pairs.related", "Pairs with a relation or more.")
PAIRS_UNRELATED = Count("pairs.unrelated", "Pairs that were looked up and have no relation.")
PAIRS_DROPPED = Reasons(
    "pairs.dropped.",
    "Pairs that were not looked up; the first reason that fits.",
    unk="A mention is [UNK]; --unk-relations takes it by its title.",
    subject="A mention is the page's own subject, with --no-subject-relations.",
    no_item="A mention has no item of Wikidata.",
    same_entity="Both are of one item.",
    left_out="All of its relations are on a list of --leave-out.",
)
PAIRS = Equation("pairs of mentions", PAIRS_FOUND, (PAIRS_RELATED, PAIRS_UNRELATED, PAIRS_DROPPED))
RELATIONS_FOUND = Count("relations.found", "Relations between mentions of the records.")
RELATIONS_OF = {
    LINK: Count("relations.link", "Relations between two links."),
    DENSIFIED: Count("relations.densified", "Relations with a mention that --densify added."),
    SUBJECT: Count("relations.subject", "Relations with a mention of the page's own subject."),
}
PREFERRED = Count("also.relations.preferred", "Relations whose statement has the rank preferred.")
RELATIONS = Equation("relations", RELATIONS_FOUND, tuple(RELATIONS_OF.values()))
_SHIFT, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)

Items = npt.NDArray[np.int64]
MOST_PAIRS = 1 << 18  # made at once: some 20 MB while they are looked up


@dataclass(frozen=True, slots=True)
class AlignedRelations:
    """Relations between mentions, by head, tail, property; parallel arrays. `head` and `tail` number the mentions.

    `source` is the greater of the two mentions' sources: 0 for two links, 1 if one was added by --densify, 2 if one is
    the page's own subject. So `source == 0` are the pairs that people linked.
    """

    head: Positions
    tail: Positions
    property: npt.NDArray[np.int32]
    rank: npt.NDArray[np.int8]
    source: npt.NDArray[np.int8]

    def keep(self, mentions: npt.NDArray[np.bool_]) -> "AlignedRelations":
        """Those between mentions that stay, numbered among these."""
        number = np.cumsum(mentions) - 1
        at = np.flatnonzero(mentions[self.head] & mentions[self.tail])
        head, tail = number[self.head[at]], number[self.tail[at]]
        return AlignedRelations(head, tail, self.property[at], self.rank[at], self.source[at])


@dataclass(frozen=True, slots=True)
class MentionRelations:
    """Mentions' relations, and their items."""

    aligned: AlignedRelations
    items: Items

    def keep(self, mentions: npt.NDArray[np.bool_]) -> "MentionRelations":
        """Of the mentions that stay."""
        return MentionRelations(self.aligned.keep(mentions), self.items[mentions])


@dataclass(frozen=True)
class Aligner:
    """`items`: Wikidata's item of each entity id, -1 for none.

    `title_item`: that of a link's target, for mentions that are [UNK]; asked only with --unk-relations.
    `config.relations` is "sentence" or "record".
    """

    triples: Triples
    items: Items
    config: RelationsConfig
    title_item: Callable[[str], int] = lambda title: NO_ITEM
    left_out: LeftOutFacts | None = None

    def items_of(self, entities: npt.NDArray[np.int32], unk_titles: list[str]) -> Items:
        """The items of mentions. `unk_titles`: the targets of those that are [UNK], in order."""
        items = self.items[entities]
        if self.config.unk_relations and unk_titles:
            item_by_title = {title: self.title_item(title) for title in set(unk_titles)}
            items[entities == UNK] = [item_by_title[title] for title in unk_titles]
        return items

    def align(
        self,
        entities: npt.NDArray[np.int32],
        sources: npt.NDArray[np.int8],
        items: Items,
        group: Positions,
        counts: Counter[Count],
    ) -> AlignedRelations:
        """The relations between mentions that share their `group`, which is in order.

        Adds to `counts`, which close by PAIRS and RELATIONS.
        """
        is_eligible = np.ones(len(entities), bool)
        pairs = count_pairs(group)
        counts[PAIRS_FOUND] += pairs
        for reason, excluded in (
            ("unk", (entities == UNK) & (not self.config.unk_relations)),
            ("subject", (sources == SUBJECT) & (not self.config.subject_relations)),
            ("no_item", items < 0),
        ):
            is_eligible &= ~excluded
            remaining = count_pairs(group[is_eligible])
            counts[PAIRS_DROPPED.of(reason)] += pairs - remaining
            pairs = remaining
        mention = np.flatnonzero(is_eligible)
        parts = [
            self._look_up_relations(mention[heads], mention[tails], items, sources, counts)
            for heads, tails in ordered_pairs(group[mention])
        ]
        aligned = _concatenate(parts)
        counts[RELATIONS_FOUND] += len(aligned.head)
        for source, key in RELATIONS_OF.items():
            counts[key] += int((aligned.source == source).sum())
        counts[PREFERRED] += int(aligned.rank.sum())
        return aligned

    def _look_up_relations(
        self, heads: Positions, tails: Positions, items: Items, sources: npt.NDArray[np.int8], counts: Counter[Count]
    ) -> AlignedRelations:
        """The relations of pairs of mentions, in their order."""
        is_different = items[heads] != items[tails]
        counts[PAIRS_DROPPED.of("same_entity")] += int((~is_different).sum())
        heads, tails = heads[is_different], tails[is_different]
        # In order and once each: a search in mapped arrays touches neighbouring pages one after the other.
        pairs, pair_index = np.unique(pairs_of(items[heads], items[tails]), return_inverse=True)
        triples = self.triples.between((pairs >> _SHIFT).astype(np.int64), (pairs & _LOW).astype(np.int64))
        has_left_out = np.zeros(len(pairs), bool)
        if self.left_out is not None:
            triples, has_left_out = self.left_out.without(pairs, triples)
        relation_counts = np.bincount(triples.pair, minlength=len(pairs))
        related = np.flatnonzero(relation_counts[pair_index])
        left_out = int((has_left_out & (relation_counts == 0))[pair_index].sum())
        counts[PAIRS_RELATED] += len(related)
        counts[PAIRS_DROPPED.of("left_out")] += left_out
        counts[PAIRS_UNRELATED] += len(heads) - len(related) - left_out
        pair = pair_index[related]
        number = relation_counts[pair]
        row = np.repeat(related, number)
        nth = np.arange(len(row)) - np.repeat(np.cumsum(number) - number, number)
        at = np.repeat((np.cumsum(relation_counts) - relation_counts)[pair], number) + nth
        head, tail = heads[row], tails[row]
        source = np.maximum(sources[head], sources[tail])
        return AlignedRelations(head, tail, triples.property[at], triples.rank[at], source)


def _concatenate(parts: list[AlignedRelations]) -> AlignedRelations:
    if not parts:
        none = np.empty(0, np.int64)
        return AlignedRelations(none, none, none.astype(np.int32), none.astype(np.int8), none.astype(np.int8))
    names = ("head", "tail", "property", "rank", "source")
    return AlignedRelations(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def count_pairs(group: Positions) -> int:
    """How many ordered pairs of different places share their group; `group` is in order."""
    sizes = np.unique(group, return_counts=True)[1].astype(np.int64)
    return int((sizes * (sizes - 1)).sum())


def ordered_pairs(group: Positions, most: int = MOST_PAIRS) -> Iterator[tuple[Positions, Positions]]:
    """The ordered pairs of places that share their group, by first place, then second; `group` is in order.

    At most `most` pairs come at once, or all of one place.
    """
    first = np.searchsorted(group, group, "left")
    sizes = np.searchsorted(group, group, "right") - first
    sizes[sizes == 1] = 0  # alone
    cumulative = np.cumsum(sizes)
    start = 0
    while start < len(group):
        before = int(cumulative[start - 1]) if start else 0
        stop = max(start + 1, int(np.searchsorted(cumulative, before + most, "right")))
        size = sizes[start:stop]
        heads = np.repeat(np.arange(start, stop), size)
        tails = np.arange(len(heads)) - np.repeat(np.cumsum(size) - size, size) + np.repeat(first[start:stop], size)
        different = heads != tails
        if different.any():
            yield heads[different], tails[different]
        start = stop


def mention_items(records: pa.RecordBatch, items: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The item of every mention of a batch of records, in order; -1 for none. `items`: by entity id."""
    name = "entity_qids"
    if name in records.schema.names:
        stored_items: npt.NDArray[np.int64] = pc.list_flatten(records[name]).to_numpy(zero_copy_only=False)
        return stored_items
    entity_items: npt.NDArray[np.int64] = items[pc.list_flatten(records["entity_ids"]).to_numpy(zero_copy_only=False)]
    return entity_items


class FlatRelations:
    """The relations of a batch of records as arrays: `head` and `tail` number the mentions of the batch."""

    def __init__(self, records: pa.RecordBatch) -> None:
        lists = records["relations"]
        values = pc.list_flatten(lists)
        self.record = pc.list_parent_indices(lists).to_numpy(zero_copy_only=False).astype(np.int64)
        mentions = pc.list_value_length(records["entity_ids"]).to_numpy(zero_copy_only=False).astype(np.int64)
        first = (np.cumsum(mentions) - mentions)[self.record]
        self.mentions = mentions[self.record]  # of each relation's record
        self.head_index, self.tail_index, self.property, self.rank, self.source = (
            values.field(name).to_numpy(zero_copy_only=False) for name in ("head", "tail", "property", "rank", "source")
        )
        self.head, self.tail = first + self.head_index, first + self.tail_index

    def __len__(self) -> int:
        return len(self.record)
