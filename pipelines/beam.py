"""The stages on a runner of Apache Beam, as one pipeline (`graph.py`).

Also `python -m wikiprep.pipelines.beam DUMP --runner=…`.

This process prepares the output, submits the graph and waits; planning, units and commits all happen in the pipeline,
so that a job on Dataflow needs nobody to wait for it.
"""

import contextlib
import logging
import math
import os
import sys
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import apache_beam as beam
from apache_beam.options.pipeline_options import (
    GoogleCloudOptions,
    PortableOptions,
    TestOptions,
)
from apache_beam.runners.runner import create_runner

from wikiprep.config import RunOptions
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import SCRATCH, Store
from wikiprep.manifest import read_manifest
from wikiprep.pipelines.beam_options import options_of
from wikiprep.pipelines.failures import as_workers_lost, quiet, unpack_failure
from wikiprep.pipelines.graph import Build, add_build
from wikiprep.pipelines.watch import OutputWatch
from wikiprep.pipelines.worker_unit import Terms
from wikiprep.runtime.engine import Runner
from wikiprep.runtime.output_folder import output_lock
from wikiprep.runtime.reconcile import Policy, refuse_foreign
from wikiprep.runtime.run_context import RunContext, open_run
from wikiprep.stages.build import stages_of
from wikiprep.terminal.build_display import observer_for
from wikiprep.units.fingerprint import plans_of
from wikiprep.units.job import Job
from wikiprep.units.observer import Observer


def build(runner: str, arguments: Sequence[str], job: Job, options: RunOptions, policy: Policy, preset: str) -> None:
    """Build `job` on a runner of Beam; `arguments` are Beam's options. Raises WikiprepError."""
    _set_logging(runner)
    beam_options = options_of(runner, arguments, job)
    plans = plans_of(stages_of(job), job)
    store = Store(job.output, options.scratch)
    if beam_options.view_as(TestOptions).dry_run:
        # Only the graph is made: nothing is read but the inputs' edges, and nothing written.
        context = RunContext(job, plans, preset, complete=False)
        _submit(runner, beam_options, _describe_build(context, options, runner, beam_options, "dry_run"))
        with observer_for(options) as observer:
            observer.note(f"{runner}: the graph of {len(plans)} stages is made; nothing was run")
        return
    refuse_foreign(store)
    with observer_for(options) as observer, output_lock(store):
        store.clear_scratch()
        context = open_run(job, plans, store, policy, preset, observer.note)
        witness = f"{SCRATCH}/witness-{uuid.uuid4().hex[:12]}"
        store.write(witness, b"")
        build_spec = _describe_build(context, options, runner, beam_options, witness)
        if beam_options.view_as(GoogleCloudOptions).template_location:
            _submit(runner, beam_options, build_spec)
            return  # Dataflow starts the job by itself, later
        try:
            # Dataflow, which has to get machines first, tells for itself.
            patience = math.inf if runner == "DataflowRunner" else options.start_timeout
            _run(build_spec, beam_options, store, observer, patience)
        finally:
            with contextlib.suppress(WikiprepError, OSError):
                store.remove(witness)
        store.clear_scratch()
    if not options.quiet:
        from wikiprep.terminal.console import print_summary  # rich takes long to import

        print_summary(store, read_manifest(store), "was complete already" if context.complete else "built")


def _describe_build(context: RunContext, options: RunOptions, runner: str, beam_options: Any, witness: str) -> Build:
    portable = beam_options.view_as(PortableOptions)
    details = {
        name: str(getattr(portable, name)) for name in ("job_endpoint", "environment_type", "environment_config")
    }
    runner_info = Runner(runner, beam.__version__, {name: value for name, value in details.items() if value != "None"})
    return Build(context, Terms.of(options), runner_info, datetime.now(UTC), tuple(sys.argv), witness)


def _submit(runner: str, beam_options: Any, build_spec: Build) -> Any:
    """The result that Beam gives: of a finished pipeline, or of one that runs."""
    engine = create_runner(runner)
    if type(engine).__name__ != runner:
        raise UsageError(f"--runner {runner}: Beam {beam.__version__} takes {type(engine).__name__} for it")
    pipeline = beam.Pipeline(runner=engine, options=beam_options)
    add_build(pipeline, build_spec)
    return pipeline.run()


def _run(build_spec: Build, beam_options: Any, store: Store, observer: Observer, patience: float) -> None:
    """Submit and wait, and tell what is done. Raises the workers' error as it was.

    `patience`: seconds for the first worker to start.
    """
    runner = build_spec.runner.name
    result = None
    with OutputWatch(store, build_spec.witness, observer, runner, patience) as watch:
        try:
            result = _submit(runner, beam_options, build_spec)
            state = result.wait_until_finish()
            if state not in (None, "DONE"):
                raise WikiprepError(f"{runner}: the job ended as {state}", "its log says why")
        except BaseException as error:
            quiet()
            # A job on Dataflow needs nobody who waits for it: what ends the wait must not end hours of work.
            if result is not None and runner != "DataflowRunner":
                with contextlib.suppress(Exception):
                    result.cancel()
            raise watch.error or _translate(error, runner) from None


def _translate(error: BaseException, runner: str) -> BaseException:
    if isinstance(error, WikiprepError) or not isinstance(error, Exception):
        return error
    return as_workers_lost(unpack_failure(str(error), runner), str(error))


def _set_logging(runner: str) -> None:
    """Dataflow's messages are its progress. Else an error is told in a line of ours, not also in Beam's many."""
    if runner == "DataflowRunner" or os.environ.get("WIKIPREP_TRACEBACK"):
        logging.basicConfig(level=logging.INFO)
    else:
        logging.getLogger().addHandler(logging.NullHandler())


if __name__ == "__main__":
    from wikiprep.cli.engine_launcher import main

    main()
