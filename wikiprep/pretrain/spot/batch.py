"""The tensors of a SPOT batch, by name, beside those of words (`luke/batch.py`). B sequences of W words.

Spans are one list: M mentions, sentence by sentence, then the negative spans; S in all. Of each span only its first
`max_span_width` tokens are looked at, one list too: T of them.

| name | shape | what |
|---|---|---|
| span_places | [T] | the spans' tokens, one span behind the other: places in the flattened [B · W] |
| span_starts, span_ends | [S] | of each span [start, end) in that list |
| span_slots, span_real | [M], [R, m] | where mentions stand in a table with a row a sentence (`pairs.Layout`) |
| entity_rows, entity_labels | [N] | spans with a target, as places in the list of spans, and their classes |
| entity_hidden | [N] bool | true where all tokens of the span were chosen to be masked |
| entity_tail_1, … | [n] | places in entity_labels of those in the k-th tail cluster of the adaptive softmax |
| pair_heads, pair_tails | [P] | pairs with a relation, as places in the list of spans |
| relation_pairs, relation_labels, relation_weights | [t] | targets: the pair that each is of, its class, its weight |
| counted | [3] | what was cut or left out: see COUNTS |
"""

from typing import NamedTuple

from torch import Tensor

from wikiprep.pretrain.family import COUNTED, Batch
from wikiprep.pretrain.spot.entity_softmax import EntityTargets
from wikiprep.pretrain.spot.pair_encoder import Layout

SPAN_PLACES = "span_places"
SPAN_STARTS = "span_starts"
SPAN_ENDS = "span_ends"
SPAN_SLOTS = "span_slots"
SPAN_REAL = "span_real"
ENTITY_ROWS = "entity_rows"
ENTITY_LABELS = "entity_labels"
ENTITY_HIDDEN = "entity_hidden"
ENTITY_TAIL = "entity_tail_"
PAIR_HEADS = "pair_heads"
PAIR_TAILS = "pair_tails"
RELATION_PAIRS = "relation_pairs"
RELATION_LABELS = "relation_labels"
RELATION_WEIGHTS = "relation_weights"
NUMBERS = "counted"

# Mentions wider than the span encoder looks; pairs with a relation behind the bound; records without a related pair.
COUNTS = tuple(COUNTED + name for name in ("cut_spans", "pairs_left_out", "records_without_pair"))


class SpanBatch(NamedTuple):
    """The spans of a batch: see the table above."""

    places: Tensor
    starts: Tensor
    ends: Tensor
    layout: Layout


def spans_of(batch: Batch) -> SpanBatch:
    """From the tensors."""
    layout = Layout(batch[SPAN_SLOTS], batch[SPAN_REAL])
    return SpanBatch(batch[SPAN_PLACES], batch[SPAN_STARTS], batch[SPAN_ENDS], layout)


def entity_targets_of(batch: Batch) -> EntityTargets:
    """From the tensors."""
    tails = sorted(name for name in batch if name.startswith(ENTITY_TAIL))
    return EntityTargets(batch[ENTITY_LABELS], tuple(batch[name] for name in tails))
