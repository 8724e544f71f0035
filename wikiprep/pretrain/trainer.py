"""The training loop: stages of steps over the stream of records, with checkpoints, evaluation and a log.

It knows no model: `family.py` is all that it asks. State is few things, the step, the position in the stream, the
parameters and the optimiser's moments; all else is computed from them, so that a run which was killed goes on with
another number of ranks as if nothing had been.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import numpy as np
import torch

from wikiprep.errors import WikiprepError
from wikiprep.pretrain.attention import attention_of
from wikiprep.pretrain.checkpoint.folder import Header
from wikiprep.pretrain.checkpoint.load import newest_whole
from wikiprep.pretrain.checkpoint.save import Saving
from wikiprep.pretrain.checkpoint.save import begin as begin_saving
from wikiprep.pretrain.compiling import compile_error
from wikiprep.pretrain.data.loader import GlobalBatches, shares
from wikiprep.pretrain.data.share import Failure, Share, ShareMaker
from wikiprep.pretrain.data.skips import Range, Skips, range_of
from wikiprep.pretrain.data.stream import Stream
from wikiprep.pretrain.finite_gradients import GradientWatch, StepPlace
from wikiprep.pretrain.largest_batch import try_out
from wikiprep.pretrain.log import Note, RunLog, figures_in_words, note_plainly, silent
from wikiprep.pretrain.optimizer import gradient_norm, learning_rate
from wikiprep.pretrain.pace import Pace, peak_of
from wikiprep.pretrain.prefetch import BAD, FAILED, SIGNALLED, WRITTEN, SharePrefetcher
from wikiprep.pretrain.ranks import Ranks
from wikiprep.pretrain.run_folder import CHECKPOINTS
from wikiprep.pretrain.stage import Found, Training, begin, family_stage
from wikiprep.pretrain.step import compute, out_of_memory
from wikiprep.pretrain.stopping import StopMark, Stopped
from wikiprep.pretrain.trainer_job import TrainingJob, cut_of
from wikiprep.version import wikiprep_version

T = TypeVar("T")


class Trainer:
    """One rank's part of a run."""

    def __init__(self, job: TrainingJob, ranks: Ranks, mark: StopMark) -> None:
        self._job, self._ranks, self._mark = job, ranks, mark
        self._config, self._family = job.config, job.family
        data = job.config.data
        splits = [source.split for source in job.sources]
        self._stream = Stream.of(data.seed, splits, data.smoothing, data.shuffle_shards)
        readers = tuple(source.reader for source in job.sources)
        self._maker = ShareMaker(job.family, readers, data.seed, ranks.rank, ranks.world, cut_of(job.config))
        self._judge = job.judge(ranks)
        self._note: Note = note_plainly if ranks.first else silent
        self._pace = Pace(ranks.world, peak_of(ranks.device, job.config.training.precision))
        self._log: RunLog | None = None
        self._step = self._position = 0
        self._skipped: tuple[Range, ...] = ()
        self._saved_step = -1
        self._saving: Saving | None = None
        minutes = job.config.training.timeout_minutes
        self._group = ranks.group(minutes) if job.config.checkpoints.asynchronous else None
        self._ended = False  # by the judge, before the last step

    def run(self) -> None:
        """Train to the end.

        Raises Stopped where a signal ended it and all is saved; WikiprepError where it cannot go on: on the rank that
        met the error with its message, on the others with a word on who it was.
        """
        checkpoint = self._newest_checkpoint()
        if checkpoint is not None:
            self._saved_step = self._step = checkpoint[1].step
            self._position, self._skipped = checkpoint[1].position, checkpoint[1].skipped
        self._add_skips()
        if self._ranks.first:
            job, log_config = self._job, self._config.log
            self._log = RunLog(
                job.folder,
                self._step,
                job.last_step,
                tensorboard=log_config.tensorboard,
                wandb=log_config.wandb,
                quiet=job.quiet,
            )
        try:
            self._log_event("resumed" if checkpoint else "begun", world=self._ranks.world, position=self._position)
            self._ended = self._judge.ended()
            if self._step >= self._job.last_step or self._ended:
                self._note(f"{self._job.folder}: {self._step:,} steps are done, nothing is left to do")
            while self._step < self._job.last_step and not self._ended:
                self._run_stage(checkpoint)
                self._finish_saving()
                checkpoint = self._newest_checkpoint()
        finally:
            if self._log is not None:
                self._log.close()

    def _newest_checkpoint(self) -> Found | None:
        return newest_whole(self._job.folder / CHECKPOINTS, self._ranks, self._note)

    def _add_skips(self) -> None:
        """Add what the user wants left out, such as records around a spike of the loss. Nothing asked for twice is."""
        for request in self._job.skip:
            first, stop = range_of(request, self._position, self._skipped)
            description = f"{stop - first:,} records, positions {first:,} to {stop - 1:,} of the stream"
            if (first, stop) in self._skipped:
                self._note(f"not skipped again: {description}; POSITION:N leaves out others")
                continue
            if first < self._position:
                self._note(f"at position {self._position:,} already: what was trained on until there stays so")
            self._note(f"skipping {description}")
            self._skipped += ((first, stop),)

    def _run_stage(self, checkpoint: Found | None) -> None:
        """From `checkpoint` (or the family's beginning) to the end of the stage, or of this command."""
        config = self._config
        number, steps_done = config.stage_at(self._step)
        training = self._attempt(lambda: begin(config, self._family, number, steps_done, checkpoint, self._ranks))
        if not self._step:
            attention = attention_of(self._family, config.training, self._ranks.device)
            self._log_event("model", **training.notes, attention=attention, threads=training.threads)
        longest = [(number, source.longest) for number, source in enumerate(self._job.sources)]
        choices = self._attempt(lambda: try_out(self._maker, training.model, longest, config.training, self._ranks))
        if choices:
            self._log_event("cross_entropy", **choices)
        end = min(config.stages[number].steps, steps_done + self._job.last_step - self._step)
        skips = Skips.of(self._skipped)
        maker = replace(self._maker, stage=family_stage(config, number))
        batches = GlobalBatches(maker, self._stream, self._position, config.data.global_batch, skips)
        loaded_shares = shares(batches, end - steps_done, config.data.workers, pin=self._ranks.device.type == "cuda")
        watch = GradientWatch(self._ranks.device)
        prefetched = SharePrefetcher(
            loaded_shares, end - steps_done, self._ranks, lambda: self._signs(watch), watch.idle
        )
        self._pace.reset()
        for step in range(steps_done, end):
            share, totals = self._next_share(training, prefetched, watch, (number, step))
            rate = learning_rate(config.stages[number], step)
            step_figures = self._attempt(lambda: self._train(training, watch, share, totals, rate, (number, step)))  # noqa: B023 (at once)
            self._step += 1
            previous_position, self._position = self._position, skips.after(self._position, config.data.global_batch)
            for first, stop in skips.between(previous_position, self._position):
                self._log_event("skipped", first=first, records=stop - first)
            due = self._is_due(last=step == end - 1)
            if not due:
                prefetched.ask()  # while the device is still at this step
            if due or watch.done_with_all():
                self._await_finite_steps(training, watch)
            self._after_step(training, step_figures, (number, step + 1), last=step == end - 1)
            if self._ended:
                break

    def _signs(self, watch: GradientWatch) -> dict[str, float]:
        written = self._saving is not None and self._saving.written()
        return {SIGNALLED: float(self._mark.name is not None), BAD: float(watch.seen_bad()), WRITTEN: float(written)}

    def _next_share(
        self, training: Training, prefetched: SharePrefetcher, watch: GradientWatch, stage_step: tuple[int, int]
    ) -> tuple[Share, dict[str, float]]:
        """This rank's share of the next step, and what all ranks have in it. If one rank must end, all do so here."""
        share, totals = prefetched.next()
        if totals[BAD]:
            self._await_finite_steps(training, watch)
        if totals[WRITTEN] == self._ranks.world:
            self._finish_saving()
        if totals[FAILED]:
            self._finish_saving()  # what was reached is not lost with the record
            self._ranks.agree(share.error() if isinstance(share, Failure) else None)
        if totals[SIGNALLED]:
            self._await_finite_steps(training, watch)
            name = next(filter(None, self._ranks.gather(self._mark.name)))
            self._save(training, stage_step)
            self._finish_saving()
            raise Stopped(f"{name}: stopped after step {self._step:,}, all is saved", "the same command goes on")
        assert isinstance(share, Share)
        self._pace.add(totals)
        return share, totals

    def _train(
        self,
        training: Training,
        watch: GradientWatch,
        share: Share,
        totals: dict[str, float],
        rate: float,
        stage_step: tuple[int, int],
    ) -> Callable[[], dict[str, float]]:
        """Ask the device for one optimiser step.

        What is returned waits for it, and for all ranks, and says what is logged.
        """
        # Dropout is a function of (seed, step, rank): no generator's state need be saved.
        seed = np.random.SeedSequence((self._config.data.seed, self._step, self._ranks.rank))
        torch.manual_seed(int(seed.generate_state(1)[0]))
        training.model.module.train()
        computed = compute(self._family, training.model, share, totals, self._config.training, self._ranks)
        norm = gradient_norm(training.optimizer.parameters, self._config.training.clip_norm)
        watch.add(StepPlace(self._step, self._position, stage_step, share.records, computed), norm)
        training.optimizer.step(rate, watch.mark)

        def figures() -> dict[str, float]:
            sums = self._ranks.add({name: float(value) for name, value in computed.sums.items()})
            losses = {f"loss.{name}": value / max(1.0, totals[name]) for name, value in sums.items()}
            values = {"loss": sum(losses.values()), **losses, "learning_rate": rate}
            return values | {"gradient_norm": float(norm), "records": totals["seen"]}

        return figures

    def _await_finite_steps(self, training: Training, watch: GradientWatch) -> None:
        """Wait for all steps so far; where one was of no finite numbers, be back before it, save and end all ranks."""
        place = watch.first_bad()
        if place is None:
            return
        self._step, self._position = place.step, place.position
        loss = self._ranks.add({"loss": sum(float(value) for value in place.computed.sums.values())})["loss"]
        what = "gradient" if np.isfinite(loss) else "loss"
        self._raise_not_finite(what, place, self._save_before_bad_step(training, place.at))

    def _save_before_bad_step(self, training: Training, stage_step: tuple[int, int]) -> str:
        """Save what was reached before this step, whose gradients touched nothing; which checkpoint has it, in words.

        Where the parameters themselves are no numbers, or the optimiser's moments, the checkpoints from before stay as
        they are: nothing takes their place.
        """
        if not self._step:
            return "nothing was trained yet"
        wrong = self._ranks.add({"wrong": float(not training.is_finite())})["wrong"]
        if not wrong:
            self._save(training, stage_step)
        self._finish_saving()
        if self._saved_step < 0:
            return "no checkpoint is from before"
        note = f"the checkpoint of step {self._saved_step:,} is from before"
        return f"{note}; the parameters are no finite numbers any more" if wrong else note

    def _raise_not_finite(self, what: str, place: StepPlace, checkpoint_note: str) -> None:
        """All ranks end before the parameters are touched."""
        places = [
            self._maker.readers[corpus].place(record)
            for records, bad in zip(place.records, place.computed.not_finite.tolist(), strict=True)
            if bad
            for corpus, record in records
        ]
        stop = Skips.of(self._skipped).after(self._position, self._config.data.global_batch)
        where = f"; on this rank in a micro-batch with {places[0]} and {len(places) - 1} more records" if places else ""
        raise self._ranks.with_rank(
            WikiprepError(
                f"the {what} of step {self._step + 1:,} (records from position {self._position:,} on) is not a finite "
                f"number{where}; {checkpoint_note}",
                f"go on without the records of this step with --skip-records {self._position}:{stop - self._position}"
                ", or begin anew (another --output) with a lower learning rate or training.clip_norm",
            )
        )

    def _is_due(self, *, last: bool) -> bool:
        """Whether anything is looked at after this step: figures, the model, a checkpoint."""
        config, step = self._config, self._step
        every = (config.log.every, config.checkpoints.every)
        return last or any(step % number == 0 for number in every) or self._judge.due(step, last=last)

    def _after_step(
        self, training: Training, step_figures: Callable[[], dict[str, float]], stage_step: tuple[int, int], last: bool
    ) -> None:
        config, step = self._config, self._step
        if step % config.log.every == 0 or last:
            figures = step_figures() | self._pace.figures() | {"epoch": self._position / self._stream.epoch_size}
            self._log_event("train", position=self._position, **figures)
            if self._log is not None:
                self._log.show(step, figures_in_words(figures))
            self._pace.reset()
        if self._judge.due(step, last=last):
            self._evaluate(training)
        if step % config.checkpoints.every == 0 or last or self._ended:
            self._save(training, stage_step)

    def _evaluate(self, training: Training) -> None:
        self._finish_saving()  # an error of the judge ends all ranks, and what was reached is to be a checkpoint then
        verdict = self._attempt(lambda: self._judge.judge(training.model, self._step))
        self._log_event("evaluate", records=verdict.items, **verdict.figures)
        if self._log is not None:
            self._log.say(verdict.message)
        self._ended = verdict.stop
        self._pace.reset()

    def _save(self, training: Training, stage_step: tuple[int, int]) -> None:
        """A checkpoint, unless there is one of this step."""
        if self._step in (self._saved_step, self._saving.header.step if self._saving else -1):
            return
        versions = {"wikiprep": wikiprep_version(), "torch": torch.__version__}
        header = Header(self._step, self._position, *stage_step, self._ranks.world, versions, self._skipped)
        self._finish_saving()
        folder, state = self._job.folder / CHECKPOINTS, training.state()
        self._saving = begin_saving(folder, state, header, self._ranks, self._group)
        if self._group is None:
            self._finish_saving()
        self._pace.reset()

    def _finish_saving(self) -> None:
        """Wait until the checkpoint that is being written is one."""
        if self._saving is None:
            return
        saving, self._saving = self._saving, None
        path = saving.finish(self._config.checkpoints.keep, self._ranks)
        self._saved_step = saving.header.step
        if self._log is not None:
            self._log.event("checkpoint", saving.header.step, folder=path.name, position=saving.header.position)

    def _log_event(self, name: str, **values: object) -> None:
        if self._log is not None:
            self._log.event(name, self._step, **values)

    def _attempt(self, work: Callable[[], T]) -> T:
        """`work`, with memory that ran out told as such. Other ranks then lose this one, and say so."""
        try:
            return work()
        except RuntimeError as error:
            if explained := out_of_memory(error) or compile_error(error):
                raise self._ranks.with_rank(explained) from error
            raise
