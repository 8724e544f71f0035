"""The `config.json` of a RoBERTa or LUKE checkpoint of Hugging Face, and ours: both ways."""

import json
from pathlib import Path
from typing import Any

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.luke.config import LukeConfig

CONFIG = "config.json"
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


def sizes_of(folder: Path) -> dict[str, Any]:
    """Fields of LukeConfig that a checkpoint to start from decides. Raises WikiprepError for another kind of model."""
    path = folder / CONFIG
    if not path.is_file():
        raise UsageError(f"{folder}: no config.json in it", "give a RoBERTa or LUKE checkpoint of transformers")
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        kind, act = found.get("model_type"), found.get("hidden_act", "gelu")
    except (ValueError, AttributeError) as error:
        raise WikiprepError(f"{path}: not a configuration ({error})", "is the file whole?") from error
    if kind not in ("roberta", "luke", "xlm-roberta", "mluke"):
        raise UsageError(f"{path}: a model of type {kind!r}", "training starts from RoBERTa, XLM-RoBERTa or LUKE")
    if act != "gelu":
        raise UsageError(f"{path}: hidden_act is {act!r}", "the layers here compute gelu")
    return {ours: found[theirs] for theirs, ours in _SIZES.items() if theirs in found}


def sizes_in(config: LukeConfig) -> dict[str, Any]:
    """The same fields of a configuration of ours."""
    return {name: getattr(config, name) for name in _SIZES.values()}


def luke_config_json(config: LukeConfig, vocab_size: int, entity_vocab_size: int, specials: dict[str, int]) -> str:
    """`config.json` of a `LukeForMaskedLM`. `specials`: ids by name (first, pad, last)."""
    made = {theirs: getattr(config, ours) for theirs, ours in _SIZES.items()}
    made |= {
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
    return json.dumps(made, indent=2) + "\n"
