"""Training starts from a BERT, RoBERTa or LUKE checkpoint: its tensors in our module, and what it lacks left as new.

What is new: for BERT and RoBERTa, everything of entities, and the head for masked words where only the encoder was
saved; for LUKE, entities that its table lacks. New values are those of a new model (`layers.initialise`). The queries
of entity-aware attention are copies of `query` where a checkpoint has none.
"""

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import orjson
import torch
from tokenizers import Tokenizer
from torch import Tensor

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import sha256_of
from wikiprep.pretrain.checkpoint_tensors import checkpoint_folder, weight_files
from wikiprep.pretrain.luke.corpus_entities import Entities
from wikiprep.pretrain.luke.entity_rows import Matches, StartReport, match_rows
from wikiprep.pretrain.luke.hf_config import folder_tensors
from wikiprep.pretrain.luke.languages import in_language, with_language
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.parameter_names import QUERIES
from wikiprep.tables.entity_vocab import SPECIALS
from wikiprep.tables.vocab_files import read_languages, read_vocabulary
from wikiprep.tables.vocabulary_entities import ENTITY_QIDS

_VOCABULARIES = ("entity_vocab.json", "entity_vocab.jsonl", "entity_vocab.tsv")
_WORD_ROWS = ("words.token.weight", "word_head.bias")
_ENTITY_ROWS = ("entities.entity.weight", "entity_head.bias")


def start_from(
    model: Luke,
    folder: Path,
    tokenizer: Tokenizer,
    entities: Entities,
    redirects: Callable[[], dict[str, str]],
    language: str | None,
    *,
    several: bool = False,
) -> StartReport:
    """Fill `model` from the checkpoint in `folder`. `redirects` is asked for where entities are to be matched.

    `several`: titles here have their language before them (`languages.py`).

    Raises UsageError where its tokenizer or a tensor's shape is not ours.
    """
    _check_tokenizer(folder, tokenizer)
    state = model.state_dict()
    tensors = folder_tensors(folder, state, model.config.pad_id)
    if not tensors:
        raise UsageError(f"{folder}: holds no tensor of BERT, RoBERTa or LUKE", "is it a checkpoint of such a model?")
    if not model.config.entity_bias:
        tensors.pop(_ENTITY_ROWS[1], None)
    if model.config.entity_head == "paper":  # theirs has the released form
        tensors = {name: tensor for name, tensor in tensors.items() if not name.startswith("entity_head.")}
    matches = _take_entity_rows(tensors, state, folder, entities, redirects, language, several)
    for name, tensor in tensors.items():
        rows = state[name].shape[0] if name in _WORD_ROWS else tensor.shape[0]
        _check_shape(folder, name, tensor[:rows], state[name])
        state[name].copy_(tensor[:rows])
    _copy_queries(state, tensors)
    filled_names = {*tensors, *(_ENTITY_ROWS if matches else ())}
    return StartReport(sorted(name for name in state if name not in filled_names), matches)


def start_digest(start: str, redirects: Callable[[], Iterable[bytes]]) -> str:
    """Of all that decides what `start_from` gives, but the corpus's vocabulary; "" where the checkpoint is not here.

    `redirects`: those of the corpus as sorted lines "title TAB final", asked for where entities are to be matched.
    """
    try:
        folder = checkpoint_folder(start, fetch=False)
        files = weight_files(folder)
    except WikiprepError:
        return ""
    entity_files = [folder / name for name in (*_VOCABULARIES, ENTITY_QIDS) if (folder / name).is_file()]
    digest = hashlib.sha256("\n".join(f"{path.name} {sha256_of(path)}" for path in (*files, *entity_files)).encode())
    for line in redirects() if entity_files else ():  # else there are no entities to be matched
        digest.update(b"\n" + line)
    return digest.hexdigest()


def _check_tokenizer(folder: Path, tokenizer: Tokenizer) -> None:
    """The ids of words must mean the same; more tokens behind ours (`<ent>`) do no harm."""
    try:
        checkpoint_tokenizer = load_tokenizer(folder)
    except UsageError:
        return  # the folder has none: nothing to compare
    for token, number in sorted(tokenizer.get_vocab().items(), key=lambda item: item[1]):
        if checkpoint_tokenizer.token_to_id(token) != number:
            raise UsageError(
                f"{folder}: its tokenizer is not the corpus's (token {number} is {token!r} in the corpus,"
                f" {checkpoint_tokenizer.id_to_token(number)!r} there)",
                "build the corpus with --tokenizer of that folder, or start without a checkpoint",
            )


def _take_entity_rows(
    tensors: dict[str, Tensor],
    state: dict[str, Tensor],
    folder: Path,
    entities: Entities,
    redirects: Callable[[], dict[str, str]],
    language: str | None,
    several: bool,
) -> Matches | None:
    """Copy the rows of the entity table and its biases to their entities here, and take both out of `tensors`."""
    tables = {name: tensors.pop(name) for name in _ENTITY_ROWS if name in tensors}
    if _ENTITY_ROWS[0] not in tables:
        return None
    checkpoint_ids, qids = their_vocabulary(folder, language, several=several)[0], their_qids(folder)
    if language is not None:
        qids |= {plain: qid for title, qid in qids.items() if (plain := in_language(title, language)) is not None}
    if several and language is not None:
        checkpoint_ids = {with_language(language, title): number for title, number in checkpoint_ids.items()}
        qids |= {with_language(language, title): qid for title, qid in qids.items()}
    rows, matches = match_rows(entities.ids, checkpoint_ids, redirects(), entities.qids, qids)
    target_rows = torch.from_numpy(np.flatnonzero(rows >= 0))
    source_rows = torch.from_numpy(rows[rows >= 0])
    for name, table in tables.items():
        if len(source_rows) and int(source_rows.max()) >= len(table):
            raise UsageError(
                f"{folder}: {name} has {len(table)} rows, its vocabulary {int(source_rows.max()) + 1}",
                "the vocabulary file is another model's",
            )
        _check_shape(folder, name, table[:1], state[name][:1])
        state[name][target_rows] = table[source_rows].to(state[name].dtype)
    return matches


def their_vocabulary(
    folder: Path, language: str | None, *, several: bool = False
) -> tuple[dict[str, int], tuple[str, ...]]:
    """Ids by title of the vocabulary beside a checkpoint, and the languages of the titles where there are several.

    `several`: without a `language` all of them are taken, each before its titles (`languages.py`); else one must be
    given. Raises UsageError where the folder has no vocabulary.
    """
    for name in _VOCABULARIES:
        if (folder / name).is_file():
            if several and language is None and (rows_by_language := read_languages(folder / name)):
                ids = {with_language(row_language, row.title): row.id for row_language, row in rows_by_language}
                return ids, tuple(
                    dict.fromkeys(row_language for row_language, row in rows_by_language if row.title not in SPECIALS)
                )
            return {row.title: row.id for row in read_vocabulary(folder / name, language)}, ()
    raise UsageError(
        f"{folder}: has an entity table but no vocabulary of it", f"put one of {', '.join(_VOCABULARIES)} beside it"
    )


def their_qids(folder: Path) -> dict[str, str]:
    """QIDs by title, where an export of ours has them."""
    path = folder / ENTITY_QIDS
    return orjson.loads(path.read_bytes()) if path.is_file() else {}


def _check_shape(folder: Path, name: str, theirs: Tensor, ours: Tensor) -> None:
    if theirs.shape != ours.shape:
        raise UsageError(
            f"{folder}: {name} is {tuple(theirs.shape)} there and {tuple(ours.shape)} here",
            "leave the sizes of [model] out, as the checkpoint decides them; it must have all words of the corpus",
        )


def _copy_queries(state: dict[str, Tensor], tensors: dict[str, Tensor]) -> None:
    for name in state:
        stem, _, kind = name.rpartition(".")
        layer, _, query = stem.rpartition(".")
        source = f"{layer}.qkv.{kind}"
        if query in QUERIES and name not in tensors and source in tensors:
            state[name].copy_(tensors[source].chunk(3)[0])
            tensors[name] = state[name]
