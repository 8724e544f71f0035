"""Random LUKE models, ours and transformers' with the same weights, and batches for both."""

import torch
from luke_batches import SMALL, batch_of, random_record, variants, words
from torch import Tensor
from transformers import LukeConfig as TheirConfig
from transformers import LukeForMaskedLM

from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.parameter_names import from_hugging_face

__all__ = ["SMALL", "batch_of", "ours", "random_record", "their_inputs", "theirs", "variants", "words"]


def theirs(config: LukeConfig, seed: int, std: float = 0.2) -> LukeForMaskedLM:
    """transformers' model, its word decoder tied as in RoBERTa, every parameter random (biases and norms too)."""
    model = LukeForMaskedLM(
        TheirConfig(
            vocab_size=config.vocab_size,
            entity_vocab_size=config.entity_vocab_size,
            hidden_size=config.hidden_size,
            entity_emb_size=config.entity_size,
            num_hidden_layers=config.layers,
            num_attention_heads=config.heads,
            intermediate_size=config.intermediate_size,
            hidden_dropout_prob=config.dropout,
            attention_probs_dropout_prob=config.attention_dropout,
            max_position_embeddings=config.max_positions,
            type_vocab_size=config.type_rows,
            layer_norm_eps=config.norm_eps,
            use_entity_aware_attention=config.entity_aware_attention,
            pad_token_id=config.pad_id,
        )
    )
    model.lm_head.decoder.weight = model.luke.embeddings.word_embeddings.weight
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.normal_(1.0 if "orm.weight" in name else 0.0, std, generator=generator)
    return model


def ours(config: LukeConfig, other: LukeForMaskedLM) -> Luke:
    """Our model with the weights of theirs, in their precision."""
    model = Luke(config).to(next(other.parameters()).dtype)
    tensors = from_hugging_face(other.state_dict(), model.state_dict())
    model.load_state_dict(tensors)  # strict: every tensor must have been found
    return model


def their_inputs(batch: dict[str, Tensor]) -> dict[str, Tensor]:
    """The arguments that transformers' model wants for a batch without packing."""
    width = batch["word_ids"].shape[1]
    real, starts, ends = batch["real"].long(), batch["entity_starts"], batch["entity_ends"]
    longest = max(1, int((ends - starts).max())) if ends.numel() else 1
    offsets = torch.arange(longest)
    places = starts[..., None] + offsets
    return {
        "input_ids": batch["word_ids"],
        "attention_mask": real[:, :width],
        "entity_ids": batch["entity_ids"],
        "entity_attention_mask": real[:, width:],
        "entity_position_ids": torch.where(places < ends[..., None], places, -1),
        "labels": _labels(batch["word_ids"], batch["word_targets"], batch["word_labels"]),
        "entity_labels": _labels(batch["entity_ids"], batch["entity_targets"], batch["entity_labels"]),
    }


def _labels(like: Tensor, places: Tensor, labels: Tensor) -> Tensor:
    made = torch.full(like.shape, -100)
    made.view(-1)[places] = labels
    return made
