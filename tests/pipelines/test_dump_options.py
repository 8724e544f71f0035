"""Checksums and absent parts under every driver: the same refusals, and the options that go on."""

import importlib.util
from pathlib import Path

import pytest
from building import hashes, wikiprep
from engine_build import REQUIRED, needs_java
from exports import export, put, sums
from inline import xml_page

TEXT = "The [[Sun]] is a star and the [[Moon]] goes around the [[Earth]] once a month, as they say."
TITLES = {1: "Sun", 2: "Moon", 3: "Earth", 4: "Mars"}


def needs(module: str) -> pytest.MarkDecorator:
    missing = not REQUIRED and importlib.util.find_spec(module) is None
    return pytest.mark.skipif(missing, reason=f"{module} is not installed")


RUNNERS = [
    "local",
    pytest.param("FnApiRunner", marks=needs("apache_beam")),
    pytest.param("spark", marks=[needs("pyspark"), needs_java()]),
]


def words(dump: Path, output: Path, runner: str, *more: str) -> tuple[object, ...]:
    return ("extract", dump, "-o", output, "--quiet", *(() if runner == "local" else ("--runner", runner)), *more)


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three parts by SHA256SUMS, of which one is absent and one is not as it was."""
    folder = tmp_path_factory.mktemp("options") / "dump"
    for first, last in ((1, 1), (2, 3), (4, 4)):
        pages = [xml_page(i, TITLES[i], TEXT) for i in range(first, last + 1)]
        put(folder, f"enwiki-2026-11-01-p{first}p{last}.xml.bz2", export(pages))
    sums(folder)
    (folder / "enwiki-2026-11-01-p4p4.xml.bz2").unlink()
    put(folder, "enwiki-2026-11-01-p2p3.xml.bz2", export([xml_page(i, TITLES[i], TEXT + " More.") for i in (2, 3)]))
    return folder


OPTIONS = ("--allow-missing-parts", "--no-checksums")


@pytest.fixture(scope="module")
def here(dump: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the local driver makes of it with the options."""
    output = tmp_path_factory.mktemp("here") / "out"
    assert wikiprep(*words(dump, output, "local", *OPTIONS)).returncode == 0
    return hashes(output)


@pytest.mark.parametrize("runner", RUNNERS)
def test_what_is_absent_or_changed_is_refused_and_the_options_go_on(
    runner: str, dump: Path, here: dict[str, str], tmp_path: Path
) -> None:
    done = wikiprep(*words(dump, tmp_path / "out", runner))
    assert done.returncode == 1
    assert "enwiki-2026-11-01-p4p4.xml.bz2" in done.stderr
    done = wikiprep(*words(dump, tmp_path / "out", runner, "--allow-missing-parts"))
    assert done.returncode == 1, done.stderr
    assert "enwiki-2026-11-01-p2p3.xml.bz2: its sha256 is" in done.stderr
    assert "Traceback" not in done.stderr
    done = wikiprep(*words(dump, tmp_path / "out", runner, *OPTIONS))
    assert done.returncode == 0, done.stderr
    assert hashes(tmp_path / "out") == here
