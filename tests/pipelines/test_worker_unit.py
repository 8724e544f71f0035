import os
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from wikiprep.config import RunOptions
from wikiprep.errors import WikiprepError
from wikiprep.pipelines.failures import UnitFailed, unpack_failure
from wikiprep.pipelines.worker_unit import Terms, check_output, check_versions, perform
from wikiprep.units.unit import Report, Result, Unit


def unit(output: Path) -> Unit:
    return Unit("links", "part-00000", "f", str(output), None)


def run(unit: Unit, report: Report, options: RunOptions) -> Result:
    report.progress(pages=1, bytes_done=1, rejects=0)
    return Result(unit.name, counts={"pages": options.workers})


def alone(unit: Unit, *_: Any) -> Result:
    """How many run at the same time as this one, at most."""
    with _here:
        _running.append(unit.name)
        most = len(_running)
    time.sleep(0.05)
    with _here:
        _running.remove(unit.name)
    return Result(unit.name, counts={"at once": most})


_running: list[str] = []
_here = threading.Lock()


def fails(unit: Unit, *_: Any) -> Result:
    raise ValueError(unit.name)


def planned(output: Path) -> Path:
    (output / "_state" / "links").mkdir(parents=True)
    (output / "_state" / "links" / "plan.json").write_text("{}")
    return output


def test_a_unit_is_run_with_the_drivers_options(tmp_path: Path) -> None:
    terms = Terms.of(RunOptions(workers=7))
    assert perform(run, terms, unit(planned(tmp_path))).counts == {"pages": 7}


@pytest.mark.parametrize("workers", [1, 2])
def test_threads_work_on_no_more_units_at_once_than_workers(workers: int, tmp_path: Path) -> None:
    terms, one = Terms.of(RunOptions(workers=workers)), unit(planned(tmp_path))
    with ThreadPoolExecutor(6) as pool:
        results = [*pool.map(lambda _: perform(alone, terms, one), range(12))]
    assert max(result.counts["at once"] for result in results) == min(workers, len(os.sched_getaffinity(0)))


def test_an_error_names_the_unit(tmp_path: Path) -> None:
    with pytest.raises(UnitFailed, match="links/part-00000") as caught:
        perform(fails, Terms.of(RunOptions()), unit(planned(tmp_path)))
    assert "ValueError: part-00000" in unpack_failure(str(caught.value), "Spark").what


def test_a_worker_that_does_not_see_the_output_does_nothing(tmp_path: Path) -> None:
    with pytest.raises(UnitFailed, match="does not see this folder"):
        perform(run, Terms.of(RunOptions()), unit(tmp_path / "elsewhere"))
    assert not (tmp_path / "elsewhere").exists()


def test_a_remote_output_needs_no_witness() -> None:
    check_output("s3://bucket/corpus", "_state/links/plan.json")


def test_every_version_that_differs_is_named() -> None:
    here = Terms.of(RunOptions()).versions
    check_versions(here)
    check_versions({**here, "wikiprep": "0.0.9"})  # another commit with the same rules
    with pytest.raises(WikiprepError) as caught:
        check_versions({**here, "wikiprep": "0.0.9", "rules of wikiprep": "123", "python": "3.10.1"})
    assert "not 0.0.9" in caught.value.what
    assert "rules of wikiprep" in caught.value.what and "not 123" in caught.value.what
    assert "not 3.10.1" in caught.value.what
    assert "pyarrow" not in caught.value.what
