"""Threads on the CPU: those that wait sleep, their number fits cores and model, and a user's own choice stays."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402

from wikiprep.extra_packages import DECIDED  # noqa: E402
from wikiprep.pretrain import stage  # noqa: E402
from wikiprep.pretrain.stage import fit_threads, width  # noqa: E402

CPU = torch.device("cpu")


@pytest.fixture(autouse=True)
def nothing_decided(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = torch.get_num_threads()
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "LOCAL_WORLD_SIZE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(stage, "usable_cores", lambda: 6)
    yield
    torch.set_num_threads(before)


def encoder(size: int) -> nn.Module:
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(size, 2, 4 * size), 2, enable_nested_tensor=False)


def test_the_width_is_that_of_most_layers() -> None:
    assert width(nn.Sequential(encoder(16), nn.Linear(16, 1000))) == 16
    assert width(nn.Embedding(3, 4)) == 0


@pytest.mark.parametrize("size, ranks, number", [(16, 1, 1), (128, 1, 1), (132, 1, 6), (132, 3, 2), (132, 8, 1)])
def test_a_narrow_model_has_one_thread_a_wide_one_the_cores_of_its_rank(
    size: int, ranks: int, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCAL_WORLD_SIZE", str(ranks))
    assert fit_threads(encoder(size), CPU) == torch.get_num_threads() == number


@pytest.mark.parametrize("name", ["OMP_NUM_THREADS", "MKL_NUM_THREADS"])
def test_a_number_that_the_user_gave_stays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "3")
    torch.set_num_threads(3)
    assert fit_threads(encoder(16), CPU) == 3


def test_on_a_gpu_nothing_is_changed() -> None:
    torch.set_num_threads(3)
    assert fit_threads(encoder(16), torch.device("cuda")) == 3


@pytest.mark.parametrize(
    "given, found", [({}, "PASSIVE"), ({"OMP_WAIT_POLICY": "ACTIVE"}, "ACTIVE"), ({"GOMP_SPINCOUNT": "9"}, "None")]
)
def test_threads_wait_asleep_unless_the_user_says_otherwise(given: dict[str, str], found: str) -> None:
    ask = (
        "import os, sys\nfrom wikiprep.extra_packages import needs_torch\nassert 'torch' not in sys.modules\n"
        "with needs_torch(): print(os.environ.get('OMP_WAIT_POLICY'))"
    )
    environment = {name: value for name, value in os.environ.items() if name not in DECIDED}
    done = subprocess.run(
        [sys.executable, "-c", ask], env=environment | given, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == found
