"""The peak that MFU is a share of is that of the device, whose name may begin as another's does."""

import pytest
import torch

from wikiprep.pretrain.pace import Pace, peak_of


@pytest.mark.parametrize(
    ("name", "teraflops"),
    [
        ("NVIDIA H100 80GB HBM3", 989),
        ("NVIDIA H100 PCIe", 756),
        ("NVIDIA H100 NVL", 835),
        ("NVIDIA H200", 989),
        ("NVIDIA H200 NVL", 835),
        ("NVIDIA L40S", 362),
        ("NVIDIA L40", 181),
        ("NVIDIA L4", 121),
        ("NVIDIA A100-SXM4-80GB", 312),
        ("Tesla T4", None),
    ],
)
def test_peaks_by_name(monkeypatch: pytest.MonkeyPatch, name: str, teraflops: int | None) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: name)
    device = torch.device("cuda", 0)
    assert peak_of(device, "bf16") == (teraflops * 1e12 if teraflops else None)
    assert peak_of(device, "float32") is None and peak_of(torch.device("cpu"), "bf16") is None


def test_figures_are_of_all_ranks(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((10.0, 14.0))
    monkeypatch.setattr("wikiprep.pretrain.pace.time.perf_counter", lambda: next(clock))
    pace = Pace(world=2, peak=1e3)
    pace.reset()
    for _ in range(2):
        pace.add({"tokens": 100, "padded": 150, "flops": 2e3, "waited": 1.0})
    assert pace.figures() == {
        "tokens_per_second": 50,
        "padded_tokens_per_second": 75,
        "data_wait": 0.25,  # one second of four, on each of the two
        "seconds": 4,
        "mfu": 0.5,
    }
