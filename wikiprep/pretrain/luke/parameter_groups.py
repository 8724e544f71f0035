"""Which parameters are trained in which stage, and which of them decay."""

from functools import partial

from torch import nn

from wikiprep.pretrain.family import ParameterGroup
from wikiprep.pretrain.luke.parameter_names import QUERIES

_NEW = ("entities.", "entity_head.")  # what RoBERTa lacks, beside the queries; the word head it has
_WORD_HEAD = "word_head."
_ENTITY_TABLE = "entities.entity.weight"
_QUERIES = [[name] for name in QUERIES]
_WORD_HEAD_NORM = "word_head.norm.weight"


def is_new(name: str, new_word_head: bool) -> bool:
    """Whether stage 1 trains the parameter of this name."""
    new_prefixes = (*_NEW, _WORD_HEAD) if new_word_head else _NEW
    return name.startswith(new_prefixes) or name.split(".")[-2:-1] in _QUERIES


def is_trained(stage: int, new_word_head: bool, freeze_entity_table: bool, name: str) -> bool:
    """Whether a stage trains the parameter of this name, of a model that has new ones."""
    return not (freeze_entity_table and name == _ENTITY_TABLE) and (stage != 1 or is_new(name, new_word_head))


def parameter_groups(
    model: nn.Module,
    stage: int,
    decay_head_norm: bool,
    new_word_head: bool = False,
    *,
    freeze_entity_table: bool = False,
) -> list[ParameterGroup]:
    """Stage 1: the new parameters, queries of entity-aware attention too; any other, or a model without new ones: all.

    `new_word_head`: the checkpoint to start from has none, so that it is one of them. `freeze_entity_table`: no stage
    trains the rows of entities, which inputs and scores share.

    Biases and weights of LayerNorm do not decay; that of the word head does as in the published run, where the name by
    which the others were left out did not fit it, unless `decay_head_norm` is false.
    """
    named_parameters = list(model.named_parameters())
    has_new = any(is_new(name, new_word_head) for name, _ in named_parameters)
    trains = partial(is_trained, stage if has_new else 2, new_word_head, freeze_entity_table)
    trained_parameters = [(name, tensor) for name, tensor in named_parameters if trains(name)]

    def decays(name: str) -> bool:
        if name == _WORD_HEAD_NORM:
            return decay_head_norm
        return not name.endswith("bias") and "norm" not in name

    groups = [
        ParameterGroup([t for name, t in trained_parameters if decays(name) is decay], decay) for decay in (True, False)
    ]
    return [group for group in groups if group.parameters]
