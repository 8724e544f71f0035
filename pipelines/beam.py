"""The stages on a runner of Apache Beam, as one pipeline (`graph.py`). Also `python -m pipelines.beam DUMP --runner=…`.

This process prepares the output, submits the graph and waits; planning, units and commits all happen in the pipeline,
so that a job on Dataflow needs nobody to wait for it.
"""

import contextlib
import io
import logging
import math
import os
import socket
import sys
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import apache_beam as beam
from apache_beam.options.pipeline_options import (
    GoogleCloudOptions,
    PipelineOptions,
    PortableOptions,
    PrismRunnerOptions,
    TestOptions,
)
from apache_beam.options.pipeline_options_validator import PipelineOptionsValidator
from apache_beam.runners.runner import create_runner

from pipelines.failures import unpacked
from pipelines.graph import Build, add_build
from pipelines.options import local_paths, main
from pipelines.watch import Watch
from pipelines.work import Terms
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store
from wikiprep.local.lock import output_lock
from wikiprep.local.observer import Observer
from wikiprep.local.progress import observer_for
from wikiprep.manifest import read_manifest
from wikiprep.stages.build import stages_of
from wikiprep.stages.engine import Runner
from wikiprep.stages.fingerprint import plans_of
from wikiprep.stages.frame import Frame, open_frame
from wikiprep.stages.job import Job
from wikiprep.stages.settle import Policy, refuse_foreign
from wikiprep.stages.unit import RunOptions

START_SECONDS = 100.0  # for the first worker to start; Dataflow, which has to get machines first, tells for itself
_PRISM = Path.home() / ".cache" / "wikiprep-prism" / beam.__version__ / "prism"  # where .ci/run puts it, too
_OWN_JOB_SERVER = ("PortableRunner", "FlinkRunner", "SparkRunner")  # it knows options that Beam does not


def build(runner: str, arguments: Sequence[str], job: Job, options: RunOptions, policy: Policy, preset: str) -> None:
    """Build `job` on a runner of Beam; `arguments` are Beam's options. Raises WikiprepError."""
    _set_logging(runner)
    beam_options = _parsed(runner, arguments)
    _check(runner, beam_options, job)
    plans = plans_of(stages_of(job), job)
    store = Store(job.output, options.scratch)
    if beam_options.view_as(TestOptions).dry_run:
        # Only the graph is made: nothing is read but the inputs' edges, and nothing written.
        frame = Frame(job, plans, preset, complete=False)
        _submit(runner, beam_options, _build_of(frame, options, runner, beam_options, "dry_run"))
        with observer_for(options) as observer:
            observer.note(f"{runner}: the graph of {len(plans)} stages is made; nothing was run")
        return
    refuse_foreign(store)
    with observer_for(options) as observer, output_lock(store):
        store.clear_scratch()
        frame = open_frame(job, plans, store, policy, preset, observer.note)
        witness = f"_state/witness-{uuid.uuid4().hex[:12]}"
        store.write(witness, b"")
        made = _build_of(frame, options, runner, beam_options, witness)
        if beam_options.view_as(GoogleCloudOptions).template_location:
            _submit(runner, beam_options, made)
            return  # Dataflow starts the job by itself, later
        try:
            _run(made, beam_options, store, observer)
        finally:
            with contextlib.suppress(WikiprepError, OSError):
                store.remove(witness)
        store.clear_scratch()
    if not options.quiet:
        from wikiprep.local.summary import print_summary  # rich takes long to import

        print_summary(store, read_manifest(store), "was complete already" if frame.complete else "built")


def _build_of(frame: Frame, options: RunOptions, runner: str, beam_options: Any, witness: str) -> Build:
    portable = beam_options.view_as(PortableOptions)
    details = {
        name: str(getattr(portable, name)) for name in ("job_endpoint", "environment_type", "environment_config")
    }
    told = Runner(runner, beam.__version__, {name: value for name, value in details.items() if value != "None"})
    return Build(frame, Terms.of(options), told, datetime.now(UTC), tuple(sys.argv), witness)


def _submit(runner: str, beam_options: Any, made: Build) -> Any:
    """The result that Beam gives: of a finished pipeline, or of one that runs."""
    engine = create_runner(runner)
    if type(engine).__name__ != runner:
        raise UsageError(f"--runner {runner}: Beam {beam.__version__} takes {type(engine).__name__} for it")
    pipeline = beam.Pipeline(runner=engine, options=beam_options)
    add_build(pipeline, made)
    return pipeline.run()


def _run(made: Build, beam_options: Any, store: Store, observer: Observer) -> None:
    """Submit and wait, and tell what is done. Raises the workers' error as it was."""
    runner = made.runner.name
    seconds = math.inf if runner == "DataflowRunner" else START_SECONDS
    result = None
    with Watch(store, made.witness, observer, runner, seconds) as watch:
        try:
            result = _submit(runner, beam_options, made)
            state = result.wait_until_finish()
            if state not in (None, "DONE"):
                raise WikiprepError(f"{runner}: the job ended as {state}", "its log says why")
        except BaseException as error:
            if result is not None:
                with contextlib.suppress(Exception):
                    result.cancel()
            raise watch.error or _translated(error, runner) from None


def _translated(error: BaseException, runner: str) -> BaseException:
    if isinstance(error, WikiprepError) or not isinstance(error, Exception):
        return error
    return unpacked(str(error), runner)


def _parsed(runner: str, arguments: Sequence[str]) -> Any:
    """Beam's options; raises UsageError for one that Beam does not know, where Beam itself would only warn."""
    said = io.StringIO()
    try:
        with contextlib.redirect_stderr(said):
            options = PipelineOptions(list(arguments), runner=runner)
            known = set(options.get_all_options())
    except SystemExit:
        reason = said.getvalue().strip().rpartition("error: ")[2]
        raise UsageError(f"--runner {runner}: {reason}", "see Beam's documentation of its pipeline options") from None
    if runner not in _OWN_JOB_SERVER:
        for argument in arguments:
            name = argument.partition("=")[0].removeprefix("--")
            if name not in known and name.removeprefix("no_") not in known:
                raise UsageError(f"{argument}: neither wikiprep nor Beam knows this option", "see `wikiprep --help`")
    return options


def _check(runner: str, options: Any, job: Job) -> None:
    """What would fail later, and without its reason."""
    portable, prism = options.view_as(PortableOptions), options.view_as(PrismRunnerOptions)
    if runner == "DataflowRunner":
        _check_dataflow(options, job)
    elif options.view_as(TestOptions).dry_run:
        raise UsageError(f"--runner {runner}: only DataflowRunner has --dry_run", "leave it out")
    if runner == "PrismRunner" and not portable.job_endpoint and not prism.prism_location:
        place = os.environ.get("WIKIPREP_PRISM") or str(_PRISM)
        if not Path(place).is_file():
            raise UsageError(
                f"--runner PrismRunner: no Prism at {place}",
                "build it (docs/cluster.md), and name it by WIKIPREP_PRISM or --prism_location=FILE",
            )
        prism.prism_location = place
    # Beam would fetch the job servers of Flink and Spark from the network, unasked.
    jar = {"FlinkRunner": "flink_job_server_jar", "SparkRunner": "spark_job_server_jar"}.get(runner)
    if runner in _OWN_JOB_SERVER and not portable.job_endpoint and not (jar and options.get_all_options().get(jar)):
        way_out = "give --job_endpoint=HOST:PORT" + (f", or its jar: --{jar}=FILE" if jar else "")
        raise UsageError(f"--runner {runner} needs a job server", way_out)
    if portable.job_endpoint and portable.job_endpoint != "embed":
        _must_answer(portable.job_endpoint)


def _check_dataflow(options: Any, job: Job) -> None:
    """Where one of these is missing, Beam asks Google for it, and a machine without credentials waits for minutes."""
    cloud = options.view_as(GoogleCloudOptions)
    for name, example in (("project", "ID"), ("region", "us-central1"), ("temp_location", "gs://BUCKET/tmp")):
        if not getattr(cloud, name):
            raise UsageError(f"--runner DataflowRunner needs --{name}", f"give --{name}={example}")
    validator = PipelineOptionsValidator(options, create_runner("DataflowRunner"))
    if errors := [*validator.validate_gcs_path(cloud, "temp_location"), *validator.validate_cloud_options(cloud)]:
        raise UsageError(f"--runner DataflowRunner: {errors[0]}", "see Beam's documentation of its pipeline options")
    if not options.view_as(TestOptions).dry_run and (paths := local_paths(job)):
        raise UsageError(
            f"{paths[0]}: is on this machine's disk, which Dataflow's workers do not see",
            "copy it to a bucket and give its gs:// address",
        )


def _must_answer(endpoint: str) -> None:
    host, _, port = endpoint.rpartition(":")
    if not host or not port.isdigit():
        raise UsageError(f"--job_endpoint={endpoint}: is no address", "it is HOST:PORT")
    try:
        socket.create_connection((host.strip("[]"), int(port)), 10).close()
    except OSError as error:
        raise WikiprepError(
            f"--job_endpoint={endpoint}: no job server answers there ({error})", "start it, or check the address"
        ) from None


def _set_logging(runner: str) -> None:
    """Dataflow's messages are its progress. Else an error is told in a line of ours, not also in Beam's many."""
    if runner == "DataflowRunner" or os.environ.get("WIKIPREP_TRACEBACK"):
        logging.basicConfig(level=logging.INFO)
    else:
        logging.getLogger().addHandler(logging.NullHandler())


if __name__ == "__main__":
    main()
