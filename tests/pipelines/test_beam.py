"""Beam's runners on this machine: FnApiRunner in the command's process, Prism as a server of its own."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from building import hashes, wikiprep
from engine_build import Local, damaged_dump, needs_prism, package, same_tables

from wikiprep.pipelines.failures import MARK

VERSION = package("apache-beam", "beam")
RUNNERS = ["FnApiRunner", pytest.param("PrismRunner", marks=needs_prism())]


@pytest.fixture(scope="module")
def there(local: Local, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The build by a runner, made when it is first asked for. To be read only."""
    made: dict[str, Path] = {}

    def of(runner: str) -> Path:
        if runner not in made:
            output = tmp_path_factory.mktemp(runner) / "out"
            done = wikiprep("build-corpus", *local.words, "-o", output, "--runner", runner)
            assert done.returncode == 0, done.stderr
            made[runner] = output
        return made[runner]

    return of


@pytest.mark.parametrize("runner", RUNNERS)
def test_the_same_bytes_as_the_local_driver(runner: str, local: Local, there: Callable[[str], Path]) -> None:
    assert hashes(there(runner)) == local.hashes
    (run,) = json.loads((there(runner) / "run.json").read_bytes())["runs"]
    assert (run["runner"], run["runner_version"]) == (runner, VERSION)
    assert run["command"][1] == "build-corpus"


def test_links_across_scripts_are_the_local_drivers(two_scripts: Local, tmp_path: Path) -> None:
    counts = same_tables(two_scripts, tmp_path / "out", "FnApiRunner")
    assert counts["links"]["links.article.variant"] == 20


def test_a_snapshot_of_html_is_the_local_drivers(html_wiki: Local, tmp_path: Path) -> None:
    counts = same_tables(html_wiki, tmp_path / "out", "FnApiRunner")
    assert counts["extract"]["pages.article"] == 9


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A dump, and what the local driver says of it."""
    folder = tmp_path_factory.mktemp("damaged")
    dump = damaged_dump(folder)
    here = wikiprep("tables", dump, "--quiet", "-o", folder / "here")
    assert here.returncode == 1
    return dump, here.stderr.strip()


@pytest.mark.parametrize("words", [*RUNNERS, "FnApiRunner --direct_running_mode=multi_processing"])
def test_an_error_in_a_worker_is_the_local_drivers_message(
    words: str, damaged: tuple[Path, str], tmp_path: Path
) -> None:
    dump, message = damaged
    there = wikiprep("tables", dump, "--quiet", "-o", tmp_path / "there", "--runner", *words.split())
    assert there.returncode == 1
    assert message and message in there.stderr
    assert MARK not in there.stderr  # as in the tracebacks that Beam's workers print
    # It was a worker that met it: the first stage that reads pages.
    assert (tmp_path / "there" / "_state" / "template_pages" / "plan.json").exists()


def test_what_is_finished_is_not_done_again(local: Local, there: Callable[[str], Path], tmp_path: Path) -> None:
    shutil.copytree(there("FnApiRunner"), tmp_path / "out")
    receipts = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("_state/*/units/*.json")}
    gone = next(path for path in receipts if "links" in path.parts)
    gone.unlink()
    assert wikiprep("build-corpus", *local.words, "-o", tmp_path / "out", "--runner=FnApiRunner").returncode == 0
    again = {path: path.stat().st_mtime_ns for path in receipts}
    assert [path for path in receipts if again[path] != receipts[path]] == [gone]
    assert hashes(tmp_path / "out") == local.hashes
