from pathlib import Path

import pytest
from engine_build import Local, needs_prism, package
from inline import job_of

package("apache-beam", "beam")

from apache_beam.options import pipeline_options  # noqa: E402 - not where Beam is missing
from beam_cluster import portable  # noqa: E402

from wikiprep.config import RunOptions  # noqa: E402
from wikiprep.errors import UsageError, WikiprepError  # noqa: E402
from wikiprep.pipelines.beam_options import parse_options  # noqa: E402
from wikiprep.pipelines.options import build  # noqa: E402
from wikiprep.runtime.reconcile import Policy  # noqa: E402
from wikiprep.units.job import Job  # noqa: E402


@pytest.mark.parametrize(
    "given",
    ["--experiment=a", "--experiments=a", "--worker_machine_type=n2", "--label=a=b", "--no_use_public_ips"],
)
def test_an_option_of_beams_is_known_by_all_its_names(given: str) -> None:
    assert parse_options("DataflowRunner", [given])[1] == []


@pytest.mark.parametrize(
    ("given", "dry"),
    [([], False), (["--dry_run"], True), (["--dry_run=true"], True), (["--dry_run=false"], False)],
)
def test_a_dry_run_is_one_where_it_was_asked_for(given: list[str], dry: bool) -> None:
    assert parse_options("DataflowRunner", given)[0].view_as(pipeline_options.TestOptions).dry_run is dry


@needs_prism()
def test_a_job_server_is_asked_which_options_it_knows(local: Local, tmp_path: Path) -> None:
    with portable(tmp_path) as made:
        words = [*made.words[1:], "--mentoins"]
        with pytest.raises(UsageError, match="--mentoins: neither wikiprep nor PortableRunner"):
            build_on("PortableRunner", words, job_of(tmp_path / "out", Path(local.words[0])))
        # The pool's port is a common mistake: it is a server of Beam's, but for other questions.
        pool = made.words[-1].partition("=")[2]
        with pytest.raises(WikiprepError, match="no job server of Beam's"):
            build_on("PortableRunner", [f"--job_endpoint={pool}"], job_of(tmp_path / "out", Path(local.words[0])))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("runner", "option", "message"),
    [
        ("FnApiRunner", "--vocab-sise=5", "--vocab-sise=5: neither wikiprep nor FnApiRunner knows this option"),
        ("FnApiRunner", "--no_project", "--no_project: neither wikiprep nor FnApiRunner knows this option"),
        ("FnApiRunner", "--direct_num_workers=two", "invalid int value: 'two'"),
        ("PortableRunner", "--environment_type=EXTERNAL", "needs a job server"),
        ("FlinkRunner", "--flink_master=localhost:8081", "FlinkRunner needs a job server"),
        ("SparkRunner", "--environment_type=EXTERNAL", "SparkRunner needs a job server"),
        ("PortableRunner", "--job_endpoint=localhost:1", "no job server answers there"),
        ("PortableRunner", "--job_endpoint=localhost", "is no address"),
        ("PrismRunner", "--prism_location=/no/prism", "--prism_location=/no/prism: no such file"),
        ("FnApiRunner", "--direct_num_workers=2", "--direct_num_workers=2: Beam starts more workers only as processes"),
        ("FnApiRunner", "--dry_run=true", "only DataflowRunner has --dry_run"),
        ("DataflowRunner", "--project=wiki-prep", "needs --region"),
    ],
)
def test_what_cannot_work_is_refused_at_once(
    runner: str, option: str, message: str, local: Local, tmp_path: Path
) -> None:
    with pytest.raises(WikiprepError) as caught:
        build_on(runner, [option], job_of(tmp_path / "out", Path(local.words[0])))
    assert message in caught.value.what
    assert caught.value.hint
    assert not (tmp_path / "out").exists()


def test_without_prism_there_is_a_way_to_get_it(local: Local, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WIKIPREP_PRISM", str(tmp_path / "prism"))
    with pytest.raises(UsageError, match="no Prism at") as caught:
        build_on("PrismRunner", [], job_of(tmp_path / "out", Path(local.words[0])))
    assert "wikiprep docs cluster" in caught.value.hint


def build_on(runner: str, arguments: list[str], job: Job) -> None:
    build(runner, arguments, job, RunOptions(quiet=True), Policy.REFUSE, "luke")
