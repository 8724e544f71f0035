"""A job server of Beam's, before a job is given to it: whether it is there, and which options are its own."""

import socket

import grpc
from apache_beam.portability.api import beam_job_api_pb2, beam_job_api_pb2_grpc

from wikiprep.errors import UsageError, WikiprepError

_SECONDS = 10


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
    """The names of the server's own options, without dashes. Raises WikiprepError where it is no job server."""
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
