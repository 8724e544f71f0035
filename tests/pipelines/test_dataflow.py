"""The graph that Dataflow would get, made without a network: `--dry_run`. No job was ever run there."""

import base64
import bz2
import socket
from pathlib import Path
from typing import Any

import pytest
from engine_build import package
from inline import job_of
from tiny_wiki import PAGES, tiny_dump

package("apache-beam", "beam")

from apache_beam.options.pipeline_options import PipelineOptions  # noqa: E402 - not where Beam is missing
from apache_beam.portability.api import beam_runner_api_pb2  # noqa: E402 - not where Beam is missing

from wikiprep.config import RunOptions  # noqa: E402
from wikiprep.errors import UsageError  # noqa: E402
from wikiprep.pipelines import beam as driver  # noqa: E402
from wikiprep.pipelines.options import build  # noqa: E402
from wikiprep.runtime.reconcile import Policy  # noqa: E402
from wikiprep.stages.build import stages_of  # noqa: E402
from wikiprep.units.job import Job  # noqa: E402

CLOUD = {"project": "wiki-prep", "region": "us-central1", "temp_location": "gs://wiki-prep/tmp"}
IMAGE = "us-docker.pkg.dev/wiki-prep/images/beam:0.1.0"


def words(**changed: str) -> list[str]:
    return [f"--{name}={value}" for name, value in {**CLOUD, **changed}.items() if value]


def submit(job: Job, arguments: list[str]) -> None:
    build("DataflowRunner", arguments, job, RunOptions(quiet=True), Policy.REFUSE, "luke")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> tuple[Job, Any]:
    """The job, and Beam's portable description of it as DataflowRunner made it. Whoever asks the network fails."""
    job = job_of(Path("x"), tiny_dump(tmp_path_factory.mktemp("dataflow")), sections={"mentions": {"mentions": True}})
    job = Job(output="gs://wiki-prep/corpus", config=job.config, dumps=job.dumps)
    made: list[Any] = []
    submitted = driver._submit

    def refused(*_: Any) -> None:
        raise AssertionError("a dry run asked the network")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(driver, "_submit", lambda *given: made.append(submitted(*given)))
        patch.setattr(socket.socket, "connect", refused)
        patch.setattr(socket, "getaddrinfo", refused)
        submit(job, [*words(), "--dry_run=true", f"--sdk_container_image={IMAGE}"])
    return job, made[0].job.proto_pipeline


def steps(pipeline: Any) -> dict[str, Any]:
    return {it.unique_name: it for it in pipeline.components.transforms.values()}


def test_every_stage_has_its_four_labelled_steps(graph: tuple[Job, Any]) -> None:
    job, pipeline = graph
    top = {name for name in steps(pipeline) if name.count("/") <= 1 and not name.startswith(("start/", "ref_"))}
    names = [stage.name for stage in stages_of(job)]
    expected = {f"{name}/{step}" for name in names for step in ("plan", "spread", "run", "commit")}
    assert top == expected | {"start", "look", "finish"}


def test_units_are_reshuffled_and_results_are_the_side_input_of_the_commit(graph: tuple[Job, Any]) -> None:
    job, pipeline = graph
    found = steps(pipeline)
    for stage in stages_of(job):
        plan, spread, run, commit = (found[f"{stage.name}/{step}"] for step in ("plan", "spread", "run", "commit"))
        assert spread.spec.urn == "beam:transform:reshuffle:v1"
        assert [*spread.inputs.values()] == [*plan.outputs.values()]
        assert [*run.inputs.values()] == [*spread.outputs.values()]
        sides = [value for name, value in commit.inputs.items() if name.startswith("python_side_input")]
        assert sides == [*run.outputs.values()]
    grouped = [name for name, it in found.items() if it.spec.urn == "beam:transform:group_by_key:v1"]
    assert sorted(grouped) == sorted(f"{it.name}/spread/ReshufflePerKey/GroupByKey" for it in stages_of(job))


def test_no_page_is_in_the_graph_and_its_size_is_far_from_dataflows_limit(graph: tuple[Job, Any]) -> None:
    steps_with_code = [it for it in steps(graph[1]).values() if it.spec.urn == "beam:transform:pardo:v1"]
    pickles = [beam_runner_api_pb2.ParDoPayload.FromString(it.spec.payload).do_fn.payload for it in steps_with_code]
    data = b"".join(bz2.decompress(base64.b64decode(it)) for it in pickles)
    assert b"gs://wiki-prep/corpus" in data
    for text in PAGES.values():
        for piece in text.replace("[[", "]]").split("]]"):
            assert len(piece) < 20 or piece.encode() not in data
    assert len(graph[1].SerializeToString()) < 1_000_000  # of the 10 MB that Dataflow takes


def test_workers_have_the_image_that_was_asked_for(graph: tuple[Job, Any]) -> None:
    environments = [*graph[1].components.environments.values()]
    assert [it.urn for it in environments] == ["beam:env:docker:v1"]
    assert IMAGE.encode() in environments[0].payload


@pytest.mark.parametrize(("runner", "cancelled"), [("DataflowRunner", []), ("PortableRunner", ["job"])])
def test_a_job_on_dataflow_outlives_who_waits_for_it(
    runner: str, cancelled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Running:
        def wait_until_finish(self) -> str:
            raise KeyboardInterrupt

        def cancel(self) -> None:
            ended.append("job")

    ended: list[str] = []
    monkeypatch.setattr(driver, "_submit", lambda *_: Running())
    monkeypatch.setattr(driver, "options_of", lambda runner, *_: PipelineOptions([], runner=runner))
    with pytest.raises(KeyboardInterrupt):
        job = job_of(tmp_path / "out", tiny_dump(tmp_path))
        driver.build(runner, [], job, RunOptions(quiet=True), Policy.REFUSE, "luke")
    assert ended == cancelled


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"project": ""}, "needs --project"),
        ({"region": ""}, "needs --region"),
        ({"temp_location": ""}, "needs --temp_location"),
        ({"temp_location": "/tmp"}, "/tmp"),
        ({"temp_location": "gs://b/tmp"}, "gs://b/tmp"),
        ({"project": "P"}, "Invalid Project ID (P)"),
        ({}, "which Dataflow's workers do not see"),
    ],
)
def test_what_beam_would_ask_google_for_is_asked_of_the_user(
    changed: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        submit(job_of(tmp_path / "out", tiny_dump(tmp_path)), words(**changed))
    assert message in caught.value.what
    assert "\n" not in caught.value.what
    assert not (tmp_path / "out").exists()
