"""What a word of a text attends to in a fine-tuned model with a knowledge graph: words, and relations to them.

ILKA's Figures 1 and 3: of each the strongest, with a triple of the graph between them or without ("estimated").
"""

import math
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
import torch
from torch import Tensor

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.knowledge.folder import Knowledge
from wikiprep.knowledge.linker import NONE
from wikiprep.knowledge.text_words import plain_words
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.model import LukeEncoder
from wikiprep.tasks.features import Features
from wikiprep.tasks.finetune.about_folder import About, read_about
from wikiprep.tasks.finetune.best import BEST, load_best_tensors
from wikiprep.tasks.finetune.collate import KNOWLEDGE, inputs
from wikiprep.tasks.finetune.encoder import Start
from wikiprep.tasks.finetune.heads import TaskModel
from wikiprep.tasks.finetune.knowledge.layers import KnowledgeLayers
from wikiprep.tasks.finetune.task_head import head_of
from wikiprep.tasks.knowledge import LinkedGraph, open_linked_graph
from wikiprep.tasks.pair_input import pair_input
from wikiprep.tasks.pieces import Pieces
from wikiprep.tasks.registry import task_named
from wikiprep.tasks.task import Inputs

_SAME_FOLDER = "give the folder that --knowledge named then"
ITSELF = ""  # the relation of a word as a key of its own


@dataclass(frozen=True)
class Key:
    """A (word, relation): `entity` of the word as the graph names it, "" for none.

    `weight`: the share of the attention, summed over the word's subwords, a mean over heads and over the subwords of
    the asking word. `in_graph`: the triple stands in the graph, in any part.
    """

    word: str
    entity: str
    relation: str
    way: str  # "head", "tail", or "" of the word itself
    weight: float
    in_graph: bool


@dataclass(frozen=True)
class WordAttention:
    """Of one asking word the strongest keys; `rest`: the weight of all others."""

    word: str
    entity: str
    keys: list[Key]
    rest: float


@dataclass(frozen=True)
class _Token:
    """A token of the input, and where it is from."""

    text: int  # 0 or 1, -1: a special token
    word: int  # of the text
    start: int
    end: int
    row: int


def look(
    run: str | Path, folder: str | Path, first: str, second: str | None, word: str | None, count: int
) -> list[WordAttention]:
    """Of each word of the texts that has an entity, or of `word`, the `count` strongest keys.

    Raises UsageError for a run without a graph, another graph, and a word that is not there; WikiprepError for a
    damaged run.
    """
    about, start, model = _open_run(Path(run))
    layers = model.knowledge
    assert layers is not None and about.knowledge is not None
    linked_graph = open_linked_graph(Path(folder), about.knowledge.options)
    _check(layers, linked_graph.graph, run)
    features, tokens = _tokens(about, start, linked_graph, first, second)
    pieces = Pieces(start.tokenizer, (), start.what)
    batch = inputs([features], pieces.words.pad, about.encoder.first_position, entities=about.encoder.entities)
    with torch.no_grad():
        hidden = model.encoder.run(batch, None)
        weights, _ = attention_weights(layers, hidden, batch[KNOWLEDGE], batch[names.REAL])
    mean = weights[0].mean(dim=0)  # [L, L, K + 1]
    relations = _relations(linked_graph.graph, layers)
    asking_words = []
    units = _units(tokens)
    texts = [first, second or ""]
    for unit in units:
        token = tokens[unit[0]]
        token_text = _text_of(token, tokens[unit[-1]], texts)
        if token.text < 0 or (word is None and token.row == NONE) or (word is not None and token_text != word):
            continue
        share = mean[unit].mean(dim=0)
        asking_words.append(
            _strongest(share, token_text, token, units, tokens, texts, relations, linked_graph.graph, count)
        )
    if not asking_words:
        what = f"{word!r} is no word of the text" if word is not None else "no word of the text has an entity"
        raise UsageError(what, "give --word as it stands in the text")
    return asking_words


def _open_run(run: Path) -> tuple[About, Start, TaskModel]:
    if not (run / "about").is_dir():
        raise UsageError(f"{run}: no run of finetune", "give the folder that finetune --knowledge wrote (of one seed)")
    about, start = read_about(run / "about")
    if about.knowledge is None:
        raise UsageError(f"{run}: was trained without a graph", "give a run of finetune --knowledge")
    task = task_named(about.task, about.options)
    model = head_of(task, about.labels, about.encoder, None, about.knowledge).build(LukeEncoder(about.encoder), 0, None)
    assert isinstance(model, TaskModel)
    try:
        model.load_state_dict(load_best_tensors(run / BEST))
    except RuntimeError as error:
        raise WikiprepError(f"{run / BEST}: does not fit {run / 'about'} ({error})", "take it from a copy") from error
    return about, start, model.eval()


def _check(layers: KnowledgeLayers, graph: Knowledge, run: str | Path) -> None:
    sizes = layers.sizes
    if (len(graph.entities), graph.form.name.lower()) != (sizes.entities, sizes.model):
        raise UsageError(
            f"{graph.folder}: {len(graph.entities):,} entities by {graph.form.name}; {run} was trained with "
            f"{sizes.entities:,} by {sizes.model}",
            _SAME_FOLDER,
        )
    options = sizes.options
    if options.vectors == "graph" and not options.train_vectors:
        other_rows = np.flatnonzero((layers.entities.detach().numpy() != graph.entities).any(axis=1))
        if len(other_rows):
            name = graph.entity_table["name"][other_rows[0]]
            raise UsageError(f"{graph.folder}: {name} has another vector than {run} was trained with", _SAME_FOLDER)


def _tokens(
    about: About, start: Start, linked_graph: LinkedGraph, first: str, second: str | None
) -> tuple[Features, list[_Token]]:
    """The sequence, and of each token where it stands."""
    pieces = Pieces(start.tokenizer, tuple(task_named(about.task, about.options).markers), start.what)
    most = min(about.options.max_words, about.encoder.max_words)
    task_inputs = Inputs(pieces, {}, most, about.options.max_mention, False, {}, None, lookup=linked_graph.lookup)
    left_out: Counter[str] = Counter()
    features = pair_input(0, first, second, task_inputs, 0, int, left_out)
    if left_out.total():
        raise UsageError(f"the text has more than {most} tokens with the special ones", "give a shorter one")
    rows = features.knowledge
    assert rows is not None
    tokens = [_Token(-1, -1, 0, 0, NONE)] * len(features.word_ids)
    at = 1
    for number, text in enumerate(text for text in (first, second) if text is not None):
        offsets = pieces.located(text, 0, len(text))[1]
        ends = [word.end for word in plain_words(text)]
        for place, (begin, end) in enumerate(offsets, at):
            tokens[place] = _Token(number, bisect_right(ends, begin), begin, end, int(rows[place]))
        at += len(offsets) + len(pieces.between)
    return features, tokens


def _units(tokens: list[_Token]) -> list[list[int]]:
    """Places of subwords, word by word; parts of a word with entities of their own apart."""
    units: list[list[int]] = []
    for place, token in enumerate(tokens):
        last = tokens[place - 1] if place else token
        if place and token.text >= 0 and (last.text, last.word, last.row) == (token.text, token.word, token.row):
            units[-1].append(place)
        else:
            units.append([place])
    return units


def _text_of(first: _Token, last: _Token, texts: list[str]) -> str:
    return texts[first.text][first.start : last.end] if first.text >= 0 else "[special]"


def _relations(graph: Knowledge, layers: KnowledgeLayers) -> list[tuple[str, str, int]]:
    """(name, way, row) of keys 1 to K; none where relations are summed to others (`knowledge.compress`)."""
    table = graph.relation_table
    labels = table.get("label") or table["name"]
    if layers.mode == "none":
        return []
    if layers.mix is not None:
        return [(f"sum {number}", layers.mode, NONE) for number in range(1, len(layers.mix) + 1)]
    ways = ("head", "tail") if layers.mode == "both" else (layers.mode,)
    return [(name, way, row) for way in ways for row, name in enumerate(labels)]


def _strongest(
    share: torch.Tensor,
    token_text: str,
    asking_token: _Token,
    units: list[list[int]],
    tokens: list[_Token],
    texts: list[str],
    relations: list[tuple[str, str, int]],
    graph: Knowledge,
    count: int,
) -> WordAttention:
    keys = []
    for unit in units:
        other = tokens[unit[0]]
        relation_weights = share[unit].sum(dim=0).tolist()
        key_text = _text_of(other, tokens[unit[-1]], texts)
        for (relation, way, row), weight in zip([(ITSELF, "", NONE), *relations], relation_weights, strict=True):
            # phi(v, r) of a head is where the tail should be: the asking word's entity.
            triple = (other.row, row, asking_token.row) if way == "head" else (asking_token.row, row, other.row)
            in_graph = NONE not in triple and triple in graph.edges
            if weight > 0:
                keys.append(Key(key_text, _name(graph, other.row), relation, way, weight, in_graph))
    keys.sort(key=lambda key: -key.weight)
    return WordAttention(
        token_text, _name(graph, asking_token.row), keys[:count], sum(key.weight for key in keys[count:])
    )


def _name(graph: Knowledge, row: int) -> str:
    table = graph.entity_table
    return (table.get("title") or table["name"])[row] if row != NONE else ""


def attention_weights(layers: KnowledgeLayers, hidden: Tensor, rows: Tensor, real: Tensor) -> tuple[Tensor, Tensor]:
    """Weights [B, H, L, L, K + 1] of each position over each word.

    Of the word itself (j = 0) and of what stands in each of the K relations to it; 0 where there is no such key. And
    values [B, H, L, K + 1, s], whose weighted sum is what the layer makes. Takes B · H · L² · (K + 1) numbers, which
    the fast forms never hold: for a text or two.

    `hidden` [B, L, P] of the encoder, `rows` [B, L] of the graph's entities, -1: none; `real` [B, L]: no padding.
    """
    attention_inputs = layers.first_inputs(hidden, rows, real)
    attention = layers.first.attention
    batch, length = rows.shape
    query = attention.query(attention_inputs.joined).view(batch, length, attention.heads, attention.size)
    word_keys = attention_inputs.joined.unsqueeze(2)
    all_keys, allowed = word_keys, real.unsqueeze(2)
    if attention_inputs.phi is not None:
        shifts = attention_inputs.phi(attention_inputs.vectors) - attention_inputs.vectors.unsqueeze(-2)
        all_keys = torch.cat([word_keys, word_keys + shifts @ attention_inputs.inward.T], dim=2)
        open_relations = (attention_inputs.open_relations & real).unsqueeze(2).expand(-1, -1, len(attention_inputs.phi))
        allowed = torch.cat([allowed, open_relations], dim=2)
    shape = (batch, length, all_keys.shape[2], attention.heads, attention.size)
    key, value = (cast(Tensor, part(all_keys)).view(shape) for part in (attention.key, attention.value))
    scores = torch.einsum("blhs,bmkhs->bhlmk", query, key) / math.sqrt(attention.size)
    scores = scores.masked_fill(~allowed[:, None, None], -torch.inf)
    weights = torch.softmax(scores.flatten(3), dim=-1).view(scores.shape)
    return weights, value.permute(0, 3, 1, 2, 4)
