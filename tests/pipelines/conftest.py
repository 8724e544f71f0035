"""The build that every engine has to equal, byte for byte."""

import pytest
from building import built, hashes, wikiprep
from engine_build import Local, write_inputs, write_two_scripts
from parsoid.made import lines, link, row, tar_gz


@pytest.fixture(scope="session")
def local(tmp_path_factory: pytest.TempPathFactory) -> Local:
    """To be read only."""
    folder = tmp_path_factory.mktemp("engines")
    words = write_inputs(folder)
    built(folder / "local", *words)
    return Local(words, folder / "local", hashes(folder / "local"))


@pytest.fixture(scope="session")
def two_scripts(tmp_path_factory: pytest.TempPathFactory) -> Local:
    """Tables of a wiki whose titles lead across scripts, its text in one of them. To be read only."""
    folder = tmp_path_factory.mktemp("scripts")
    words = write_two_scripts()
    assert wikiprep("tables", *words, "--workers", "2", "-o", folder / "local").returncode == 0
    return Local(words, folder / "local", hashes(folder / "local"))


@pytest.fixture(scope="session")
def html_wiki(tmp_path_factory: pytest.TempPathFactory) -> Local:
    """Tables of a snapshot of HTML in several pieces. To be read only."""
    folder = tmp_path_factory.mktemp("html")
    rows = [row(n, f"Page {n}", f"<p>It is beside {link(f'Page {n % 9 + 1}')}.</p>" * 40) for n in range(1, 10)]
    archive = tar_gz(folder / "enwiki_namespace_0.tar.gz", {"enwiki_0.ndjson": lines(rows)})
    words = [str(archive), "--range-mb", "0.01", "-q"]
    assert wikiprep("tables", *words, "--workers", "2", "-o", folder / "local").returncode == 0
    return Local(words, folder / "local", hashes(folder / "local"))
