"""Operations of a training step by counting the products of matrices: twice forward for backward."""

from wikiprep.pretrain.family import Batch
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.config import LukeConfig


def training_flops(config: LukeConfig, batch: Batch) -> float:
    """Forward and backward of the batch's real tokens; a multiply and an add are two operations.

    Attention counts the pairs of tokens that see each other; behind it, the last layer is needed at masked positions
    only. Recomputation (of scores, of checkpointed layers) is not
    counted, as is usual for MFU (Chowdhery et al., 2022, appendix B).
    """
    hidden = config.hidden_size
    word_targets, entity_targets = len(batch[names.WORD_LABELS]), len(batch[names.ENTITY_LABELS])
    forward = encoder_flops(config, batch, word_targets + entity_targets)
    forward += 2.0 * word_targets * (hidden * hidden + hidden * config.vocab_size)
    if config.entities:
        size = config.entity_size
        forward += 2.0 * entity_targets * (hidden * size + size * config.entity_vocab_size)
    return 3.0 * forward


def encoder_flops(config: LukeConfig, batch: Batch, targets: int) -> float:
    """Forward through embeddings and layers, the last of which is needed at `targets` positions."""
    real = batch[names.REAL]
    tokens = int(real.sum())
    hidden, wide = config.hidden_size, config.intermediate_size
    to_attention, behind_it = 3 * hidden * hidden, hidden * hidden + 2 * hidden * wide
    forward = 2.0 * tokens * (config.layers * to_attention + (config.layers - 1) * behind_it)
    forward += 2.0 * targets * behind_it
    forward += 2.0 * 2 * hidden * config.layers * _pairs(batch)
    if config.entities:
        forward += 2.0 * int(real[:, batch[names.WORD_IDS].shape[1] :].sum()) * config.entity_size * hidden
    return forward


def _pairs(batch: Batch) -> int:
    segments = batch.get(names.SEGMENTS)
    if segments is None:
        return int((batch[names.REAL].sum(dim=1) ** 2).sum())
    return sum(int(((segments == number).sum(dim=1) ** 2).sum()) for number in range(1, int(segments.max()) + 1))
