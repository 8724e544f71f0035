"""Fixtures of the tests of SPOT."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from wikiprep.pretrain.spot.trained import TrainedSpot


@pytest.fixture(scope="module")
def trained(spot_run: Path) -> "TrainedSpot":
    """The newest checkpoint of `spot_run`, to be asked."""
    from wikiprep.pretrain.open_checkpoint import open_model
    from wikiprep.pretrain.ranks import join_ranks
    from wikiprep.pretrain.spot.trained import TrainedSpot

    with join_ranks(timeout_minutes=1) as ranks:
        found = open_model(str(spot_run), ranks).trained
    assert isinstance(found, TrainedSpot)
    return found
