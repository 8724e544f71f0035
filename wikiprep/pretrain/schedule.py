"""The learning rate: a linear rise to the peak, then a linear fall to 0 at the end of the stage."""

from wikiprep.pretrain.config import StageConfig


def learning_rate(stage: StageConfig, step: int) -> float:
    """That of step `step` (from 0) of the stage. The first step of a rise is one n-th of the peak, not 0."""
    if step < stage.warmup_steps:
        return stage.learning_rate * (step + 1) / stage.warmup_steps
    return stage.learning_rate * (stage.steps - step) / max(1, stage.steps - stage.warmup_steps)
