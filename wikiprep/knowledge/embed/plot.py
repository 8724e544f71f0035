"""The loss curve as a picture, where matplotlib is installed."""

from collections.abc import Sequence
from pathlib import Path

from wikiprep.files import whole_file


def draw_losses(losses: Sequence[float], path: Path) -> bool:
    """Write the loss of each epoch as PNG; False, and no file, where matplotlib is missing (`wikiprep[plots]`)."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        return False
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(range(1, len(losses) + 1), losses, marker="." if len(losses) < 30 else None)
    axes.set_xlabel("epoch")
    axes.set_ylabel("mean loss")
    with whole_file(path) as file:
        figure.savefig(file, format="png", dpi=120, metadata={"Software": None})
    return True
