"""The head of joint extraction: spans, which of them are entities, and the relations of their ordered pairs.

e_s      span encoder on the states of a span's tokens (`pretrain/spot/span_encoder.py`)
entity   sigmoid(v · e_s + c) for each candidate
r_ij     pair encoder over the text's entities (`pretrain/spot/pair_encoder.py`): gold in training, found ones after
holds    sigmoid of a linear layer of r_ij for each relation; or a softmax over them and "none"

Losses: `entities`, the mean binary cross-entropy over gold and drawn spans; `relations`, the mean over ordered pairs of
gold spans of the sum over relations (softmax: of the cross-entropy). The trainer adds both up.

Beside the encoder's inputs a batch has, of S spans, G of them entities, and P pairs:

| name | shape | what |
|---|---|---|
| span_rows, span_starts, span_ends | [S] | text of the batch and tokens [start, end) of a span |
| span_labels | [S] | 1 for an entity |
| gold, slots, layout | [G], [G], [B, M] | entities as places in the S spans, and their `Layout` |
| pair_heads, pair_tails | [P] | places in the G entities |
| pair_labels | [P, R] | relations as 0 and 1 |
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.errors import UsageError
from wikiprep.pretrain.family import Batch, Sums
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.layers import initialise
from wikiprep.pretrain.luke.model import LukeEncoder
from wikiprep.pretrain.spot.pair_encoder import Layout, PairEncoder, PairOptions, ordered_pairs
from wikiprep.pretrain.spot.span_encoder import SpanEncoder, SpanOptions
from wikiprep.tasks.features import Ints
from wikiprep.tasks.finetune.encoder import Start
from wikiprep.tasks.finetune.task_head import GiveStart
from wikiprep.tasks.joint_extraction import ENTITY, NO_ENTITY, ExtractedTriples, JointFeatures, JointTask

SPANS, PAIRS = "spans", "pairs"  # modules, named as in a SPOT run
ROWS, STARTS, ENDS, SPAN_LABELS = "span_rows", "span_starts", "span_ends", "span_labels"
GOLD, SLOTS, LAYOUT = "gold", "slots", "layout"
HEADS, TAILS, PAIR_LABELS = "pair_heads", "pair_tails", "pair_labels"
ENTITIES_LOSS, RELATIONS_LOSS = "entities", "relations"
RARE = 0.01  # probability that an untrained model gives each relation: most pairs have none


@dataclass(frozen=True)
class JointSizes:
    """Of the modules, and how relations are decided."""

    spans: SpanOptions
    pairs: PairOptions
    relations: int
    softmax: bool
    dropout: float
    threshold: float  # logits from which a relation, and a span, holds
    span_threshold: float
    max_spans: int


class JointModel(nn.Module):
    """Encoder, span encoder, pair encoder and two classifiers."""

    def __init__(self, encoder: LukeEncoder, sizes: JointSizes) -> None:
        super().__init__()
        self.encoder = encoder
        self.sizes = sizes
        self.spans = SpanEncoder(sizes.spans)
        self.entity = nn.Linear(sizes.spans.size, 1)
        self.pairs = PairEncoder(sizes.pairs)
        self.relation = nn.Linear(sizes.pairs.size, sizes.relations + sizes.softmax)
        self.dropout = nn.Dropout(sizes.dropout)

    def forward(self, batch: Batch, want: str = "loss") -> Any:
        """want = "loss": the two losses as sums and numbers. "scores": a `ExtractedTriples` of each text, in order."""
        words, _ = self.encoder.encode(batch)
        spans = self.dropout(self.spans(words, batch[ROWS], batch[STARTS], batch[ENDS]))
        logits = _full(self.entity(spans)[:, 0])
        return self._losses(batch, spans, logits) if want == "loss" else self._extract(batch, spans, logits)

    def _losses(self, batch: Batch, spans: Tensor, logits: Tensor) -> Sums:
        layout = Layout(batch[SLOTS], batch[LAYOUT])
        pairs = self._pairs(spans[batch[GOLD]], layout, batch[HEADS], batch[TAILS])
        labels = batch[PAIR_LABELS]
        with torch.autocast(logits.device.type, enabled=False):
            span_labels = batch[SPAN_LABELS].to(logits.dtype)
            entities = F.binary_cross_entropy_with_logits(logits, span_labels, reduction="sum")
            if self.sizes.softmax:
                # The first of several relations, and class 0 where there is none.
                classes = torch.where(labels.any(dim=1), labels.to(torch.uint8).argmax(dim=1) + 1, 0)
                relations = F.cross_entropy(pairs, classes, reduction="sum")
            else:
                relations = F.binary_cross_entropy_with_logits(pairs, labels.to(pairs.dtype), reduction="sum")
        return {ENTITIES_LOSS: (entities, _number(logits)), RELATIONS_LOSS: (relations, _number(pairs))}

    def _pairs(self, spans: Tensor, layout: Layout, heads: Tensor, tails: Tensor) -> Tensor:
        return _full(self.relation(self.dropout(self.pairs(spans, layout, heads, tails))))

    def _extract(self, batch: Batch, spans: Tensor, logits: Tensor) -> list[ExtractedTriples]:
        """Two steps: spans that are entities, then the relations of their ordered pairs."""
        texts = len(batch[names.WORD_IDS])
        rows, values = batch[ROWS].cpu().numpy(), logits.cpu().float().numpy()
        firsts = np.searchsorted(rows, np.arange(texts))
        kept_spans, left_out = [], []
        for text in range(texts):
            candidates = np.flatnonzero((rows == text) & (values >= self.sizes.span_threshold))
            best = candidates[np.argsort(-values[candidates], kind="stable")[: self.sizes.max_spans]]
            kept_spans.append(np.sort(best))
            left_out.append(len(candidates) - len(best))
        counts = [len(numbers) for numbers in kept_spans]
        chosen_spans = np.concatenate(kept_spans)
        pairs = ordered_pairs(counts)
        layout = Layout.of(counts)
        device = logits.device
        heads, tails, places = (torch.from_numpy(a).to(device) for a in (pairs.heads, pairs.tails, chosen_spans))
        layout = Layout(layout.slots.to(device), layout.real.to(device))
        holding, certainty = self._select_relations(self._pairs(spans[places], layout, heads, tails))
        triples = np.stack(
            [chosen_spans[pairs.heads[holding[:, 0]]], chosen_spans[pairs.tails[holding[:, 0]]], holding[:, 1]], axis=1
        )
        extractions = []
        for text, (numbers, left_out_count) in enumerate(zip(kept_spans, left_out, strict=True)):
            is_of_text = rows[triples[:, 0]] == text
            text_triples = triples[is_of_text] - np.array([firsts[text], firsts[text], 0])
            extractions.append(
                ExtractedTriples(
                    numbers - firsts[text], values[numbers], text_triples, certainty[is_of_text], left_out_count
                )
            )
        return extractions

    def _select_relations(self, logits: Tensor) -> tuple[Ints, Any]:
        """[K, 2]: pair and relation, of those that hold; and their logits [K]."""
        values = logits.cpu().float().numpy()
        if not self.sizes.softmax:
            pair_relations = np.argwhere(values >= self.sizes.threshold)
            return pair_relations, values[pair_relations[:, 0], pair_relations[:, 1]]
        best = values.argmax(axis=1)
        holding_pairs = np.flatnonzero(best)
        return np.stack([holding_pairs, best[holding_pairs] - 1], axis=1), values[holding_pairs, best[holding_pairs]]


@dataclass(frozen=True)
class JointHead:
    """See `TaskHead`.

    `negatives`: spans that are no entity and are drawn of a text; 0: all. `pretrained`: span and pair encoder are those
    of the run to start from.
    """

    sizes: JointSizes
    negatives: int
    pretrained: bool

    def build(self, encoder: LukeEncoder, seed: int, start: GiveStart | None) -> nn.Module:
        """See `TaskHead`.

        Raises UsageError where modules of a SPOT run are asked for that are not there, or are of other sizes.
        """
        model = JointModel(encoder, self.sizes)
        own_modules = nn.ModuleDict(
            {name: part for name, part in model.named_children() if name not in ("encoder", "dropout")}
        )
        initialise(own_modules, seed + 1, encoder.config.init_std, -1)
        with torch.no_grad():
            if not self.sizes.softmax:
                model.relation.bias.fill_(float(np.log(RARE / (1 - RARE))))
            if start is not None and self.pretrained:
                _same_modules(self.sizes, start())
                _fill(model, start().tensors, start().what)
        return model

    def decisions(self, items: Sequence[JointFeatures], rngs: Sequence[np.random.Generator], batch: Batch) -> Batch:
        """See `TaskHead`: negatives are drawn here; to be scored are all candidates."""
        training = len(rngs) > 0
        span_sets = [
            self._draw_spans(item, rngs[row]) if training else np.arange(len(item.places))
            for row, item in enumerate(items)
        ]
        labels = [item.labels[spans] == ENTITY for item, spans in zip(items, span_sets, strict=True)]
        places = np.concatenate([item.places[spans] for item, spans in zip(items, span_sets, strict=True)])
        gold = np.concatenate(labels)
        counts = [int(is_gold.sum()) for is_gold in labels]
        pairs, layout = ordered_pairs(counts), Layout.of(counts)
        arrays = {
            ROWS: np.repeat(np.arange(len(items)), [len(spans) for spans in span_sets]),
            STARTS: places[:, 0],
            ENDS: places[:, 1],
            SPAN_LABELS: gold,
            GOLD: np.flatnonzero(gold),
            HEADS: pairs.heads,
            TAILS: pairs.tails,
            PAIR_LABELS: self._relations(items, counts),
        }
        tensors = {name: torch.from_numpy(array) for name, array in arrays.items()}
        return tensors | {SLOTS: layout.slots, LAYOUT: layout.real}

    def _draw_spans(self, item: JointFeatures, rng: np.random.Generator) -> Ints:
        gold, others = np.flatnonzero(item.labels == ENTITY), np.flatnonzero(item.labels == NO_ENTITY)
        if self.negatives and len(others) > self.negatives:
            others = rng.choice(others, self.negatives, replace=False)
        return np.sort(np.concatenate([gold, others]))

    def _relations(self, items: Sequence[JointFeatures], counts: Sequence[int]) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """[P, R], in the order of `ordered_pairs`."""
        labels = np.zeros((sum(count * (count - 1) for count in counts), self.sizes.relations), np.bool_)
        offset = 0
        for item, count in zip(items, counts, strict=True):
            gold_number = {int(span): n for n, span in enumerate(np.flatnonzero(item.labels == ENTITY))}
            for head, tail, label in item.relations.tolist():
                i, j = gold_number[head], gold_number[tail]
                labels[offset + i * (count - 1) + j - (j > i), label] = True
            offset += count * (count - 1)
        return labels

    def counts(self, batch: Batch) -> dict[str, int]:
        """See `TaskHead`."""
        return {ENTITIES_LOSS: len(batch[ROWS]), RELATIONS_LOSS: len(batch[HEADS])}

    def loss_sums(self, model: nn.Module, batch: Batch) -> Sums:
        """See `TaskHead`."""
        return cast(Sums, model(batch))

    def scores(self, model: nn.Module, batch: Batch, items: Sequence[JointFeatures]) -> list[ExtractedTriples]:
        """See `TaskHead`."""
        return cast(list[ExtractedTriples], model(batch, "scores"))

    def states(self, batch: Batch) -> int:
        """See `TaskHead`: of all words."""
        return int(batch[names.REAL].sum())


def make_head(task: JointTask, labels: Sequence[str], config: LukeConfig) -> JointHead:
    """The head of a task's options. Raises UsageError for sizes or kinds of spans that make no module."""
    options = task.options
    size = options.size or config.hidden_size
    sizes = JointSizes(
        SpanOptions(
            config.hidden_size,
            size,
            tuple(options.span_kinds.split("+")),
            options.span_tokens,
            norm_eps=config.norm_eps,
        ),
        PairOptions(
            size,
            size,
            options.pair_layers,
            options.pair_heads,
            span_attention=options.span_attention,
            dropout=options.task_dropout,
            norm_eps=config.norm_eps,
        ),
        len(labels),
        options.relations == "softmax",
        options.task_dropout,
        _logit(options.threshold),
        _logit(options.span_threshold),
        options.max_spans,
    )
    return JointHead(sizes, options.negatives, options.modules == "pretrained")


def _same_modules(sizes: JointSizes, start: Start) -> None:
    """Raises UsageError where a SPOT run has what the shapes of its tensors do not show: heads, the order of parts."""
    if start.spot is None:
        return
    for name, own_value, start_value in (
        ("span_kinds", "+".join(sizes.spans.kinds), start.spot.span_encoder),
        ("pair_heads", sizes.pairs.heads, start.spot.pair_heads),
        ("pair_layers", sizes.pairs.layers, start.spot.pair_layers),
        ("span_attention", sizes.pairs.span_attention, start.spot.span_attention),
    ):
        if own_value != start_value:
            raise UsageError(
                f"{start.what}: was trained with {name} = {start_value}, and task.{name} = {own_value}",
                f"give its own (--set task.{name}={str(start_value).lower()}), or task.modules=new",
            )


def _fill(model: JointModel, tensors: Any, what: str) -> None:
    """Give span and pair encoder the tensors of a SPOT run."""
    for name, module in ((SPANS, model.spans), (PAIRS, model.pairs)):
        for key, tensor in module.state_dict().items():
            start_tensor = tensors.get(f"{name}.{key}")
            if start_tensor is None or start_tensor.shape != tensor.shape:
                mismatch = (
                    "has no"
                    if start_tensor is None
                    else f"of {list(start_tensor.shape)}, not {list(tensor.shape)}, is its"
                )
                raise UsageError(
                    f"{what}: {mismatch} {name}.{key}, and task.modules = pretrained",
                    "give a run of SPOT, with its span_kinds, span_tokens, size, pair_layers and span_attention; or "
                    "task.modules=new",
                )
            tensor.copy_(start_tensor)


def _logit(probability: float) -> float:
    clipped = min(max(probability, 0.0), 1.0)
    return float("-inf") if clipped == 0 else float("inf") if clipped == 1 else float(np.log(clipped / (1 - clipped)))


def _full(logits: Tensor) -> Tensor:
    """In float32 at least, also where autocast gave less."""
    return logits.to(torch.promote_types(logits.dtype, torch.float32))


def _number(like: Tensor) -> Tensor:
    return torch.tensor(len(like), dtype=torch.int64, device=like.device)
