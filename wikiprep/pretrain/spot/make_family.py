"""A SPOT family of the tables `[model]` and `[objective]` of a configuration, fitted to a corpus."""

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from wikiprep.corpus.spans import UNK
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import UsageError
from wikiprep.options.option_fields import fill_options, names_of, take_options
from wikiprep.pretrain.checkpoint_tensors import checkpoint_folder, tensor_names
from wikiprep.pretrain.luke.config import LukeConfig, config_of_size
from wikiprep.pretrain.luke.corpus_entities import entities_size, vocabulary_path
from wikiprep.pretrain.luke.hf_config import sizes_in, sizes_of
from wikiprep.pretrain.luke.parameter_names import has_word_head
from wikiprep.pretrain.luke.words import words_of
from wikiprep.pretrain.spot.about_folder import read_about
from wikiprep.pretrain.spot.config import MEAN, SIGMOID, Objective, SpotConfig, SpotStart
from wikiprep.pretrain.spot.entity_softmax import ADAPTIVE
from wikiprep.pretrain.spot.family import SpotFamily
from wikiprep.pretrain.spot.relation_classes import read_relation_classes, relation_classes_path
from wikiprep.tables.entity_vocab import SPECIALS
from wikiprep.tables.relation_vocab import RELATION_VOCAB
from wikiprep.tables.vocabulary_entities import REDIRECTS

# Of the text encoder.
_TEXT = frozenset(field.name for field in fields(LukeConfig)) - {
    "entity_vocab_size",
    "entity_size",
    "entities",
    "entity_aware_attention",
    "entity_head",
}


def corpus_files(options: Mapping[str, Mapping[str, object]]) -> tuple[str, ...]:
    """See `CorpusFiles`."""
    return "tokenizer/", "tables/entity_vocab", f"tables/{REDIRECTS}", f"tables/{RELATION_VOCAB}"


def corpus_relations(options: Mapping[str, Mapping[str, object]]) -> str:
    """See `CorpusRelations`: of mentions that share a sentence."""
    return "sentence"


def make(options: Mapping[str, Mapping[str, object]], corpus: Path, about: Path | None = None) -> SpotFamily:
    """A SPOT for `corpus` by the tables `model` and `objective` of a configuration; see `MakeFamily`.

    `[model]` takes the fields of SpotConfig, of the text encoder's LukeConfig, and of SpotStart. Raises UsageError for
    an unknown option, one of another type, and sizes or an order of entities that are not the corpus's.
    """
    model = dict(options.get("model", {}))
    objective = fill_options(Objective(), options.get("objective", {}), "objective")
    start_options = take_options(SpotStart(), model, "model")
    start = start_options.start
    tokenizer_path = corpus / "tokenizer" / "tokenizer.json"
    words = words_of(load_tokenizer(tokenizer_path), str(tokenizer_path))
    entities = entities_size(vocabulary_path(corpus))
    relations = read_relation_classes(relation_classes_path(corpus))
    text = replace(config_of_size(start_options.size, words.size, 1), pad_id=words.pad, entities=False)
    new_word_head = False
    if start and about:
        previous = read_about(about)
        text, new_word_head = replace(text, **sizes_in(previous.text)), previous.new_word_head
    elif start:
        folder = checkpoint_folder(start)
        text = replace(text, **sizes_of(folder, words.pad))
        new_word_head = not has_word_head(tensor_names(folder))
    text = fill_options(text, {name: model.pop(name) for name in [*model] if name in _TEXT}, "model")
    sizes = SpotConfig(entity_vocab_size=entities, relations=len(relations))
    config = fill_options(sizes, model, "model", beside=(*names_of(start_options), *sorted(_TEXT)))
    config.spans(text), config.pairs(text)  # what cannot be is told here
    if config.relation_head == SIGMOID:  # learns from all properties of a pair, whatever the option says
        objective = replace(objective, several_properties=MEAN)
    _check_sizes(text, config, words.size, entities, len(relations))
    if config.entity_softmax == ADAPTIVE:
        _check_order(vocabulary_path(corpus))
    return SpotFamily(text, config, objective, words, relations, corpus, start, new_word_head)


def _check_sizes(text: LukeConfig, config: SpotConfig, words: int, entities: int, relations: int) -> None:
    hint = "leave the option out, as the corpus decides it, or build the corpus that the configuration is for"
    if text.vocab_size < words:
        raise UsageError(f"model.vocab_size = {text.vocab_size}, but the corpus has ids up to {words - 1}", hint)
    for name, expected, what in (("entity_vocab_size", entities, "entity ids"), ("relations", relations, "relations")):
        if getattr(config, name) != expected:
            raise UsageError(f"model.{name} = {getattr(config, name)}, but the corpus has {expected} {what}", hint)


def _check_order(path: Path) -> None:
    """Raises UsageError where a later entity is more frequent than one before it."""
    table = pq.read_table(path, columns=["id", "title", "count"]).sort_by("id")
    ids, titles = table["id"].to_numpy(), table["title"]
    counts = table["count"].fill_null(0).to_numpy()
    special = np.flatnonzero(ids > UNK + 1)
    last = titles[-1].as_py() if len(titles) else ""
    entities = special[:-1] if last in SPECIALS and len(special) else special
    rises = np.flatnonzero(np.diff(counts[entities]) > 0)
    if not len(rises):
        return
    before, after = entities[rises[0]], entities[rises[0] + 1]
    raise UsageError(
        f"{path}: not in the order of frequency: {titles[int(after)].as_py()!r} (id {ids[after]}, {counts[after]:,} "
        f"links) stands behind {titles[int(before)].as_py()!r} (id {ids[before]}, {counts[before]:,} links)",
        'the adaptive softmax needs the frequent ones first: set model.entity_softmax = "exact", or build the corpus '
        "with its own vocabulary",
    )
