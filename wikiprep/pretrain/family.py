"""What a model family owes the trainer, and all that the trainer knows of a model.

A family owns its configuration, its module, how records become a batch, its losses and its metrics. The trainer owns
the order of records, random generators, devices, the split over ranks and steps, the optimiser, and what is logged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

if TYPE_CHECKING:
    from wikiprep.pretrain.ranks import Ranks

Item = Any  # what the readers of a run give and its family takes: a `Record` of a corpus, a sentence of a task
WIDTH_MULTIPLE = 8  # widths are rounded up to it, as the matrix units of GPUs like it

COUNTED = "counted."  # before names of `Family.counts` that are of no loss

Batch = dict[str, Tensor]
Sums = dict[str, tuple[Tensor, Tensor]]


@dataclass(frozen=True)
class ParameterGroup:
    """Parameters that are trained alike; `decay` says whether weight decay is for them."""

    parameters: list[nn.Parameter]
    decay: bool


@runtime_checkable
class SeveralLanguages(Protocol):
    """A family that can have entities with titles in several languages."""

    def in_languages(self, corpora: Sequence[tuple[str, Path]]) -> Any:
        """The family as it is for corpora (language, and folder on disk) whose entity ids mean the same."""
        ...


class Family(Protocol):
    """One configured model family, such as LUKE base for one corpus. It holds no parameters and can be pickled."""

    @property
    def name(self) -> str:
        """As `families.py` lists it."""
        ...

    @property
    def attention_dropout(self) -> float:
        """Share of attention weights that is dropped in training; 0 for a model without attention."""
        ...

    @property
    def attention_head_size(self) -> int:
        """Numbers of a head's queries as the kernel of attention gets them; 0 for a model without attention."""
        ...

    def build_model(self, seed: int, *, empty: bool = False) -> nn.Module:
        """The module on the CPU in float32: parameters drawn from `seed`, or of a checkpoint to start from.

        `empty`: the run's own checkpoint fills it, so that one to start from is not looked at, and may be gone.
        """
        ...

    def identity(self) -> dict[str, str]:
        """Of what decides a run's result beside its options, records and tokenizer, by name, a digest of the content.

        Such as a checkpoint to start from, or a file of weights; "" where it is gone and not needed any more.
        """
        ...

    def about(self, folder: Path) -> None:
        """Write into a new folder what makes weights usable without the corpus: configuration, tokenizer, entities.

        The trainer calls it once a run, for RUN/about; `export-hf` and the like find it there, or beside the weights.
        """
        ...

    def notes(self, model: nn.Module) -> dict[str, object]:
        """What to log once about a module just built: its size, and what a checkpoint to start from gave (as JSON)."""
        ...

    def sizes(self, record: Item) -> tuple[int, ...]:
        """Positions that the record takes in a sequence, special tokens included, one number a kind: words, entities.

        For packing and buckets. The kinds of a batch are padded each to its own width, at most a multiple of
        `WIDTH_MULTIPLE`.
        """
        ...

    def collate(
        self, records: Sequence[Item], rngs: Sequence[np.random.Generator], rows: Sequence[int] | None = None
    ) -> Batch:
        """The tensors of a batch on the CPU, masked for training.

        `rngs[i]` is for record i alone: what is drawn for a record depends on it and on nothing else, whichever
        records stand beside it. `rows[i]` is the sequence that record i is packed into (0, 0, 1, …, not falling); None:
        one sequence a record.
        """
        ...

    def masked_entities(self, record: Item, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        """The mentions of the record that `collate` masks with this generator, by their place, rising.

        For what evaluations set beside entity accuracy; nothing for a family that guesses no entities.
        """
        ...

    def counts(self, batch: Batch) -> dict[str, int]:
        """Of each loss of `loss_sums` the number of masked positions in the batch, without the model.

        The trainer adds them over ranks and accumulation steps BEFORE the first backward, since each loss is divided by
        its number in the global batch. Names that begin with `COUNTED` are of no loss: what was left out of the batch
        or cut in it, which the log adds up.
        """
        ...

    def loss_sums(self, model: nn.Module, batch: Batch) -> Sums:
        """Of each loss its SUM over masked positions (float32, with gradient) and their number (int64), 0-dim tensors.

        The trainer divides by the number in the global batch (`counts`), and adds the losses up. `model` is
        what `build_model` made, perhaps wrapped (DDP, FSDP, compile), so it is only ever CALLED. A batch without a
        masked position gives sums of 0 that still reach every parameter.
        """
        ...

    def metrics(self, model: nn.Module, batch: Batch) -> Sums:
        """For evaluation: of each figure its sum and what it is divided by, such as right answers and targets."""
        ...

    def parameter_groups(self, model: nn.Module, stage: int) -> list[ParameterGroup]:
        """What stage 1, 2, … trains. The trainer freezes all parameters that are in no group."""
        ...

    def blocks(self, model: nn.Module) -> Sequence[nn.Module]:
        """The layers, outermost last, that are sharded, compiled and checkpointed (recomputed) one by one."""
        ...

    def tokens(self, batch: Batch) -> tuple[int, int]:
        """Positions of the batch that hold a token, and all of them with padding."""
        ...

    def flops(self, batch: Batch, stage: int) -> float:
        """Floating-point operations that forward and backward need for the batch's real tokens (for MFU).

        `stage` as in `parameter_groups`: frozen matrices have no gradient.
        """
        ...


@runtime_checkable
class ShardsTables(Protocol):
    """A family whose large tables can be spread over ranks (`training.shard_entities`); others need not have it."""

    def shard_tables(self, model: nn.Module, ranks: "Ranks") -> list[str]:
        """Put this rank's rows in the place of each large table of a module on the CPU (`row_shards.py`).

        Returns the names of these parameters, which nothing else is to spread or to average.
        """
        ...


@runtime_checkable
class ChoosesLoss(Protocol):
    """A family with losses that more than one code can make (`training.cross_entropy`); others need not have it."""

    def choose_loss(
        self, model: nn.Module, batch: Batch, kind: str, compute: torch.dtype, ranks: "Ranks"
    ) -> dict[str, object]:
        """Choose which code it is, by option or by a trial for a batch as large as they get; every rank must ask.

        `compute`: the type of products. Returns what to log of the trial, as JSON; nothing where there was none.
        """
        ...


class MakeFamily(Protocol):
    """What `families.py` lists by name: makes a family of the `[model]` and `[objective]` tables of a configuration."""

    def __call__(self, options: Mapping[str, Mapping[str, object]], corpus: Path, about: Path | None = None) -> Family:
        """`about`: where a run goes on, what `Family.about` wrote as it began: a checkpoint to start from may be gone.

        Raises WikiprepError where an option is unknown or does not fit the corpus (its tokenizer, its entities).
        """
        ...


class CorpusFiles(Protocol):
    """Beside `make`: which files of a corpus a family with these options reads, by how their names begin."""

    def __call__(self, options: Mapping[str, Mapping[str, object]]) -> tuple[str, ...]: ...


class CorpusRelations(Protocol):
    """Beside `make`: the relations that a family with these options learns.

    "sentence" or "record" as the mentions share one; "" for none, as is a family that does not say.
    """

    def __call__(self, options: Mapping[str, Mapping[str, object]]) -> str: ...


def to_device(batch: Batch, device: torch.device) -> Batch:
    """The batch there, without waiting for the copy where the memory is pinned."""
    return {name: tensor.to(device, non_blocking=True) for name, tensor in batch.items()}
