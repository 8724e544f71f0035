"""Every option of a training run but those of the model family, one frozen dataclass a table of the TOML file.

`[model]`, `[objective]` and `[task]` (fine-tuning) belong to the family and go to it as they are. `data` and `stages`
decide which record comes when and must stay as they are when a run goes on; the others may change on the way
(`may_change`).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from wikiprep.errors import UsageError
from wikiprep.options.option_fields import fill_options, option
from wikiprep.records.held_out import HELD_OUT, HELD_OUT_BY, PAGE

ATTENTION = ("auto", "sdpa", "flex", "varlen")
AUTO = "auto"
CROSS_ENTROPY = (AUTO, "own", "torch")
FAMILY_TABLES = ("model", "objective", "task", "knowledge")


@dataclass(frozen=True, kw_only=True)
class DataConfig:
    """Table `[data]`: how records become batches."""

    seed: int = option(0, "Of the order of records, of masks, of new parameters and of dropout.", minimum=0)
    global_batch: int = option(2048, "Records of an optimiser step, over all ranks.", minimum=1)
    micro_batch_tokens: int = option(
        16_384, "Padded positions that a rank computes at once, at most: what memory bounds.", minimum=1
    )
    micro_batch_sequences: int = option(0, "Sequences of a micro-batch at most; 0: as many as fit.", minimum=0)
    pack: int = option(
        0,
        "Positions of a sequence that several records are packed into, kept apart by a mask; 0: one a sequence.",
        minimum=0,
    )
    smoothing: float = option(0.7, "Several corpora are mixed by size^smoothing (mLUKE: 0.7).", minimum=0, maximum=1)
    held_out: float = option(
        HELD_OUT, "Share of pages (or pairs), by a hash, that is for evaluation only.", minimum=0, maximum=1
    )
    held_out_by: str = option(
        PAGE,
        "page: all records of a page. pair: whole facts, the records with a relation between two entities that are set "
        "apart as a pair; of those records these relations alone are asked for.",
        choices=HELD_OUT_BY,
    )
    shuffle_shards: int = option(
        0,
        "Shards of each corpus whose records are mixed at a time, in a random order of shards; 0: all. For a corpus at "
        "an address that is larger than cache_gb.",
        minimum=0,
    )
    workers: int = option(2, "Processes of a rank that read and mask records; 0: the rank itself.", minimum=0)
    cache_gb: float = option(
        0.0, "Of a corpus at an address: the shards kept on this machine's disk, in 10^9 bytes; 0: all.", minimum=0
    )
    cache_folder: str = option("", 'Where they are kept; "": $TMPDIR/wikiprep-cache-UID/records.')


@dataclass(frozen=True, kw_only=True)
class TrainingConfig:
    """Table `[training]`: how a step is computed, and on how many devices."""

    precision: str = option(
        "bf16",
        "bf16: autocast; weights, optimiser state, softmax and losses stay float32. float32: all of it.",
        choices=("bf16", "float32"),
    )
    parallel: str = option(
        "ddp", "ddp: a copy of the model a rank. fsdp: FSDP2, each rank holds its share.", choices=("ddp", "fsdp")
    )
    replicas: int = option(
        1,
        "fsdp: copies of the model, each shared out over ranks / replicas (HSDP). The number of machines is a good "
        "one: shares then travel within a machine, and gradients alone between them.",
        minimum=1,
    )
    shard_entities: bool = option(
        False,
        "Spread the rows of the entity table, with their gradient and optimiser state, over all ranks, whatever "
        "`parallel` does with the rest: for tables of millions, and where gradients of the table are most of what "
        "travels.",
    )
    attention: str = option(
        "auto",
        "auto: FlashAttention without padding on a GPU in bf16; where it cannot be, FlexAttention for packed sequences "
        "if attention_dropout is 0, else SDPA with a dense mask; on a CPU SDPA, all else without padding. sdpa, flex, "
        "varlen (without padding): that one.",
        choices=ATTENTION,
    )
    compile: bool | str = option(
        AUTO,
        "torch.compile the model's layers. auto: in pretraining on a GPU; where nothing can be compiled, a note says "
        "so and layers run as they are. true: or else the run ends.",
        choices=(AUTO,),
    )
    cross_entropy: str = option(
        AUTO,
        "What makes the losses of words and entities. own: a softmax that takes the table in pieces. torch: its "
        "linear_cross_entropy. auto: on a GPU the faster of both in a short trial when a stage begins; else own.",
        choices=CROSS_ENTROPY,
    )
    recompute: bool = option(False, "Activation checkpointing: layers are computed again in the backward pass.")
    loss_mean: str = option(
        "global",
        "global: each loss is its sum over the masked positions of the global batch by their number there. "
        "micro-batch: the mean of means over micro-batches, which depends on how the batch is cut (the reference).",
        choices=("global", "micro-batch"),
    )
    clip_norm: float = option(0.0, "Gradients are scaled down to this norm; 0: never.", minimum=0)
    probe: bool = option(
        True, "Before the first step, try the largest micro-batch that there can be: memory that lacks shows at once."
    )
    timeout_minutes: float = option(10.0, "A rank that waits longer for the others gives up.", minimum=0.01)


@dataclass(frozen=True, kw_only=True)
class OptimizerConfig:
    """Table `[optimizer]`: the numbers of AdamW."""

    beta1: float = option(0.9, "AdamW.", minimum=0, maximum=0.999999)
    beta2: float = option(0.999, "AdamW.", minimum=0, maximum=0.999999)
    epsilon: float = option(1e-6, "AdamW.", minimum=0, maximum=1)
    weight_decay: float = option(0.01, "AdamW; the family says which parameters decay.", minimum=0, maximum=1)
    bias_correction: bool = option(True, "AdamW; the reference has none.")


@dataclass(frozen=True, kw_only=True)
class StageConfig:
    """A table of `[[stages]]`: which parameters are trained, for how long, at which rate."""

    parameters: str = option(
        "all", "new: only what the family says is new (its stage 1). all: everything.", choices=("new", "all")
    )
    steps: int = option(100_000, "Optimiser steps of the stage.", minimum=1)
    epochs: float = option(
        0.0, "How often the records are gone through, in the place of `steps`; 0: `steps` holds.", minimum=0
    )
    learning_rate: float = option(1e-4, "The peak.", minimum=0, maximum=10)
    warmup_steps: int = option(0, "Steps of the linear rise to the peak; a linear fall to 0 follows.", minimum=0)
    warmup_ratio: float = option(
        0.0, "The rise as a share of the steps, in the place of `warmup_steps`; 0: that holds.", minimum=0, maximum=1
    )


@dataclass(frozen=True, kw_only=True)
class CheckpointConfig:
    """Table `[checkpoints]`: when a checkpoint is written, and which are kept."""

    every: int = option(1000, "Steps between checkpoints.", minimum=1)
    keep: int = option(3, "Checkpoints that are kept, the newest.", minimum=1)
    asynchronous: bool = option(
        False, "Write them from a copy in the host's memory while training goes on; they count when they are whole."
    )


@dataclass(frozen=True, kw_only=True)
class LogConfig:
    """Table `[log]`: what is written of a run, and where to."""

    every: int = option(10, "Steps between lines of the log.", minimum=1)
    evaluate_every: int = option(1000, "Steps between evaluations on held-out records; 0: none.", minimum=0)
    evaluate_records: int = option(2048, "Held-out records of an evaluation, at most.", minimum=1)
    tensorboard: bool = option(False, "Write tensorboard/ too (pip install tensorboard).")
    wandb: str = option("", 'A project of Weights & Biases to log to (pip install "wikiprep[wandb]"); "": none.')


@dataclass(frozen=True, kw_only=True)
class PretrainConfig:
    """A run. `tables` are those of `FAMILY_TABLES`, for the family."""

    family: str = "luke"
    tables: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    data: DataConfig = field(default_factory=DataConfig)
    training: TrainingConfig = field(default_factory=TrainingConfig)
    optimizer: OptimizerConfig = field(default_factory=OptimizerConfig)
    checkpoints: CheckpointConfig = field(default_factory=CheckpointConfig)
    log: LogConfig = field(default_factory=LogConfig)
    stages: tuple[StageConfig, ...] = (StageConfig(),)

    @property
    def steps(self) -> int:
        """Optimiser steps of all stages."""
        return sum(stage.steps for stage in self.stages)

    def stage_at(self, step: int) -> tuple[int, int]:
        """The stage (from 0) that step `step` (from 0) belongs to, and the number of the step in it."""
        for number, stage in enumerate(self.stages):
            if step < stage.steps:
                return number, step
            step -= stage.steps
        raise IndexError("behind the last step")


SECTIONS = ("data", "training", "optimizer", "checkpoints", "log")


def may_change(config: PretrainConfig) -> PretrainConfig:
    """The same with all at its default that a run may change when it goes on: two runs are one if this is equal.

    How the global batch is cut changes no result but in rounding, unless losses are means over micro-batches.
    """
    default = PretrainConfig()
    data = config.data
    for name in ("workers", "cache_gb", "cache_folder"):
        data = replace(data, **{name: getattr(default.data, name)})
    if config.training.loss_mean == "global":
        for name in ("micro_batch_tokens", "micro_batch_sequences", "pack"):
            data = replace(data, **{name: getattr(default.data, name)})
    training = replace(default.training, loss_mean=config.training.loss_mean, clip_norm=config.training.clip_norm)
    return replace(config, data=data, training=training, checkpoints=default.checkpoints, log=default.log)


def with_steps(config: PretrainConfig, records: int) -> PretrainConfig:
    """`config` with epochs and warm-up ratios as steps, for `records` to train on: what a run writes as its own.

    A stage of e epochs has round(e x records / global_batch) steps, the rise int(ratio x steps) of them, each at least
    one where its option is above 0.
    """
    stages = []
    for stage in config.stages:
        steps = max(1, round(stage.epochs * records / config.data.global_batch)) if stage.epochs else stage.steps
        rise = max(1, int(stage.warmup_ratio * steps)) if stage.warmup_ratio else stage.warmup_steps
        stages.append(replace(stage, steps=steps, warmup_steps=min(rise, steps), epochs=0.0, warmup_ratio=0.0))
    return replace(config, stages=tuple(stages))


def apply_tables(config: PretrainConfig, tables: Mapping[str, Any], where: str) -> PretrainConfig:
    """`config` with what a TOML file (or --set) says. Raises UsageError that names `where` and the option."""
    for name, value in tables.items():
        if name == "family" and isinstance(value, str):
            config = replace(config, family=value)
        elif name == "stages" and isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
            config = replace(
                config, stages=tuple(_build_stage(StageConfig(), v, n, where) for n, v in enumerate(value, 1))
            )
        elif name == "stages" and isinstance(value, dict):  # --set stages.epochs=3
            stages = (_build_stage(stage, value, n, where) for n, stage in enumerate(config.stages, 1))
            config = replace(config, stages=tuple(stages))
        elif name in FAMILY_TABLES and isinstance(value, dict):
            config = replace(config, tables={**config.tables, name: {**config.tables.get(name, {}), **value}})
        elif name in SECTIONS and isinstance(value, dict):
            config = replace(config, **{name: fill_options(getattr(config, name), value, name, where=where)})
        else:
            sections = ", ".join(f"[{section}]" for section in (*SECTIONS, *FAMILY_TABLES))
            raise UsageError(f"{where}: {name} is not known, or not of this form", f"family, [[stages]], {sections}")
    return config


def _build_stage(default: StageConfig, options: Mapping[str, Any], number: int, where: str) -> StageConfig:
    stage = fill_options(default, options, "stages", where=where)
    if not stage.epochs and stage.warmup_steps > stage.steps:
        raise UsageError(
            f"{where}: stage {number} has warmup_steps = {stage.warmup_steps}, but steps = {stage.steps}",
            "the rate would never come to its peak: give fewer",
        )
    return stage
