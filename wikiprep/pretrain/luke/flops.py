"""Operations of a training step, by counting the products of matrices that the model asks for.

Each product of forward has up to two in backward: for the gradient of the matrix, if it is trained, and for that of
what was multiplied with it, if anything below is. A multiply and an add are two operations.

What a kernel computes beside is not counted, as is usual for MFU (Chowdhery et al., 2022, appendix B): padding, scores
and layers that are computed again, and what entity-aware attention pays for one fused kernel (heads of double width, a
query of words by words for entities).
"""

from collections.abc import Callable
from dataclasses import dataclass

from wikiprep.pretrain.family import Batch
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.config import LukeConfig

Trains = Callable[[str], bool]  # whether a parameter of this name is trained


def everything(name: str) -> bool:
    """All is trained."""
    return True


@dataclass(frozen=True)
class EncoderFlops:
    """Operations of forward and backward up to the last states, and whether anything that is trained is behind them."""

    flops: float
    trained: bool


def product(numbers: float, trained: bool, below: bool) -> float:
    """Operations of `numbers` multiplications with a matrix. `below`: what it is multiplied with has a gradient too."""
    return 2.0 * numbers * (1 + trained + below)


def training_flops(config: LukeConfig, batch: Batch, trains: Trains = everything) -> float:
    """Forward and backward of the batch's real tokens. `trains`: of the names of a `Luke`'s parameters."""
    hidden = config.hidden_size
    words, entities = len(batch[names.WORD_LABELS]), len(batch[names.ENTITY_LABELS])
    encoded = encoder_flops(config, batch, words + entities, trains)
    dense = trains("word_head.dense.weight")
    total = encoded.flops + product(words * hidden * hidden, dense, encoded.trained)
    total += product(words * hidden * config.vocab_size, trains("words.token.weight"), encoded.trained or dense)
    if not config.entities:
        return total
    size = config.entity_size if config.entity_head == "released" else hidden
    dense, below = trains("entity_head.dense.weight"), encoded.trained
    total += product(entities * hidden * size, dense, below)
    below = below or dense
    if size != config.entity_size:
        project = trains("entity_head.project.weight")
        total += product(entities * size * config.entity_size, project, below)
        below = below or project
    table = trains("entities.entity.weight")
    return total + product(entities * config.entity_size * config.entity_vocab_size, table, below)


def encoder_flops(config: LukeConfig, batch: Batch, targets: int, trains: Trains = everything) -> EncoderFlops:
    """Through embeddings and layers.

    Attention counts the pairs of tokens that see each other; behind it, the last layer is needed at `targets`
    positions. `trains`: of the names of a `LukeEncoder`'s parameters.
    """
    hidden, wide = config.hidden_size, config.intermediate_size
    real, width = batch[names.REAL], batch[names.WORD_IDS].shape[1]
    words, entities = int(real[:, :width].sum()), int(real[:, width:].sum())
    below, total = trains("words.token.weight"), 0.0
    if config.entities:
        rows, up = trains("entities.entity.weight"), trains("entities.up.weight")
        if config.entity_size != hidden:
            total += product(entities * config.entity_size * hidden, up, rows)
        below = below or rows or up or trains("entities.position.weight")
    pairs = _count_pairs(batch)
    for number in range(config.layers):
        layer = f"layers.{number}."
        attention, has_gradient = _projections(config, f"{layer}attention.", words, entities, trains, below)
        total += attention + 2.0 * 2 * hidden * pairs * (1 + 2 * has_gradient)
        below = has_gradient
        positions = targets if number == config.layers - 1 else words + entities
        for name, size in (("attention.out", hidden * hidden), ("up", hidden * wide), ("down", wide * hidden)):
            is_trained = trains(f"{layer}{name}.weight")
            total += product(positions * size, is_trained, below)
            below = below or is_trained
    return EncoderFlops(total, below)


def _projections(
    config: LukeConfig, name: str, words: int, entities: int, trains: Trains, below: bool
) -> tuple[float, bool]:
    """Query, key and value, and whether any of them has a gradient.

    With entity-aware attention every token has two queries: what it asks of words, and what it asks of entities.
    """
    square = config.hidden_size**2
    has_gradient = trains(f"{name}qkv.weight")
    if not config.entity_aware_attention:
        return product(3 * (words + entities) * square, has_gradient, below), has_gradient or below
    total = product((3 * words + 2 * entities) * square, has_gradient, below)
    for query, count in (("word_to_entity", words), ("entity_to_word", entities), ("entity_to_entity", entities)):
        is_trained = trains(f"{name}{query}.weight")
        total += product(count * square, is_trained, below)
        has_gradient = has_gradient or is_trained
    return total, has_gradient or below


def _count_pairs(batch: Batch) -> int:
    segments = batch.get(names.SEGMENTS)
    if segments is None:
        return int((batch[names.REAL].sum(dim=1) ** 2).sum())
    return sum(int(((segments == number).sum(dim=1) ** 2).sum()) for number in range(1, int(segments.max()) + 1))
