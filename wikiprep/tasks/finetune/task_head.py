"""What the head of a task is to its family: all that differs between a linear layer and a module of the task's own.

A task with a head of its own names the module (`OwnHead`); `joint_head.py` is one. The loop, the family, checkpoints
and ranks know none of them.
"""

import importlib
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
from torch import nn

from wikiprep.errors import UsageError
from wikiprep.pretrain.family import Batch, Sums
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.model import LukeEncoder
from wikiprep.tasks.finetune.encoder import Start
from wikiprep.tasks.finetune.knowledge.layers import KnowledgeSizes
from wikiprep.tasks.task import Head, Task

LOSS = "task"
GiveStart = Callable[[], Start]


class TaskHead(Protocol):
    """Holds no tensors and can be pickled."""

    def build(self, encoder: LukeEncoder, seed: int, start: GiveStart | None) -> nn.Module:
        """A module with `encoder` as its attribute, its own parameters drawn from `seed`. It is only ever called.

        `start`: what the encoder began with, should the head take tensors of it; None where a checkpoint fills all.
        """
        ...

    def decisions(self, items: Sequence[Any], rngs: Sequence[np.random.Generator], batch: Batch) -> Batch:
        """The tensors beside the encoder's inputs `batch`.

        `rngs[i]` is for item i alone, in training; without any the batch is to be scored, and nothing is drawn.
        """
        ...

    def counts(self, batch: Batch) -> dict[str, int]:
        """See `Family.counts`."""
        ...

    def loss_sums(self, model: nn.Module, batch: Batch) -> Sums:
        """See `Family.loss_sums`."""
        ...

    def scores(self, model: nn.Module, batch: Batch, items: Sequence[Any]) -> list[Any]:
        """What `Task.predictions` gets of each item, without gradients, on the CPU; it travels between ranks."""
        ...

    def states(self, batch: Batch) -> int:
        """Positions of the last layer that are computed, for the count of operations."""
        ...


def head_of(
    task: Task,
    labels: Sequence[str],
    config: LukeConfig,
    dropout: float | None = None,
    knowledge: KnowledgeSizes | None = None,
) -> TaskHead:
    """The head of a task whose encoder is of this configuration. `dropout`: before a linear layer; None: the encoder's.
    `knowledge`: of the layers of a graph before a linear layer.

    Raises UsageError for a dropout or a graph before a head of the task's own, which has its own options.
    """
    from wikiprep.tasks.finetune.heads import ALTERNATIVES, BOUNDARIES, LinearHead

    if isinstance(task.head, Head):
        vectors = task.head.vectors if config.entities else task.head.vectors_without
        classes = {BOUNDARIES: 2, ALTERNATIVES: 1}.get(task.head.kind, len(labels))
        return LinearHead(task.head.kind, vectors, classes, task.head.bias, dropout, knowledge)
    if knowledge is not None:
        raise UsageError(f"--knowledge with {task.name}: the layers of a graph need a linear head", "leave it out")
    if dropout is not None:
        raise UsageError(f"model.head_dropout: {task.name} has no linear head", "its options in [task] say its dropout")
    head: TaskHead = importlib.import_module(task.head.module).make_head(task, labels, config)
    return head
