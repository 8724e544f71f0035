"""What step_model.py calculates of a batch, as rows beside what gpu_check.py measured of it."""

from dataclasses import replace

from gpu_measure import Row, StepTime
from step_kernels import Device
from step_model import Expected

# Kinds of GPU that a `Device` is known of, by a part of their names; bandwidth in bytes a second, as makers give it.
_BANDWIDTH = {"H200": 4.8e12, "H100": 3.35e12}


def device_of(name: str) -> tuple[Device, str]:
    """What is calculated with on a GPU of this name, and what that is called."""
    for part, bandwidth in _BANDWIDTH.items():
        if part in name:
            return replace(Device(), bandwidth=bandwidth), part
    return Device(), "H100 SXM, which this is not"


def comparison_row(name: str, found: Expected, measured: StepTime | None, device: Device, kind: str) -> Row:
    """One row: calculated, and measured where it was.

    A step that takes over 1.25 times what was calculated is told as one that misses it: look at the part `profile`.
    """
    figure = f"{found.seconds * 1000:.1f} ms, MFU {found.mfu(device):.1%} calculated for {kind}"
    if measured is None:
        return Row("speed", f"{name}: calculated", figure)
    share = measured.seconds / found.seconds
    figure += f"; {measured.seconds * 1000:.1f} ms measured, {share:.2f} times that"
    return Row("speed", f"{name}: calculated beside measured", figure, "1.25 times", share <= 1.25)
