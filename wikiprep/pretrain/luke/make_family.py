"""A LUKE family of the tables `[model]` and `[objective]` of a configuration, fitted to a corpus."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import UsageError
from wikiprep.options.option_fields import fill_options, names_of, take_options
from wikiprep.pretrain.checkpoint_tensors import checkpoint_folder, tensor_names
from wikiprep.pretrain.luke.about_folder import read_about
from wikiprep.pretrain.luke.config import LukeConfig, LukeStart, Objective, config_of_size
from wikiprep.pretrain.luke.corpus_entities import entities_size, plain_entities, read_entities, vocabulary_path
from wikiprep.pretrain.luke.family import LukeFamily
from wikiprep.pretrain.luke.hf_config import sizes_in, sizes_of
from wikiprep.pretrain.luke.masking_weights import DEGREE, TRIPLES, entity_weights, word_weights
from wikiprep.pretrain.luke.parameter_names import has_word_head
from wikiprep.pretrain.luke.words import Words, words_of
from wikiprep.tables.vocabulary_entities import REDIRECTS


def corpus_files(options: Mapping[str, Mapping[str, object]]) -> tuple[str, ...]:
    """See `CorpusFiles`."""
    by_degree = options.get("objective", {}).get("entity_weights") == DEGREE
    files = ("tokenizer/", "tables/entity_vocab", f"tables/{REDIRECTS}")
    return (*files, f"tables/{TRIPLES}") if by_degree else files


def make(options: Mapping[str, Mapping[str, object]], corpus: Path, about: Path | None = None) -> LukeFamily:
    """A LUKE for `corpus` by the tables `model` and `objective` of a configuration; see `MakeFamily`.

    `[model]` takes the fields of LukeConfig and of LukeStart.

    Raises UsageError for an unknown option, one of another type, and sizes that are too small for the corpus.
    """
    model = dict(options.get("model", {}))
    objective = fill_options(Objective(), options.get("objective", {}), "objective")
    start_options = take_options(LukeStart(), model, "model")
    start = start_options.start
    tokenizer_path = corpus / "tokenizer" / "tokenizer.json"
    words = words_of(load_tokenizer(tokenizer_path), str(tokenizer_path))
    entities = entities_size(vocabulary_path(corpus))
    config = replace(config_of_size(start_options.size, words.size, entities), pad_id=words.pad)
    new_word_head = False
    if start and about:
        previous = read_about(about)
        config, new_word_head = replace(config, **sizes_in(previous.config)), previous.new_word_head
    elif start:
        folder = checkpoint_folder(start)
        config = replace(config, **sizes_of(folder, words.pad))
        new_word_head = not has_word_head(tensor_names(folder))
    config = fill_options(config, model, "model", beside=names_of(start_options))
    _check_sizes(config, words, entities)
    if start_options.freeze_entity_table and not config.entities:
        raise UsageError("model.freeze_entity_table of a model without entities", "leave one of the two out")
    if not (config.entities or objective.word_share):
        raise UsageError("objective.word_share = 0 of a model without entities", "there would be nothing to learn")
    return LukeFamily(
        config,
        objective,
        words,
        corpus,
        start,
        start_options.start_language or None,
        start_options.decay_head_norm,
        word_weights(objective.word_weights, words.size, tokenizer_path),
        entity_weights(objective.entity_weights, objective.entity_exponent, corpus, config.entity_vocab_size),
        new_word_head,
        start_options.freeze_entity_table,
        plain_entities(read_entities(vocabulary_path(corpus))) if objective.random_entity_prob else None,
    )


def _check_sizes(config: LukeConfig, words: Words, entities: int) -> None:
    for name, minimum in (("vocab_size", words.size), ("entity_vocab_size", entities)):
        if getattr(config, name) < minimum:
            raise UsageError(
                f"model.{name} = {getattr(config, name)}, but the corpus has ids up to {minimum - 1}",
                "leave the option out: the corpus decides it",
            )
