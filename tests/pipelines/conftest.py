"""The build that every engine has to equal, byte for byte."""

import pytest
from building import built, hashes
from engine_build import Local, write_inputs


@pytest.fixture(scope="session")
def local(tmp_path_factory: pytest.TempPathFactory) -> Local:
    """To be read only."""
    folder = tmp_path_factory.mktemp("engines")
    words = write_inputs(folder)
    built(folder / "local", *words)
    return Local(words, folder / "local", hashes(folder / "local"))
