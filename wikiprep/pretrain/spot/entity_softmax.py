"""Which entity a span is: a softmax over the entity vocabulary, and class 0 for spans that are none.

Classes are the ids of the vocabulary; `[PAD]`, id 0, which no mention has, stands for "no entity". So the class of most
targets stands first, and the others in the order of their frequency, as the adaptive softmax wants it.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 (its usual name)

from wikiprep.pretrain.luke.softmax import SCORES, cross_entropy_sum, rank_in, ranks_among, target_ranks

NO_ENTITY = 0
ADAPTIVE, EXACT = SOFTMAXES = ("adaptive", "exact")

Ints = npt.NDArray[np.int64]


class EntityTargets(NamedTuple):
    """`labels` [N]: classes. `tails`: of each tail cluster the places in `labels` of those that are in it, rising."""

    labels: Tensor
    tails: tuple[Tensor, ...] = ()


class EntitySoftmax(Protocol):
    """What the model has of it."""

    def loss_sum(self, states: Tensor, targets: EntityTargets) -> Tensor:
        """Sum over rows of -log P(label), 0-dim; 0 without rows, and every parameter is reached all the same."""
        ...

    def ranks(self, states: Tensor, labels: Tensor) -> Tensor:
        """[N]: how many classes are likelier than the label; of equal ones the lower class goes first."""
        ...

    def ranks_among(self, states: Tensor, labels: Tensor, classes: Sequence[Tensor]) -> Tensor:
        """[N]: the same of `classes[i]` (rising) alone; -1 where the label is none of them."""
        ...


def usable_cutoffs(cutoffs: Sequence[int], classes: int) -> tuple[int, ...]:
    """Those that leave classes behind them."""
    return tuple(cutoff for cutoff in cutoffs if cutoff < classes)


def tail_rows(labels: Ints, cutoffs: Sequence[int]) -> list[Ints]:
    """The `tails` of EntityTargets. Made when a batch is collated: on a GPU it would be a wait in each step."""
    cluster = np.searchsorted(np.asarray(cutoffs, np.int64), labels, side="right")
    return [np.flatnonzero(cluster == number) for number in range(1, len(cutoffs) + 1)]


class AdaptiveSoftmax(nn.Module):
    """Grave et al. 2017: frequent classes in a head with a place for each tail cluster, whose rows are narrower.

    -log P(c) for c in the head: softmax over c0 classes and K clusters. For c in cluster k: that of the cluster there,
    and a softmax within it, of vectors brought to size // ratio^k. `cutoffs` are c0 < c1 < …, the last under
    `classes`; without any it is a plain softmax. Parameters are those of `torch.nn.AdaptiveLogSoftmaxWithLoss`, which
    looks at the data for what to compute: a wait on a GPU, and parameters that are not reached.
    """

    def __init__(self, size: int, classes: int, cutoffs: Sequence[int], ratio: float) -> None:
        super().__init__()
        self.classes, self.cutoffs = classes, usable_cutoffs(cutoffs, classes)
        bounds = [*self.cutoffs, classes]
        self.head = nn.Linear(size, bounds[0] + len(self.cutoffs), bias=False)
        self.tail = nn.ModuleList()
        for number, (first, last) in enumerate(pairwise(bounds), 1):
            narrow = max(1, int(size // ratio**number))
            layers = nn.Linear(size, narrow, bias=False), nn.Linear(narrow, last - first, bias=False)
            self.tail.append(nn.Sequential(*layers))

    def loss_sum(self, states: Tensor, targets: EntityTargets) -> Tensor:
        """See `EntitySoftmax`; `states` [N, size]."""
        in_head = self._head_places(targets.labels)
        total = _cross_entropy(states, self.head.weight, in_head)
        for number, rows in enumerate(targets.tails):
            tail = cast(nn.Sequential, self.tail[number])
            labels = targets.labels.index_select(0, rows) - self.cutoffs[number]
            table = cast(nn.Linear, tail[1]).weight
            total = total + _cross_entropy(tail[0](states.index_select(0, rows)), table, labels)
        return total

    @torch.no_grad()
    def ranks(self, states: Tensor, labels: Tensor) -> Tensor:
        """See `EntitySoftmax`; some rows at a time, float32."""
        with torch.autocast(states.device.type, enabled=False):
            step = max(1, SCORES // self.classes)
            states = states.to(self.head.weight.dtype)
            ranks = [
                _ranks_of_labels(self.log_prob(part), part_labels)
                for part, part_labels in _split_rows(states, labels, step)
            ]
        return torch.cat(ranks) if ranks else torch.zeros_like(labels)

    @torch.no_grad()
    def ranks_among(self, states: Tensor, labels: Tensor, classes: Sequence[Tensor]) -> Tensor:
        """See `EntitySoftmax`; one row at a time, float32."""
        with torch.autocast(states.device.type, enabled=False):
            states = states.to(self.head.weight.dtype)
            ranks = [
                rank_in(self.log_prob(state[None])[0, candidates], candidates, label)
                for state, candidates, label in zip(states, classes, labels, strict=True)
            ]
        return torch.stack(ranks) if ranks else torch.zeros_like(labels)

    def log_prob(self, states: Tensor) -> Tensor:
        """[N, classes]: all of them, for few rows."""
        head = self.head(states).log_softmax(dim=1)
        frequent = self.head.out_features - len(self.cutoffs)
        parts = [head[:, :frequent]]
        for number, tail in enumerate(self.tail):
            parts.append(tail(states).log_softmax(dim=1) + head[:, frequent + number, None])
        return torch.cat(parts, dim=1)

    def _head_places(self, labels: Tensor) -> Tensor:
        """The classes' own places, or those of their clusters, which stand behind."""
        places = labels
        first = self.head.out_features - len(self.cutoffs)
        for number, cutoff in enumerate(self.cutoffs):
            places = torch.where(labels >= cutoff, first + number, places)
        return places


class ExactSoftmax(nn.Module):
    """A plain softmax over all classes: LayerNorm(gelu(W e + b)) of `entity_size` times a table, plus a bias a class.

    In pieces of the table, so that memory stays flat (`luke/softmax.py`); 12 times the products of the adaptive one at
    1 M classes of size 256.
    """

    def __init__(self, size: int, classes: int, entity_size: int, norm_eps: float) -> None:
        super().__init__()
        self.dense = nn.Linear(size, entity_size)
        self.norm = nn.LayerNorm(entity_size, eps=norm_eps)
        self.table = nn.Embedding(classes, entity_size)
        self.bias = nn.Parameter(torch.zeros(classes))

    def loss_sum(self, states: Tensor, targets: EntityTargets) -> Tensor:
        """See `EntitySoftmax`."""
        return cross_entropy_sum(self._project(states), self.table.weight, self.bias, targets.labels)

    def ranks(self, states: Tensor, labels: Tensor) -> Tensor:
        """See `EntitySoftmax`."""
        return target_ranks(self._project(states), self.table.weight, self.bias, labels)

    def ranks_among(self, states: Tensor, labels: Tensor, classes: Sequence[Tensor]) -> Tensor:
        """See `EntitySoftmax`."""
        return ranks_among(self._project(states), self.table.weight, self.bias, labels, classes)

    def log_prob(self, states: Tensor) -> Tensor:
        """[N, classes]: all of them, for few rows."""
        return (self._project(states) @ self.table.weight.T + self.bias).log_softmax(dim=1)

    def _project(self, states: Tensor) -> Tensor:
        vectors: Tensor = self.norm(F.gelu(self.dense(states)))
        return vectors


def _cross_entropy(states: Tensor, table: Tensor, labels: Tensor) -> Tensor:
    return cross_entropy_sum(states, table, table.new_zeros(len(table)), labels)


def _split_rows(states: Tensor, labels: Tensor, step: int) -> list[tuple[Tensor, Tensor]]:
    return [(states[at : at + step], labels[at : at + step]) for at in range(0, len(labels), step)]


def _ranks_of_labels(scores: Tensor, labels: Tensor) -> Tensor:
    label_scores = scores.gather(1, labels[:, None])
    is_lower_class = torch.arange(scores.shape[1], device=scores.device) < labels[:, None]
    return (~(scores <= label_scores) | ((scores == label_scores) & is_lower_class)).sum(dim=1)
