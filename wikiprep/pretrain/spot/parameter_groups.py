"""The parameters of a model by module, which of them are trained in a stage, and the products of a step."""

from torch import nn

from wikiprep.pretrain.family import Batch, ParameterGroup
from wikiprep.pretrain.luke import batch as word_names
from wikiprep.pretrain.luke.flops import Trains, encoder_flops, everything, product
from wikiprep.pretrain.spot import batch as names
from wikiprep.pretrain.spot.entity_softmax import AdaptiveSoftmax
from wikiprep.pretrain.spot.model import Spot

_TEXT = "text."
_WORD_HEAD = "text.word_head."


def parameters_by_module(model: Spot) -> dict[str, int]:
    """Numbers of the text encoder, its head for masked words (without the tied table), and each module of SPOT."""
    counts = dict.fromkeys(("text", "word_head", "spans", "pairs", "entities", "relations"), 0)
    for name, parameter in model.named_parameters():
        part = "word_head" if name.startswith(_WORD_HEAD) else name.partition(".")[0]
        counts[part] += parameter.numel()
    return counts


def is_trained(stage: int, new_word_head: bool, name: str) -> bool:
    """Whether a stage trains the parameter of this name."""
    return stage != 1 or not name.startswith(_TEXT) or (new_word_head and name.startswith(_WORD_HEAD))


def parameter_groups(model: nn.Module, stage: int, new_word_head: bool) -> list[ParameterGroup]:
    """Stage 1: what a RoBERTa lacks (with `new_word_head` its head for masked words too); any other: all.

    Biases and weights of LayerNorm do not decay.
    """
    named_parameters = list(model.named_parameters())
    named_parameters = [(name, tensor) for name, tensor in named_parameters if is_trained(stage, new_word_head, name)]

    def decays(name: str) -> bool:
        return not name.endswith("bias") and "norm" not in name

    groups = [
        ParameterGroup([t for name, t in named_parameters if decays(name) is decay], decay) for decay in (True, False)
    ]
    return [group for group in groups if group.parameters]


def training_flops(model_sizes: "Sizes", batch: Batch, trains: Trains = everything) -> float:
    """Forward and backward of the batch's real tokens, spans and pairs; a multiply and an add are two operations.

    What stands behind the text encoder is trained in every stage. `trains`: of the names of a `Spot`'s parameters.
    """
    words, tokens = len(batch[word_names.WORD_LABELS]), len(batch[names.SPAN_PLACES])
    text = model_sizes.text
    encoded = encoder_flops(text, batch, words + tokens, lambda name: trains(f"{_TEXT}{name}"))
    head, below = trains(f"{_WORD_HEAD}dense.weight"), encoded.trained
    total = encoded.flops + product(words * text.hidden_size**2, head, below)
    total += product(words * text.hidden_size * text.vocab_size, trains(f"{_TEXT}words.token.weight"), below or head)
    total += product(tokens * model_sizes.of_token + len(batch[names.SPAN_STARTS]) * model_sizes.of_span, True, below)
    multiplications = len(batch[names.SPAN_SLOTS]) * model_sizes.of_mention
    multiplications += len(batch[names.PAIR_HEADS]) * model_sizes.of_pair
    multiplications += len(batch[names.ENTITY_LABELS]) * model_sizes.of_target
    multiplications += sum(
        len(batch[f"{names.ENTITY_TAIL}{number}"]) * size for number, size in enumerate(model_sizes.of_tail, 1)
    )
    return total + product(multiplications, True, True)


class Sizes:
    """Numbers in the matrices that a token of a span, a span, a mention, a pair, a target is multiplied with."""

    def __init__(self, model: Spot) -> None:
        def size(*modules: nn.Module | None) -> int:
            return sum(p.numel() for m in modules if m is not None for p in m.parameters() if p.dim() == 2)

        self.text = model.text.config
        self.of_token = size(model.spans.score)
        self.of_span = size(model.spans.project)
        self.of_mention = size(model.pairs.layers, model.pairs.head, model.pairs.tail)
        self.of_pair = size(model.relations)
        if isinstance(model.entities, AdaptiveSoftmax):
            self.of_target = size(model.entities.head)
            self.of_tail = [size(tail) for tail in model.entities.tail]
        else:
            self.of_target, self.of_tail = size(model.entities), []
