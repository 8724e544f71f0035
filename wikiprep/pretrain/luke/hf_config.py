"""The `config.json` of a BERT, RoBERTa or LUKE checkpoint of Hugging Face, and ours: both ways."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.checkpoint_tensors import read_tensors
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.parameter_names import from_hugging_face

CONFIG = "config.json"
BERT, LUKE = "bert", "luke"
WITH_ENTITIES = (LUKE, "mluke")
KINDS = {  # model_type -> what people call it
    "roberta": "RoBERTa",
    "xlm-roberta": "XLM-RoBERTa",
    BERT: "BERT",
    LUKE: "LUKE",
    "mluke": "mLUKE",
}
_KNOWN = f"{', '.join(KINDS.values())} (model_type {', '.join(KINDS)})"
POSITIONS = "words.position.weight"
# What transformers takes where a config.json leaves it out: other values than ours.
_DEFAULTS = {"max_position_embeddings": 512, "type_vocab_size": 2, "layer_norm_eps": 1e-12}
_SIZES = {
    "hidden_size": "hidden_size",
    "num_hidden_layers": "layers",
    "num_attention_heads": "heads",
    "intermediate_size": "intermediate_size",
    "max_position_embeddings": "max_positions",
    "type_vocab_size": "type_rows",
    "layer_norm_eps": "norm_eps",
    "entity_emb_size": "entity_size",
}


def read_config(folder: Path) -> dict[str, Any]:
    """The `config.json` of a model that our module can be.

    Raises UsageError for another kind of model, naming the kinds that are, WikiprepError for a file that is none.
    """
    path = folder / CONFIG
    if not path.is_file():
        raise UsageError(f"{folder}: no config.json in it", f"give a checkpoint of transformers: {_KNOWN}")
    try:
        config: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        kind, activation = config.get("model_type"), config.get("hidden_act", "gelu")
        position_type = config.get("position_embedding_type", "absolute")
    except (ValueError, AttributeError) as error:
        raise WikiprepError(f"{path}: not a configuration ({error})", "is the file whole?") from error
    if kind not in KINDS:
        raise UsageError(f"{path}: a model of type {kind!r}", f"known are {_KNOWN}")
    if activation != "gelu":
        raise UsageError(f"{path}: hidden_act is {activation!r}", "the layers here compute gelu")
    if position_type != "absolute":
        raise UsageError(
            f"{path}: position_embedding_type is {position_type!r}", "here a position has a row of its own"
        )
    if config.get("is_decoder"):
        raise UsageError(f"{path}: is_decoder is true", "here every token sees all others: give an encoder")
    return config


def sizes_of(folder: Path, pad_id: int) -> dict[str, Any]:
    """Fields of LukeConfig that a checkpoint decides. `pad_id`: of its tokenizer. Raises as `read_config`.

    Words of BERT stand on rows of the position table from 0 on, those of the others from the one behind `pad_id` on;
    so BERT's table comes to stand behind as many unused rows (`positions_shifted`), and is like the others'.
    """
    config = read_config(folder)
    sizes = {ours: config[theirs] for theirs, ours in _SIZES.items() if theirs in config}
    for theirs, value in _DEFAULTS.items():
        sizes.setdefault(_SIZES[theirs], value)
    if config["model_type"] == BERT:
        sizes["max_positions"] += pad_id + 1
    return sizes


def folder_tensors(folder: Path, names: Iterable[str], pad_id: int) -> dict[str, Tensor]:
    """Those of the `names` tensors that the checkpoint has, under our names and as our module takes them."""
    return positions_shifted(from_hugging_face(read_tensors(folder), names), folder, pad_id)


def positions_shifted(tensors: dict[str, Tensor], folder: Path, pad_id: int) -> dict[str, Tensor]:
    """The same with BERT's table of positions where the others have theirs: see `sizes_of`."""
    rows = tensors.get(POSITIONS)
    if rows is None or read_config(folder)["model_type"] != BERT:
        return tensors
    return tensors | {POSITIONS: torch.cat([rows.new_zeros(pad_id + 1, rows.shape[1]), rows])}


def sizes_in(config: LukeConfig) -> dict[str, Any]:
    """The same fields of a configuration of ours."""
    return {name: getattr(config, name) for name in _SIZES.values()}


def luke_config_json(config: LukeConfig, vocab_size: int, entity_vocab_size: int, specials: dict[str, int]) -> str:
    """`config.json` of a `LukeForMaskedLM`. `specials`: ids by name (first, pad, last)."""
    fields = {theirs: getattr(config, ours) for theirs, ours in _SIZES.items()}
    fields |= {
        "architectures": ["LukeForMaskedLM"],
        "model_type": "luke",
        "vocab_size": vocab_size,
        "entity_vocab_size": entity_vocab_size,
        "hidden_act": "gelu",
        "hidden_dropout_prob": config.dropout,
        "attention_probs_dropout_prob": config.attention_dropout,
        "initializer_range": config.init_std,
        "use_entity_aware_attention": True,  # the three matrices are always there
        "bos_token_id": specials["first"],
        "pad_token_id": specials["pad"],
        "eos_token_id": specials["last"],
        "dtype": "float32",
    }
    return json.dumps(fields, indent=2) + "\n"
