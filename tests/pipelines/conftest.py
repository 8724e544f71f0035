"""The build that every engine has to equal, byte for byte."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from building import built, hashes
from engine_build import write_inputs


@dataclass(frozen=True)
class Local:
    """Words of the command, without --output; the local driver's output and its hashes."""

    words: list[str]
    output: Path
    hashes: dict[str, str]


@pytest.fixture(scope="session")
def local(tmp_path_factory: pytest.TempPathFactory) -> Local:
    """To be read only."""
    folder = tmp_path_factory.mktemp("engines")
    words = write_inputs(folder)
    built(folder / "local", *words)
    return Local(words, folder / "local", hashes(folder / "local"))
