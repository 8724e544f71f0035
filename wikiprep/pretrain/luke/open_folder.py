"""From a folder of Hugging Face's to a trained model: what `export-hf` wrote, LUKE, mLUKE, BERT, RoBERTa, XLM-RoBERTa.

Of the heads for masked words and masked entities a folder may have none; then what they are for is refused when it is
asked, and vectors are had all the same.
"""

import dataclasses
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.checkpoint_tensors import read_tensors
from wikiprep.pretrain.luke.about_folder import About
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.corpus_entities import Entities
from wikiprep.pretrain.luke.entity_rows import ENTITY_TABLE, restore
from wikiprep.pretrain.luke.hf_config import WITH_ENTITIES, positions_shifted, read_config, sizes_of
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.parameter_names import QUERIES, from_hugging_face, is_untied
from wikiprep.pretrain.luke.start_from import their_qids, their_vocabulary
from wikiprep.pretrain.luke.trained import TrainedLuke
from wikiprep.pretrain.luke.words import words_of
from wikiprep.tables.vocabulary_entities import ENTITY_QIDS

_WORD_TABLE = "words.token.weight"
_HEADS = {"word_head": "masked words", "entity_head": "masked entities"}
_POOLER = ("pooler_weight", "pooler_bias")


def open_folder(folder: Path, device: torch.device, language: str | None = None) -> TrainedLuke:
    """See `OpenFolder`. Raises WikiprepError where a tensor of the encoder is missing or has another shape."""
    hf_config = read_config(folder)
    tokenizer = load_tokenizer(folder)
    words = words_of(tokenizer, str(folder))
    hf_tensors = read_tensors(folder)
    tables = from_hugging_face(hf_tensors, [_WORD_TABLE, ENTITY_TABLE])
    if _WORD_TABLE not in tables:
        raise UsageError(f"{folder}: holds no tensor of BERT, RoBERTa or LUKE", "is it a checkpoint of such a model?")
    has_entities = hf_config["model_type"] in WITH_ENTITIES and ENTITY_TABLE in tables
    entities, languages = _read_entities(folder, language) if has_entities else (Entities({}, {}, 0), ())
    sizes: dict[str, Any] = sizes_of(folder, words.pad)
    config = LukeConfig(
        **{name: value for name, value in sizes.items() if name in {f.name for f in dataclasses.fields(LukeConfig)}},
        vocab_size=len(tables[_WORD_TABLE]),
        entity_vocab_size=len(tables[ENTITY_TABLE]) if has_entities else 1,
        pad_id=words.pad,
        entities=has_entities,
        entity_aware_attention=has_entities and bool(hf_config.get("use_entity_aware_attention", True)),
    )
    names = Luke.names_of(config)
    tensors = positions_shifted(from_hugging_face(hf_tensors, names), folder, words.pad)
    rows = restore(folder, tensors)
    if rows is not None:
        config = dataclasses.replace(config, entity_vocab_size=rows)
        entities = Entities({t: n for t, n in entities.ids.items() if n < rows}, entities.qids, rows)
    if config.entity_aware_attention and _has_only_query_copies(tensors):
        config = dataclasses.replace(
            config, entity_aware_attention=False
        )  # the same to the last digit, at half the cost
        tensors = {
            name: tensor for name, tensor in tensors.items() if name.split(".")[-2:-1] not in [[q] for q in QUERIES]
        }
    missing_heads = {
        head: f"{folder}: its scores of {what} come of another matrix than its table"
        for head, what in _HEADS.items()
        if is_untied(hf_tensors, head)
    }
    del hf_tensors
    model = _build_model(folder, config, tensors, missing_heads)
    about = About(config, tokenizer, entities, folder, languages=languages)
    return TrainedLuke(about, model.to(device).eval(), missing_heads, of=str(folder)).in_language(language)


def _read_entities(folder: Path, language: str | None) -> tuple[Entities, tuple[str, ...]]:
    """Of all languages; of a published vocabulary with a `language` only its titles, which may be plain then."""
    if not (folder / ENTITY_QIDS).is_file() and language is not None:
        ids, _ = their_vocabulary(folder, language)
        return Entities(ids, {}, max(ids.values()) + 1), ()
    ids, languages = their_vocabulary(folder, None, several=True)
    return Entities(ids, their_qids(folder), max(ids.values()) + 1), languages


def _has_only_query_copies(tensors: dict[str, Tensor]) -> bool:
    """Whether all queries of entity-aware attention are `query` once more, as an export of plain attention has them."""
    for name, tensor in tensors.items():
        stem, _, kind = name.rpartition(".")
        layer, _, query = stem.rpartition(".")
        if query in QUERIES and not torch.equal(tensor, tensors[f"{layer}.qkv.{kind}"].chunk(3)[0]):
            return False
    return True


def _build_model(folder: Path, config: LukeConfig, tensors: dict[str, Tensor], missing_heads: dict[str, str]) -> Luke:
    """The module with these tensors. A head that is missing, or not whole, goes into `missing_heads`."""
    model = Luke(config, seed=None)
    state = model.state_dict()
    for name, target in state.items():
        source = tensors.get(name)
        head = name.partition(".")[0]
        if source is None and head in _HEADS:
            missing_heads.setdefault(head, f"{folder}: has no head for {_HEADS[head]}")
        elif source is None and name not in _POOLER:
            raise WikiprepError(f"{folder}: its weights lack {name}", "is it whole, and of the kind config.json says?")
        elif source is not None and source.shape != target.shape:
            raise WikiprepError(
                f"{folder}: {name} is {tuple(source.shape)} there, by config.json {tuple(target.shape)}",
                "the two files are of different models",
            )
        elif source is not None:
            target.copy_(source)
    return model
