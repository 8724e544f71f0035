"""From a command to trained and scored tasks: one run a seed, each a run of the trainer with a judge of its own.

RUN/                     one seed: config.toml run.json about/ log.jsonl checkpoints/ best/ and what results.py writes
RUN/seed-12/ …           several: a run each, and in RUN the figures of all
RUN/grid-001/ …          a run each point of the grid; the best one is tested, and its figures are RUN's
"""

import json
import shutil
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from wikiprep.errors import UsageError
from wikiprep.options.toml import read_setting
from wikiprep.pretrain.checkpoint.folder import checkpoints_of
from wikiprep.pretrain.config import PretrainConfig, apply_tables, with_steps
from wikiprep.pretrain.log import note_plainly, silent
from wikiprep.pretrain.parallel import Spread
from wikiprep.pretrain.ranks import Ranks, join_ranks
from wikiprep.pretrain.run_folder import ABOUT, CHECKPOINTS, claim, goes_on, lock_run_folder, must_be_run_folder
from wikiprep.pretrain.run_identity import identity_of_options
from wikiprep.pretrain.start_training import run_on_all_ranks
from wikiprep.pretrain.stopping import StopMark, stop_mark
from wikiprep.pretrain.trainer import Trainer
from wikiprep.pretrain.trainer_job import TrainingJob
from wikiprep.tasks.finetune.best import BEST, load_best_tensors, read_best
from wikiprep.tasks.finetune.prepare import PreparedTask, data_identity, prepare
from wikiprep.tasks.finetune.validation import TaskJudge, scores_of
from wikiprep.tasks.options import load_task_config
from wikiprep.tasks.predictions import Prediction
from wikiprep.tasks.results import Outcome, setting_of, write_outcome, write_summary
from wikiprep.tasks.task_names import ABLATIONS


@dataclass(frozen=True, kw_only=True)
class FinetuneCommand:
    """What the user asked for.

    `config`: "" takes the one shipped for the task. `seed`: of the first of `count` runs, the others have the next
    ones; None: the configuration's. `titles_from`: the dump of the entities of SQuAD. `knowledge`: the folder of a
    graph's vectors, or "".
    """

    task: str
    data: str
    model: str
    output: str
    config: str = ""
    settings: tuple[str, ...] = ()
    ablations: tuple[str, ...] = ()
    seed: int | None = None
    count: int = 1
    grid: bool = False
    overwrite: bool = False
    quiet: bool = False
    titles_from: str | None = None
    knowledge: str = ""


def finetune(command: FinetuneCommand) -> list[Outcome]:
    """Train and score; what the runs came to, on the first rank, and nothing on others, which have nothing to show.

    Raises WikiprepError (Stopped where a signal ended it).
    """
    config, grid = _load_configuration(command)
    with stop_mark() as mark, join_ranks(config.training.timeout_minutes) as ranks, ExitStack() as stack:
        output = Path(command.output)
        if ranks.first:
            run_on_all_ranks(ranks, lambda: stack.enter_context(lock_run_folder(output)))
        else:
            run_on_all_ranks(ranks, lambda: None)
        runs = _Runs(command, ranks, mark)
        if command.grid:
            outcomes = runs.grid(config, grid)
        else:
            first = config.data.seed if command.seed is None else command.seed
            seeds = range(first, first + command.count)
            folders = {seed: output if command.count == 1 else output / f"seed-{seed}" for seed in seeds}
            outcomes = [runs.one(_with_seed(config, seed), folder) for seed, folder in folders.items()]
        run_on_all_ranks(ranks, lambda: write_summary(output, outcomes) if ranks.first else None)
        if any(score.by_label for one in outcomes for score in one.scores.values()) and not find_spec("matplotlib"):
            runs.note(
                "no picture of what was taken for what: pip install 'wikiprep[plots]', and give the command again"
            )
        return outcomes if ranks.first else []


class _Runs:
    """The runs of one command, which share ranks, data and encoder."""

    def __init__(self, command: FinetuneCommand, ranks: Ranks, mark: StopMark) -> None:
        self._command, self._ranks, self._mark = command, ranks, mark
        self.note = note_plainly if ranks.first and not command.quiet else silent

    def one(self, config: PretrainConfig, folder: Path, parts: Sequence[str] = ()) -> Outcome:
        """Train to the end, then score the weights that are kept on `parts`, all but "train" where none are named."""
        command, ranks = self._command, self._ranks
        going_on = not command.overwrite and goes_on(folder) and (folder / ABOUT).is_dir()
        about = folder / ABOUT if ranks.from_first(going_on) else None
        data = Path(command.data)
        prepare_arguments = (command.task, data, command.model, config, about, ranks, self.note, command.knowledge)
        prepared = run_on_all_ranks(ranks, lambda: prepare(*prepare_arguments))
        records = len(prepared.splits["train"].features)
        config = with_steps(config, records)
        if ranks.first:
            if command.overwrite:
                shutil.rmtree(folder / BEST, ignore_errors=True)
            identity = identity_of_options(config, [data_identity(data, prepared)], prepared.family)
            run_on_all_ranks(ranks, lambda: claim(folder, config, identity, prepared.family, command.overwrite))
            if not checkpoints_of(folder / CHECKPOINTS):
                shutil.rmtree(folder / BEST, ignore_errors=True)  # of a run that came to no checkpoint
        else:
            run_on_all_ranks(ranks, lambda: None)
        options = prepared.about.options

        def judge(ranks: Ranks) -> TaskJudge:
            return TaskJudge(
                prepared.task,
                prepared.family,
                prepared.about.labels,
                prepared.splits.get("dev"),
                config,
                folder,
                records,
                options.keep == "last",
                options.patience,
                ranks,
            )

        start_time = time.perf_counter()
        job = TrainingJob(
            config=config,
            family=prepared.family,
            sources=(prepared.source,),
            judge=judge,
            folder=folder,
            quiet=command.quiet,
        )
        Trainer(job, ranks, self._mark).run()
        return self._scored(prepared, config, folder, parts, time.perf_counter() - start_time)

    def grid(self, config: PretrainConfig, points: Sequence[tuple[str, ...]]) -> list[Outcome]:
        """Each point on the development set, then the best one on the test set; the others keep their figures alone."""
        output = Path(self._command.output)
        folders = [output / f"grid-{number:03d}" for number in range(1, len(points) + 1)]
        configs = [_with_settings(config, settings) for settings in points]
        outcomes = [self.one(point, folder, ("dev",)) for point, folder in zip(configs, folders, strict=True)]
        if any(outcome.chooses is None for outcome in outcomes):
            raise UsageError("--grid chooses by the development set, and this task has none", "leave --grid out")
        best = max(range(len(points)), key=lambda n: (outcomes[n].chooses or 0.0, -n))
        self.note(f"the best of {len(points)} points: {folders[best].name} ({' '.join(points[best])})")
        if self._ranks.first:
            for number, folder in enumerate(folders):
                for name in (CHECKPOINTS, BEST) if number != best else ():
                    shutil.rmtree(folder / name, ignore_errors=True)
        return [self.one(configs[best], folders[best])]

    def _scored(
        self, prepared: PreparedTask, config: PretrainConfig, folder: Path, parts: Sequence[str], seconds: float
    ) -> Outcome:
        ranks, family = self._ranks, prepared.family
        bare = family.build_model(config.data.seed, empty=True)
        bare.load_state_dict(load_best_tensors(folder / BEST))
        model = Spread(bare.to(ranks.device), bare)
        predictions = {}
        for part in parts or [part for part in prepared.splits if part != "train"]:
            if part in prepared.splits:
                encoded_split = prepared.splits[part]
                tokens = 2 * config.data.micro_batch_tokens
                scores = scores_of(family, model, encoded_split.features, tokens, config.training, ranks)
                predictions[part] = encoded_split.predictions(prepared.task, scores, prepared.about.labels)
        part_scores = {
            part: prepared.task.score(part_predictions)
            for part, part_predictions in predictions.items()
            if not _is_closed(part_predictions)
        }
        left_out = {part: {**reasons} for part, reasons in prepared.left_out.items()}
        for part, score in part_scores.items():
            left_out[part] |= score.left_out
            for reason, count in score.left_out.items():
                self.note(f"{part}: {count:,} {reason}")
        best = read_best(folder / BEST)
        assert best is not None
        encoder = prepared.about.encoder
        outcome = Outcome(
            prepared.about.task,
            self._command.model,
            config.data.seed,
            best.epoch,
            part_scores,
            seconds,
            left_out,
            str(folder),
            {part: dict(one.carried) for part, one in prepared.splits.items() if one.carried},
            setting_of(entities=encoder.entities, entity_aware=encoder.entity_aware_attention),
            prepared.coverage,
        )
        run_on_all_ranks(ranks, lambda: write_outcome(folder, outcome, predictions) if ranks.first else None)
        return outcome


def _load_configuration(command: FinetuneCommand) -> tuple[PretrainConfig, list[tuple[str, ...]]]:
    """The configuration and its grid, checked as far as can be before ranks meet.

    Every rank says what is wrong: torchrun ends the others as soon as one is gone, whether they have spoken or not.
    """
    _check_output_folder(command)
    titles = (f"task.titles_from={json.dumps(command.titles_from)}",) if command.titles_from else ()
    settings = (*(s for name in command.ablations for s in ABLATIONS[name]), *titles, *command.settings)
    config, grid = load_task_config(command.config, command.task, settings)
    knowledge_setting = next((setting for setting in command.settings if setting.startswith("knowledge.")), None)
    if knowledge_setting and not command.knowledge:
        raise UsageError(
            f"--set {knowledge_setting} without --knowledge", "give it the folder that `wikiprep kg-embed` wrote"
        )
    if command.grid and not grid:
        raise UsageError(f"{command.config or command.task}: its configuration has no [grid]", "give lists there")
    return config, grid


def _is_closed(predictions: Sequence[Prediction]) -> bool:
    """A test set without labels: its predictions are written for those who have them."""
    return bool(predictions) and all(one.gold is None for one in predictions)


def _check_output_folder(command: FinetuneCommand) -> None:
    """Raises UsageError where a run would be written among the files of the data set, or elsewhere than on a disk."""
    must_be_run_folder(command.output, [])
    if Path(command.output).resolve() == Path(command.data).resolve():
        raise UsageError(f"{command.output}: is the folder of the data set", "give another --output")


def _with_seed(config: PretrainConfig, seed: int) -> PretrainConfig:
    return replace(config, data=replace(config.data, seed=seed))


def _with_settings(config: PretrainConfig, settings: Sequence[str]) -> PretrainConfig:
    for setting in settings:
        config = apply_tables(config, read_setting(setting), f"[grid] {setting}")
    return config
