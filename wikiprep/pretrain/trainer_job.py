"""What a trainer is to do, and how the global batch is cut for it."""

from dataclasses import dataclass
from pathlib import Path

from wikiprep.pretrain.config import PretrainConfig
from wikiprep.pretrain.data.micro_batches import Cut
from wikiprep.pretrain.data.skips import Asked
from wikiprep.pretrain.data.source import TrainingSource
from wikiprep.pretrain.family import Family
from wikiprep.pretrain.validation import MakeJudge


@dataclass(frozen=True, kw_only=True)
class TrainingJob:
    """What to train on what, judged by whom, until where."""

    config: PretrainConfig
    family: Family
    sources: tuple[TrainingSource, ...]
    judge: MakeJudge
    folder: Path
    max_steps: int | None = None
    skip: tuple[Asked, ...] = ()
    quiet: bool = False

    @property
    def last_step(self) -> int:
        """Steps after which this command ends."""
        steps = self.config.steps
        return steps if self.max_steps is None else min(steps, self.max_steps)


def cut_of(config: PretrainConfig) -> Cut:
    """How the global batch is cut, by the options of a run."""
    return Cut(config.data.micro_batch_tokens, config.data.micro_batch_sequences, config.data.pack)
