import subprocess
import sys
from pathlib import Path

import pytest
from building import wikiprep

from wikiprep.errors import UsageError
from wikiprep.pipelines.runners import NAMES, runner_by_name


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("local", "local"),
        ("Spark", "spark"),
        ("SparkRunner", "SparkRunner"),
        ("sparkrunner", "SparkRunner"),
        ("fnapirunner", "FnApiRunner"),
        ("FnApi", "FnApiRunner"),
        ("PRISM", "PrismRunner"),
        (" portable ", "PortableRunner"),
        ("dataflow", "DataflowRunner"),
        ("Flink", "FlinkRunner"),
    ],
)
def test_every_spelling_leads_to_one_runner(given: str, name: str) -> None:
    assert runner_by_name(given) == name


@pytest.mark.parametrize("given", ["", "dask", "prizm", "DirectRunner", "direct", "spark runner", "None"])
def test_a_wrong_one_is_refused_with_those_that_are(given: str) -> None:
    with pytest.raises(UsageError) as caught:
        runner_by_name(given)
    assert "FnApiRunner" in caught.value.hint
    assert given in caught.value.what


def test_a_near_miss_is_named() -> None:
    with pytest.raises(UsageError, match="did you mean PrismRunner"):
        runner_by_name("prizm")


def test_the_command_refuses_an_unknown_runner_and_writes_nothing(tmp_path: Path) -> None:
    done = wikiprep("build-corpus", "--sample", "-o", tmp_path / "out", "--runner", "dask")
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == "wikiprep: --runner dask: no such runner"
    assert all(name in done.stderr for name in NAMES)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("runner", "package"), [("spark", "pyspark"), ("prism", "apache_beam")])
def test_an_engine_that_is_not_installed(runner: str, package: str, tmp_path: Path) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; from wikiprep.cli.main import main; main()"
    words = ["build-corpus", "--sample", "-o", str(tmp_path / "out"), "--runner", runner]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    extra = {"pyspark": "spark", "apache_beam": "beam"}[package]
    assert (done.returncode, f"wikiprep[{extra}]" in done.stderr) == (2, True), done.stderr
    assert "Traceback" not in done.stderr


def test_local_has_no_options_of_an_engine(tmp_path: Path) -> None:
    done = wikiprep("build-corpus", "--sample", "-o", tmp_path / "out", "--runner", "local", "--job_endpoint=x:1")
    assert (done.returncode, "--job_endpoint=x:1" in done.stderr) == (2, True), done.stderr


def test_an_engines_option_without_its_equals_sign(tmp_path: Path) -> None:
    done = wikiprep("build-corpus", "--sample", "-o", tmp_path, "--runner=FnApiRunner", "--region", "us-central1")
    assert (done.returncode, "--region=us-central1" in done.stderr) == (2, True), done.stderr


def test_without_a_runner_an_unknown_option_is_none(tmp_path: Path) -> None:
    done = wikiprep("build-corpus", "--sample", "-o", tmp_path, "--job_endpoint=x:1")
    assert (done.returncode, "No such option" in done.stderr) == (2, True), done.stderr
