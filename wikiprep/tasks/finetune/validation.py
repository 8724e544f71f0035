"""The development score after each epoch, and the weights that it keeps; see `pretrain/validation.py`.

Scores are of the sequences of a split: without gradients, in batches of like length, shared by all ranks.
"""

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from wikiprep.errors import WikiprepError
from wikiprep.pretrain.config import PretrainConfig, TrainingConfig
from wikiprep.pretrain.data.micro_batches import Cut, micro_batches
from wikiprep.pretrain.family import to_device
from wikiprep.pretrain.log import events_of
from wikiprep.pretrain.parallel import Spread, autocast
from wikiprep.pretrain.ranks import Ranks
from wikiprep.pretrain.validation import Verdict
from wikiprep.tasks.features import Features
from wikiprep.tasks.finetune.best import BEST, read_best, save_best, whole_tensors
from wikiprep.tasks.finetune.family import TaskFamily
from wikiprep.tasks.predictions import Prediction
from wikiprep.tasks.task import Task

CHOOSES = "chooses"  # in the log, the development figure by which the best epoch is chosen, whatever its name
PIECE = 4096  # sequences that are sorted by length and cut together


@dataclass(frozen=True)
class EncodedSplit:
    """A split as sequences.

    `left_out`: examples that no sequence could be made of, by reason; `carried`: links of a text to entities, by what
    these were found.
    """

    examples: Sequence[object]
    features: list[Features]
    left_out: Counter[str]
    carried: Counter[str] = field(default_factory=Counter)

    def predictions(self, task: Task, scores: Sequence[Any], labels: Sequence[str]) -> list[Prediction]:
        """What the scores of the sequences come to."""
        by_example: list[list[tuple[Features, Any]]] = [[] for _ in self.examples]
        for sequence, sequence_scores in zip(self.features, scores, strict=True):
            by_example[sequence.example].append((sequence, sequence_scores))
        return task.predictions(self.examples, by_example, labels)


@dataclass(frozen=True)
class TaskJudge:
    """`records`: sequences to train on; `keep_last`: the last epoch's weights are kept, not the best one's.

    `patience`: epochs without a better score after which the run ends; 0: never.
    """

    task: Task
    family: TaskFamily
    labels: Sequence[str]
    dev: EncodedSplit | None
    config: PretrainConfig
    folder: Path
    records: int
    keep_last: bool
    patience: int
    ranks: Ranks

    def due(self, step: int, *, last: bool) -> bool:
        """See `Judge`: at the step in which the last record of an epoch falls."""
        batch = self.config.data.global_batch
        return last or (step * batch) // self.records > ((step - 1) * batch) // self.records

    def judge(self, model: Spread, step: int) -> Verdict:
        """See `Judge`."""
        epoch = step * self.config.data.global_batch / self.records
        figures: dict[str, float] = {}
        score = None
        if self.dev is not None:
            predictions = self.dev.predictions(self.task, self._scores(model, self.dev), self.labels)
            dev_score = self.task.score(predictions)
            figures, score = (
                {**dev_score.figures, CHOOSES: dev_score.figures[dev_score.main]},
                dev_score.figures[dev_score.main],
            )
        self._keep(model, step, epoch, score, figures)
        figures_text = f"dev: {', '.join(f'{name} {value:.2f}' for name, value in figures.items() if name != CHOOSES)}"
        message = f"epoch {epoch:.3g}  {figures_text if figures else 'no development set'}"
        return Verdict(figures, len(self.dev.examples) if self.dev else 0, message, stop=self._should_stop(score))

    def ended(self) -> bool:
        """See `Judge`."""
        return bool(self.ranks.from_first(self.ranks.first and self._out_of_patience(self._scores_before())))

    def _scores(self, model: Spread, encoded_split: EncodedSplit) -> list[Any]:
        tokens = 2 * self.config.data.micro_batch_tokens  # no gradients: twice the batch
        return scores_of(self.family, model, encoded_split.features, tokens, self.config.training, self.ranks)

    def _keep(self, model: Spread, step: int, epoch: float, score: float | None, figures: dict[str, float]) -> None:
        """The first of equal scores stays. What a killed run kept of a later step is found again as the run goes on."""
        before = self.ranks.from_first(read_best(self.folder / BEST) if self.ranks.first else None)
        better = before is None or score is None or before.score is None or score > before.score
        if not (better or self.keep_last):
            return
        tensors = whole_tensors(model.bare)
        error = None
        if self.ranks.first:
            try:
                save_best(self.folder / BEST, tensors, step, epoch, score, figures)
            except WikiprepError as failed:
                error = failed
        self.ranks.agree(error)

    def _should_stop(self, score: float | None) -> bool:
        if score is None:
            return False
        before = self._scores_before() if self.ranks.first else []
        return bool(self.ranks.from_first(self._out_of_patience([*before, score])))

    def _out_of_patience(self, scores: Sequence[float]) -> bool:
        if not self.patience or not scores:
            return False
        best = max(range(len(scores)), key=lambda epoch: (scores[epoch], -epoch))
        return len(scores) - 1 - best >= self.patience

    def _scores_before(self) -> list[float]:
        values = [event.get(CHOOSES, -math.inf) for event in events_of(self.folder, "evaluate")]
        return [float(score) for score in values]


MakeTaskJudge = Callable[[Ranks], TaskJudge]


def scores_of(
    family: TaskFamily,
    model: Spread,
    features: Sequence[Features],
    tokens: int,
    config: TrainingConfig,
    ranks: Ranks,
) -> list[Any]:
    """What the task's head gives of each sequence, on every rank.

    `tokens`: padded positions of a batch at most. They do not depend on the number of ranks but in rounding.
    """
    own_scores: list[tuple[int, Any]] = []
    was_training = model.bare.training
    model.bare.eval()
    try:
        with torch.inference_mode():
            for start in range(0, len(features), PIECE):
                piece = features[start : start + PIECE]
                for step in micro_batches([family.sizes(one) for one in piece], ranks.world, Cut(tokens)):
                    numbers = step[ranks.rank].records
                    # A rank that nothing was left for computes one all the same: under FSDP all take part.
                    batch_scores = _scores(family, model, [piece[n] for n in numbers or (0,)], config, ranks)
                    own_scores += [
                        (start + n, scores) for n, scores in zip(numbers, batch_scores, strict=bool(numbers))
                    ]
    finally:
        model.bare.train(was_training)
        model.reshard()
    all_scores = [pair for part in ranks.gather(own_scores) for pair in part] if ranks.world > 1 else own_scores
    return [scores for _, scores in sorted(all_scores, key=lambda pair: pair[0])]


def _scores(
    family: TaskFamily, model: Spread, items: Sequence[Features], config: TrainingConfig, ranks: Ranks
) -> list[Any]:
    batch = to_device(family.collate(items, []), ranks.device)
    with autocast(config, ranks.device):
        return family.scores(model.bare, batch, items)
