"""Images and compose file, as far as they can be looked at without a Docker engine: two linters, and the versions in
them. Their build was never run here."""

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest
from click.testing import CliRunner
from ruamel.yaml import YAML

from wikiprep.cli.main import cli

ROOT = Path(__file__).parents[2]
DOCKER = ROOT / "docker"
FILES = sorted(DOCKER.glob("*.Dockerfile"))
NAMES = [path.stem for path in FILES]


def project() -> str:
    """pyproject.toml, of which the images must not differ."""
    return (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def compose() -> dict[str, dict[str, dict[str, list[str]]]]:
    found: dict[str, dict[str, dict[str, list[str]]]] = YAML(typ="safe").load(DOCKER / "compose.yaml")
    return found


def linted(*words: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*map(str, words)], capture_output=True, text=True, check=False)


def hadolint(path: Path) -> "subprocess.CompletedProcess[str]":
    return linted(Path(sys.executable).with_name("hadolint"), "--no-color", path)


def schema(path: Path) -> "subprocess.CompletedProcess[str]":
    """The compose specification's own schema, which comes with the linter."""
    return linted(sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", path)


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_hadolint_finds_nothing(path: Path) -> None:
    done = hadolint(path)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_hadolint_would_find_something(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text("FROM python\nRUN cd /x && pip install $y\n")
    done = hadolint(tmp_path / "Dockerfile")
    assert done.returncode == 1
    assert {"DL3006", "DL3042", "SC2086"} <= set(re.findall(r"[A-Z]{2}\d{4}", done.stdout))


def test_the_compose_file_is_one(tmp_path: Path) -> None:
    done = schema(DOCKER / "compose.yaml")
    assert done.returncode == 0, done.stdout
    (tmp_path / "compose.yaml").write_text("services: {master: {imaje: x}}\n")
    assert schema(tmp_path / "compose.yaml").returncode == 1


def test_one_master_two_workers_and_a_driver_whose_words_the_command_knows() -> None:
    services = compose()["services"]
    assert set(services) == {"master", "worker", "driver"}
    assert services["worker"]["deploy"]["replicas"] == 2
    words = services["driver"]["entrypoint"]
    assert words[0] == "wikiprep"
    # --runner with an unknown name ends before anything is done, but after the words have been read.
    done = CliRunner().invoke(cli, [*words[1:], "--sample", "--output", "x", "--runner=none"])
    assert "--runner none: no such runner" in repr(done.exception) + done.output


def test_the_classes_that_compose_starts_are_those_of_sparks_package() -> None:
    started = [str(it["command"]).split() for it in compose()["services"].values() if "command" in it]
    assert {words[0] for words in started} == {"spark-class"}
    names = {words[1] for words in started}
    assert names == {f"org.apache.spark.deploy.{it}" for it in ("master.Master", "worker.Worker")}


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_versions_are_the_projects(path: Path) -> None:
    said = dict(re.findall(r"^ARG (\w+)=(\S+)$", path.read_text(), re.MULTILINE))
    assert f"Python :: {said['PYTHON']}" in project()
    if "BEAM" in said:
        low = re.search(r"apache-beam\[gcp\]>=([\d.]+),", project())
        assert low is not None and said["BEAM"].startswith(f"{low[1]}.")
        assert f"python{said['PYTHON'].replace('.', '')}-template-launcher-base" in path.read_text()


def test_beam_is_the_one_that_is_tested() -> None:
    try:
        here = metadata.version("apache-beam")
    except metadata.PackageNotFoundError:
        pytest.skip("apache-beam is not installed: pip install 'wikiprep[beam]'")
    assert f"ARG BEAM={here}\n" in (DOCKER / "beam.Dockerfile").read_text()


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_extras_and_what_is_copied_exist(path: Path) -> None:
    text = path.read_text()
    (extra,) = re.findall(r'"\$1\[(\w+)\]"', text)
    assert re.search(rf"^{extra} = \[", project(), re.MULTILINE)
    allowed = (ROOT / ".dockerignore").read_text().split()
    for line in re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.MULTILINE):
        for source in line.split():
            assert f"!{source}" in allowed, f"{source}: .dockerignore keeps it out"
            assert source.startswith("dist/") or (ROOT / source).is_file()


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_the_wheel_is_compiled_for_the_image_that_it_goes_into(path: Path) -> None:
    images = {name: image for image, name in re.findall(r"^FROM (\S+)(?: AS (\w+))?$", path.read_text(), re.MULTILINE)}
    taker = images.get("worker", images.get(""))
    assert taker is not None and images["wheel"] in (taker, taker.replace("-slim", ""))  # slim has no compiler
    assert "RUN WIKIPREP_COMPILE=required pip wheel " in path.read_text()
    assert "COPY --from=wheel /tmp/wheel /tmp/dist\n" in path.read_text()
