"""The encoder that a task starts from, with the rows that the task adds: markers among words, special entities.

Markers begin as copies of given tokens' rows, special entities as copies of `[MASK]`. A task that asks with special
entities alone keeps no others, so that no table of a vocabulary is held or trained. The queries of entity-aware
attention are those of the checkpoint, or copies of `query` where it has none.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import torch
from tokenizers import Tokenizer
from torch import Tensor

from wikiprep.errors import UsageError
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.layers import initialise
from wikiprep.pretrain.luke.model import LukeEncoder
from wikiprep.pretrain.luke.parameter_names import QUERIES
from wikiprep.pretrain.luke.words import words_of
from wikiprep.pretrain.open_checkpoint import open_model
from wikiprep.pretrain.ranks import Ranks
from wikiprep.pretrain.spot.config import SpotConfig
from wikiprep.pretrain.trained import Trained

PAD, MASK = "[PAD]", "[MASK]"


@dataclass(frozen=True)
class Start:
    """A trained encoder as it was found.

    `entities`: rows by title, {} where it has none; `qids`, by title, and `redirects` to them as far as it knows them;
    `what` names it. `spot`: sizes of its span and pair modules, of SPOT.
    """

    what: str
    config: LukeConfig
    tensors: Mapping[str, Tensor]
    tokenizer: Tokenizer
    entities: Mapping[str, int]
    qids: Mapping[str, str] = field(default_factory=dict)
    redirects: Callable[[], Mapping[str, str]] = dict
    spot: SpotConfig | None = None


@dataclass(frozen=True)
class Rows:
    """What a task adds. `markers`: name -> token to copy; `entities`: rows of the task's table by name, in order."""

    markers: Mapping[str, str]
    entities: Sequence[str]
    whole_table: bool


def open_start(model: str, ranks: Ranks) -> Start:
    """A run, a checkpoint, or a Hugging Face folder. Raises WikiprepError where there is none that is known."""
    return start_of(open_model(model, ranks).trained, model)


def start_of(trained: Trained, model: str) -> Start:
    """The encoder of an opened model.

    Of SPOT it is its text encoder, which has no entities; its span and pair modules are among the tensors, under their
    names there. Raises UsageError for a family of another kind.
    """
    about = getattr(trained, "about", None)
    if about is None:
        raise UsageError(f"{model}: a model of the family {trained.name}", "fine-tuning takes encoders of LUKE's kind")
    tensors = {name: tensor.cpu() for name, tensor in trained.model.state_dict().items()}
    text: LukeConfig | None = getattr(about, "text", None)
    if text is not None:
        tensors = {name.removeprefix("text."): tensor for name, tensor in tensors.items()}
        return Start(model, text, tensors, about.tokenizer, {}, spot=about.config)
    return Start(
        model,
        about.config,
        tensors,
        about.tokenizer,
        dict(about.entities.ids) if trained.entities else {},
        dict(about.entities.qids) if trained.entities else {},
        about.redirects if trained.entities else dict,
    )


def task_config(start: Start, rows: Rows, *, entities: bool, entity_aware: bool, dropout: float | None) -> LukeConfig:
    """The sizes of the task's encoder."""
    size = start.config.entity_vocab_size if rows.whole_table else len(rows.entities)
    config = replace(
        start.config,
        vocab_size=words_of(start.tokenizer, start.what).size + len(rows.markers),
        entity_vocab_size=max(1, size) if entities else start.config.entity_vocab_size,
        entities=entities,
        entity_aware_attention=entities and entity_aware,
    )
    return config if dropout is None else replace(config, dropout=dropout, attention_dropout=dropout)


def fill(encoder: LukeEncoder, start: Start, rows: Rows, seed: int) -> list[str]:
    """Give `encoder` the tensors of `start` and the task's rows; what remains is drawn from `seed`: its names."""
    config = encoder.config
    initialise(encoder, seed, config.init_std, config.pad_id)
    tensors = dict(start.tensors)
    words = words_of(start.tokenizer, start.what)
    table = tensors["words.token.weight"][: words.size]
    copied_ids = [_token_row(start.tokenizer, like, words.mask) for like in rows.markers.values()]
    tensors["words.token.weight"] = torch.cat([table, table[copied_ids]])
    if config.entities and not rows.whole_table:
        _take_entity_rows(tensors, start, rows)
    state = encoder.state_dict()
    new_names = []
    for name, tensor in state.items():
        layer, _, query = name.rpartition(".")[0].rpartition(".")
        if name in tensors:
            tensor.copy_(tensors[name])
        elif query in QUERIES and f"{layer}.qkv.{name.rpartition('.')[2]}" in tensors:
            tensor.copy_(tensors[f"{layer}.qkv.{name.rpartition('.')[2]}"].chunk(3)[0])
        else:
            new_names.append(name)
    return new_names


def _take_entity_rows(tensors: dict[str, Tensor], start: Start, rows: Rows) -> None:
    table = tensors.get("entities.entity.weight")
    if table is None:
        return
    mask = table[start.entities[MASK]]
    tensors["entities.entity.weight"] = torch.stack(
        [table[start.entities[PAD]] if name == PAD else mask for name in rows.entities]
    )


def _token_row(tokenizer: Tokenizer, token: str, otherwise: int) -> int:
    number: int | None = tokenizer.token_to_id(token)
    return otherwise if number is None else number


def start_digest(start: Start) -> str:
    """Of all tensors that a task can take of it."""
    hasher = hashlib.sha256()
    for name, tensor in sorted(start.tensors.items()):
        if name.startswith(("words.", "entities.", "layers.", "spans.", "pairs.")):
            hasher.update(name.encode() + b"\0" + tensor.contiguous().numpy().tobytes())
    return hasher.hexdigest()
