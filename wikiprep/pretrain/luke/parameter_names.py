"""The names of parameters here and in Hugging Face's checkpoints, and what differs but in name: three matrices in one.

Nothing else knows the other side's names. `to_hugging_face` and `from_hugging_face` are inverse to each other.
"""

import re
from collections.abc import Iterable, Mapping

import torch
from torch import Tensor

_LUKE = "luke."
_PREFIXES = (_LUKE, "roberta.", "bert.")
_BERT_HEAD = {  # BERT's head is RoBERTa's under other names
    "cls.predictions.transform.dense": "lm_head.dense",
    "cls.predictions.transform.LayerNorm": "lm_head.layer_norm",
    "cls.predictions.decoder": "lm_head.decoder",
    "cls.predictions": "lm_head",
}
_OLD = {"gamma": "weight", "beta": "bias"}  # of LayerNorm in the first checkpoints of BERT
_TABLES = {
    "words.token.weight": "embeddings.word_embeddings.weight",
    "words.position.weight": "embeddings.position_embeddings.weight",
    "words.kind.weight": "embeddings.token_type_embeddings.weight",
    "words.norm": "embeddings.LayerNorm",
    "entities.entity.weight": "entity_embeddings.entity_embeddings.weight",
    "entities.up.weight": "entity_embeddings.entity_embedding_dense.weight",
    "entities.position.weight": "entity_embeddings.position_embeddings.weight",
    "entities.kind.weight": "entity_embeddings.token_type_embeddings.weight",
    "entities.norm": "entity_embeddings.LayerNorm",
    "pooler_weight": "pooler.dense.weight",
    "pooler_bias": "pooler.dense.bias",
}
_LAYER = {
    "attention.word_to_entity": "attention.self.w2e_query",
    "attention.entity_to_word": "attention.self.e2w_query",
    "attention.entity_to_entity": "attention.self.e2e_query",
    "attention.out": "attention.output.dense",
    "attention_norm": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "norm": "output.LayerNorm",
}
_HEADS = {  # these stand outside the encoder there: no prefix
    "word_head.dense": "lm_head.dense",
    "word_head.norm": "lm_head.layer_norm",
    "word_head.bias": "lm_head.bias",
    "entity_head.dense": "entity_predictions.transform.dense",
    "entity_head.norm": "entity_predictions.transform.LayerNorm",
    "entity_head.bias": "entity_predictions.bias",
}
QUERIES = ("word_to_entity", "entity_to_word", "entity_to_entity")  # what entity-aware attention has beside `query`
_QKV = ("query", "key", "value")
_IN_LAYER = re.compile(r"layers\.(\d+)\.(.+)\.(weight|bias)")
_TIED = {  # names that only repeat a table
    "lm_head.decoder.weight": "luke.embeddings.word_embeddings.weight",
    "lm_head.decoder.bias": "lm_head.bias",
    "entity_predictions.decoder.weight": "luke.entity_embeddings.entity_embeddings.weight",
}

_DECODERS = {
    "word_head": ("lm_head.decoder.weight", "embeddings.word_embeddings.weight"),
    "entity_head": ("entity_predictions.decoder.weight", "entity_embeddings.entity_embeddings.weight"),
}


def to_hugging_face(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Our tensors under their names of a `LukeForMaskedLM` (qkv cut in three). Raises KeyError for an unknown name."""
    hf_tensors: dict[str, Tensor] = {}
    for name, tensor in tensors.items():
        for hf_name, part in zip(_hf_names(name), tensor.chunk(3) if ".qkv." in name else (tensor,), strict=True):
            hf_tensors[hf_name] = part
    return hf_tensors


def from_hugging_face(tensors: Mapping[str, Tensor], names: Iterable[str]) -> dict[str, Tensor]:
    """Those of the `names` names whose tensors a BERT, RoBERTa or LUKE checkpoint has, under our names.

    Encoder names may have the prefix `bert.`, `roberta.` or `luke.`, or none; `lm_head.decoder.bias` serves as
    `lm_head.bias`.
    """
    by_plain_name = {_plain_name(name): tensor for name, tensor in tensors.items()}
    ours: dict[str, Tensor] = {}
    for name in names:
        try:
            hf_names = _hf_names(name)
        except KeyError:
            continue
        parts = [
            piece
            for hf_name in hf_names
            if (piece := by_plain_name.get(_plain_name(hf_name), by_plain_name.get(_decoder_bias(hf_name)))) is not None
        ]
        if len(parts) == len(hf_names):
            ours[name] = torch.cat(parts) if len(parts) > 1 else parts[0]
    return ours


def tied_copies(theirs: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The names that repeat a table in a checkpoint of Hugging Face, with what they repeat."""
    return {name: theirs[source] for name, source in _TIED.items() if source in theirs}


def has_word_head(names: Iterable[str]) -> bool:
    """Whether a checkpoint with tensors of these names has the head for masked words."""
    plain_names = {_plain_name(name) for name in names}
    return {"lm_head.dense.weight", "lm_head.layer_norm.weight"} <= plain_names


def is_untied(tensors: Mapping[str, Tensor], head: str) -> bool:
    """Whether the scores of `word_head` or `entity_head` come of another matrix there than of the table of inputs."""
    by_plain_name = {_plain_name(name): tensor for name, tensor in tensors.items()}
    decoder, table = _DECODERS[head]
    return (
        decoder in by_plain_name
        and table in by_plain_name
        and not torch.equal(by_plain_name[decoder], by_plain_name[table])
    )


def _plain_name(name: str) -> str:
    """The name as it is in RoBERTa, without the prefix of its encoder."""
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    stem, _, kind = name.rpartition(".")
    return f"{_BERT_HEAD.get(stem, stem)}.{_OLD.get(kind, kind)}" if stem else name


def _decoder_bias(name: str) -> str:
    return "lm_head.decoder.bias" if name == "lm_head.bias" else ""


def _hf_names(name: str) -> list[str]:
    """Their name or names of one of ours. Raises KeyError where they have none."""
    if name in _TABLES:
        return [_LUKE + _TABLES[name]]
    if name in _HEADS:
        return [_HEADS[name]]
    stem, _, kind = name.rpartition(".")
    if stem in _HEADS:
        return [f"{_HEADS[stem]}.{kind}"]
    if stem in _TABLES:
        return [f"{_LUKE}{_TABLES[stem]}.{kind}"]
    match = _IN_LAYER.fullmatch(name)
    if match is None:
        raise KeyError(name)
    number, part, kind = match.groups()
    layer = f"{_LUKE}encoder.layer.{number}."
    if part == "attention.qkv":
        return [f"{layer}attention.self.{one}.{kind}" for one in _QKV]
    return [f"{layer}{_LAYER[part]}.{kind}"]
