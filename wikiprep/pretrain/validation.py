"""What is asked of a model while it trains: when, and what its figures are; all that the trainer knows of evaluation.

Of pretraining: losses and metrics on held-out records, beside the guesses that need no model. Fine-tuning has a judge
of its own (`wikiprep/tasks/finetune/validation.py`), which may end a run early.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from wikiprep.pretrain.baselines.targets import guess_figures
from wikiprep.pretrain.config import PretrainConfig
from wikiprep.pretrain.data.micro_batches import Cut
from wikiprep.pretrain.data.share import ShareMaker
from wikiprep.pretrain.data.source import readers_of
from wikiprep.pretrain.evaluate import evaluate, held_out_records
from wikiprep.pretrain.family import Family
from wikiprep.pretrain.parallel import Spread
from wikiprep.pretrain.ranks import Ranks
from wikiprep.records.training_corpus import TrainingCorpus


@dataclass(frozen=True)
class Verdict:
    """`figures` go into the log by name, `message` to the terminal. `stop`: the run is to end here, well."""

    figures: dict[str, float]
    items: int
    message: str
    stop: bool = False


class Judge(Protocol):
    """One rank's part of it; every rank is asked at the same steps."""

    def due(self, step: int, *, last: bool) -> bool:
        """Whether the model is to be looked at after step `step` (counted from 1); `last`: a stage ends with it."""
        ...

    def judge(self, model: Spread, step: int) -> Verdict:
        """Look at it. Raises WikiprepError on every rank where one cannot."""
        ...

    def ended(self) -> bool:
        """Of a run that goes on: whether an earlier verdict was to stop, by its log."""
        ...


MakeJudge = Callable[[Ranks], Judge]


class HeldOutJudge:
    """Losses and metrics on the held-out records of the corpora; see `Judge`."""

    def __init__(
        self, config: PretrainConfig, family: Family, corpora: Sequence[TrainingCorpus], cut: Cut, ranks: Ranks
    ) -> None:
        self._config, self._family, self._corpora, self._ranks = config, family, corpora, ranks
        self._held_out = held_out_records([corpus.split for corpus in corpora], config.log.evaluate_records)
        readers = readers_of(corpora, self._held_out.places)
        self._maker = ShareMaker(family, readers, config.data.seed, ranks.rank, ranks.world, cut)
        self._guesses: dict[str, float] | None = None

    def due(self, step: int, *, last: bool) -> bool:
        """See `Judge`."""
        interval = self._config.log.evaluate_every
        return bool(len(self._held_out) and interval and (step % interval == 0 or last))

    def judge(self, model: Spread, step: int) -> Verdict:
        """See `Judge`."""
        config, ranks, size = self._config, self._ranks, self._config.data.global_batch
        figures = evaluate(self._family, model, self._maker, self._held_out, size, config.training, ranks)
        if self._guesses is None:  # the model has no part in them: once is enough
            places, seed = self._held_out.places, config.data.seed
            self._guesses = guess_figures(self._family, self._corpora, self._maker.readers, places, seed, ranks)
        figures |= self._guesses
        text = "held-out: " + ", ".join(f"{name} {value:.4g}" for name, value in figures.items())
        return Verdict(figures, len(self._held_out), text)

    def ended(self) -> bool:
        """See `Judge`: it never stops a run."""
        return False
