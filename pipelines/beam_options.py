"""Beam's options as they were given, and what of them would fail later, without its reason or after a long wait."""

import contextlib
import io
import os
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apache_beam as beam
import grpc
from apache_beam.options.pipeline_options import (
    DirectOptions,
    GoogleCloudOptions,
    PipelineOptions,
    PortableOptions,
    PrismRunnerOptions,
    TestOptions,
)
from apache_beam.options.pipeline_options_validator import PipelineOptionsValidator
from apache_beam.portability.api import beam_job_api_pb2, beam_job_api_pb2_grpc
from apache_beam.runners.runner import create_runner

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pipelines.options import local_paths
from wikiprep.units.job import Job

_PRISM = Path.home() / ".cache" / "wikiprep-prism" / beam.__version__ / "prism"  # where .ci/run puts it, too
_OWN_JOB_SERVER = ("PortableRunner", "FlinkRunner", "SparkRunner")  # it knows options that Beam does not
_SECONDS = 10  # that a job server has to answer


def options_of(runner: str, arguments: Sequence[str], job: Job) -> Any:
    """Beam's PipelineOptions. Raises WikiprepError for what cannot work on this runner with this job."""
    options, unknown = parse_options(runner, arguments)
    _check(runner, options, unknown, job)
    return options


def parse_options(runner: str, arguments: Sequence[str]) -> tuple[Any, list[str]]:
    """Beam's options, and the arguments that are none of them. Raises UsageError for a value that cannot be."""
    beam_arguments = ["--dry_run=true" if argument == "--dry_run" else argument for argument in arguments]
    unknown: list[str] = []
    error_output = io.StringIO()
    try:
        with contextlib.redirect_stderr(error_output):
            options = PipelineOptions(beam_arguments, runner=runner)
            # Beam's own parser knows all spellings, of which an option may have several (--experiment, --experiments).
            options.get_all_options(
                add_extra_args_fn=lambda parser: unknown.extend(parser.parse_known_args(beam_arguments)[1])
            )
    except SystemExit:
        reason = error_output.getvalue().strip().rpartition("error: ")[2]
        raise UsageError(f"--runner {runner}: {reason}", "see Beam's documentation of its pipeline options") from None
    test = options.view_as(TestOptions)
    test.dry_run = str(test.dry_run).lower() not in ("false", "0", "")  # Beam takes any word for yes
    return options, unknown


def _check(runner: str, options: Any, unknown: list[str], job: Job) -> None:
    """What would fail later, and without its reason; and unknown options, of which Beam itself would only warn."""
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
                "build it (wikiprep docs cluster), and name it by WIKIPREP_PRISM or --prism_location=FILE",
            )
        prism.prism_location = place
    elif prism.prism_location and "://" not in prism.prism_location and not Path(prism.prism_location).is_file():
        raise UsageError(
            f"--prism_location={prism.prism_location}: no such file", "check the path"
        )  # Beam takes another
    direct = options.view_as(DirectOptions)
    if runner == "FnApiRunner" and direct.direct_running_mode == "in_memory" and direct.direct_num_workers != 1:
        raise UsageError(
            f"--direct_num_workers={direct.direct_num_workers}: Beam starts more workers only as processes",
            "add --direct_running_mode=multi_processing",
        )
    # Beam would fetch the job servers of Flink and Spark from the network, unasked.
    jar = {"FlinkRunner": "flink_job_server_jar", "SparkRunner": "spark_job_server_jar"}.get(runner)
    if runner in _OWN_JOB_SERVER and not portable.job_endpoint and not (jar and options.get_all_options().get(jar)):
        way_out = "give --job_endpoint=HOST:PORT" + (f", or its jar: --{jar}=FILE" if jar else "")
        raise UsageError(f"--runner {runner} needs a job server", way_out)
    if portable.job_endpoint and portable.job_endpoint != "embed":
        must_answer(portable.job_endpoint)
        server_options = describe_options(portable.job_endpoint)
        unknown = [word for word in unknown if word.partition("=")[0].removeprefix("--") not in server_options]
    elif runner in _OWN_JOB_SERVER:
        unknown = []  # nobody knows the options of a job server that is yet to be started
    if unknown:
        raise UsageError(f"{unknown[0]}: neither wikiprep nor {runner} knows this option", "see `wikiprep --help`")


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


def must_answer(endpoint: str) -> None:
    """Raises WikiprepError where nobody listens at HOST:PORT."""
    host, _, port = endpoint.rpartition(":")
    if not host or not port.isdigit():
        raise UsageError(f"--job_endpoint={endpoint}: is no address", "it is HOST:PORT")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _SECONDS).close()
    except (OSError, OverflowError) as error:
        raise WikiprepError(
            f"--job_endpoint={endpoint}: no job server answers there ({error})", "start it, or check the address"
        ) from None


def describe_options(endpoint: str) -> set[str]:
    """The names of a job server's own options, without dashes. Raises WikiprepError where it is no job server."""
    with grpc.insecure_channel(endpoint) as channel:
        service = beam_job_api_pb2_grpc.JobServiceStub(channel)
        try:
            request = beam_job_api_pb2.DescribePipelineOptionsRequest()
            description = service.DescribePipelineOptions(request, timeout=_SECONDS)
        except grpc.RpcError as error:
            raise WikiprepError(
                f"--job_endpoint={endpoint}: what answers there is no job server of Beam's ({error.details()})",
                "check the port: a worker pool's is --environment_config, Spark's own master takes --runner spark",
            ) from None
    return {option.name for option in description.options}
