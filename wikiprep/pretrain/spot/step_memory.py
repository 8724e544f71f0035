"""How much memory a step takes, in bytes, by formula: parameters, gradients, moments, and what forward keeps.

Counted are tensors; not a device's context, the buffers of its kernels, and a fragmented heap. A measured step
confirms it within 10 % (`benchmarks/spot_memory.py`).
"""

from dataclasses import dataclass
from itertools import pairwise

from wikiprep.pretrain.family import Batch
from wikiprep.pretrain.luke import batch as word_names
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.softmax import SCORES
from wikiprep.pretrain.spot import batch as names
from wikiprep.pretrain.spot.config import SpotConfig
from wikiprep.pretrain.spot.entity_softmax import ADAPTIVE, usable_cutoffs

FLOAT, BF16 = 4, 2  # bytes


@dataclass(frozen=True)
class Load:
    """What one rank computes at once; `tails`: targets in each tail cluster of the adaptive softmax."""

    positions: int  # of words, padding included
    masked: int  # tokens
    span_tokens: int
    mentions: int
    spans: int  # with the negative ones
    places: int  # of spans in the table of a sentence each: sentences x the most mentions of one
    pairs: int
    targets: int  # of the entity loss
    tails: tuple[int, ...]

    @classmethod
    def of(cls, batch: Batch) -> "Load":
        """Of a batch."""
        tails = sorted(name for name in batch if name.startswith(names.ENTITY_TAIL))
        return cls(
            batch[word_names.WORD_IDS].numel(),
            len(batch[word_names.WORD_LABELS]),
            len(batch[names.SPAN_PLACES]),
            len(batch[names.SPAN_SLOTS]),
            len(batch[names.SPAN_STARTS]),
            batch[names.SPAN_REAL].numel(),
            len(batch[names.PAIR_HEADS]),
            len(batch[names.ENTITY_LABELS]),
            tuple(len(batch[name]) for name in tails),
        )


@dataclass(frozen=True)
class Memory:
    """Bytes by what they are for. `activations`: kept from forward to backward; `scores`: made as backward begins;
    `fresh`: the gradient of the largest table, whole before it is added to that of the micro-batches before."""

    parameters: int
    gradients: int
    moments: int
    activations: int
    scores: int
    fresh: int

    @property
    def total(self) -> int:
        """All of them, as if they were all there at once."""
        return self.parameters + self.gradients + self.moments + self.activations + self.scores + self.fresh


def step_memory(
    parameters: int, text: LukeConfig, config: SpotConfig, load: Load, *, bf16: bool, fused: bool = True
) -> Memory:
    """Of a step with AdamW, all `parameters` trained and kept in float32, layers not recomputed, attention fused.

    `fused`: dropout keeps a byte a number, as on a GPU; on a CPU it keeps a number.
    """
    size = FLOAT * parameters
    activation_bytes = activations(text, config, load, bf16=bf16, fused=fused)
    scores = 2 * FLOAT * min(SCORES, load.masked * text.vocab_size)
    tables = [text.vocab_size * text.hidden_size]
    tables += [config.entity_vocab_size * config.entity_size] if config.entity_softmax != ADAPTIVE else []
    return Memory(size, size, 2 * size, activation_bytes, scores, FLOAT * max(tables))


def activations(text: LukeConfig, config: SpotConfig, load: Load, *, bf16: bool, fused: bool = True) -> int:
    """Kept from forward to backward.

    A layer of the text encoder keeps of N positions, with b bytes a number (2 under autocast, else 4) and m bytes for a
    number's dropout:

    before   query, key, value 3b, attention's output b and the same head by head b; with autocast its input b
    behind   the sum before a norm 4 and m, twice; the norms' outputs 2b; the inner layer and its gelu 2b · F / D

    times N · D: 40 (bf16) or 70 (float32) N · D on a GPU with F = 4 D. Behind the attention the last layer keeps only
    positions that are looked at. Under autocast the matrices of the layers are kept as bf16 too.
    """
    low = BF16 if bf16 else FLOAT
    size, wide = text.hidden_size, text.intermediate_size
    drop = (1 if fused else low) if text.dropout else 0
    before = 5 * low * size + FLOAT * text.heads
    behind = 2 * (FLOAT + drop) * size + 2 * low * size + 2 * low * wide
    needed_positions = load.masked + load.span_tokens
    total = load.positions * (text.layers * before + (text.layers - 1) * behind) + needed_positions * behind
    # Embeddings: the sum before the norm, dropout of float32, and the output.
    total += load.positions * size * (FLOAT + ((1 if fused else FLOAT) if text.dropout else 0) + low)
    total += load.masked * size * (2 * low + 2 * FLOAT)  # the head for masked words
    total += _product_bytes(load.masked, text.vocab_size, size, low)
    total += BF16 * text.layers * (4 * size * size + 2 * size * wide) if bf16 else 0
    return total + _span_bytes(text, config, load, low)


def _span_bytes(text: LukeConfig, config: SpotConfig, load: Load, low: int) -> int:
    spans, pairs = config.spans(text), config.pairs(text)
    kept_bytes = FLOAT + (low if low != FLOAT else 0)  # of a float32 that a product takes in another type too
    total = load.span_tokens * (kept_bytes * text.hidden_size + 2 * low * spans.attention_hidden)
    total += load.spans * spans.max_width * kept_bytes * text.hidden_size  # all tokens of a span, side by side
    total += load.spans * (kept_bytes * spans.parts_size + (FLOAT + low) * spans.size)
    layer = load.mentions * (5 * low * pairs.inner + (kept_bytes + FLOAT) * pairs.span_size)
    layer += load.places * 4 * low * pairs.inner
    total += layer * pairs.layers * pairs.span_attention
    total += load.mentions * 2 * low * pairs.size + load.pairs * (low + FLOAT + kept_bytes) * pairs.size
    total += load.pairs * config.relations * (low + FLOAT)
    return total + _entity_bytes(config, spans.size, load, low)


def _entity_bytes(config: SpotConfig, size: int, load: Load, low: int) -> int:
    total = FLOAT * load.targets * size
    if config.entity_softmax != ADAPTIVE:
        return total + _product_bytes(load.targets, config.entity_vocab_size, config.entity_size, low)
    cutoffs = usable_cutoffs(config.entity_cutoffs, config.entity_vocab_size)
    bounds = [*cutoffs, config.entity_vocab_size]
    total += _product_bytes(load.targets, bounds[0] + len(cutoffs), size, low)
    for number, (rows, (first, last)) in enumerate(zip(load.tails, pairwise(bounds), strict=True), 1):
        narrow = max(1, int(size // config.entity_ratio**number))
        total += _product_bytes(rows, last - first, narrow, low)
    return total


def _product_bytes(rows: int, classes: int, width: int, low: int) -> int:
    """Where they are few, they are kept, with the table as it was multiplied; else made again (`luke/softmax.py`)."""
    if not rows or rows * classes > SCORES:
        return 0
    return low * rows * classes + (low * classes * width if low != FLOAT else 0)
