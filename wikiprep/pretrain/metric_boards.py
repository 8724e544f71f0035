"""Where a run's numbers are shown beside its log: TensorBoard and Weights & Biases, behind one interface.

Both are given every number of every event of log.jsonl, as EVENT/NAME. When a run goes on from a checkpoint, steps
behind it come once more: TensorBoard drops what it had of them; Weights & Biases shows the value that came last, since
`step` is a number like the others there and not its own counter, which cannot go back.
"""

import importlib
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import whole_file

TENSORBOARD = "tensorboard"
WANDB = "wandb"
_WANDB_RUN = "run-id"


class MetricBoard(Protocol):
    """One of them, of a run that has done some steps."""

    def add(self, event: str, values: Mapping[str, float], step: int) -> None:
        """The numbers of an event at a step."""
        ...

    def close(self) -> None:
        """Write what is left."""
        ...


def boards_of(folder: Path, step: int, *, tensorboard: bool, wandb: str) -> list[MetricBoard]:
    """Those that are asked for, of the run in `folder`, which goes on after `step`. `wandb`: a project, or "".

    Raises UsageError for one that is not installed, WikiprepError where one cannot begin.
    """
    boards: list[MetricBoard] = []
    if tensorboard:
        boards.append(TensorBoard(folder / TENSORBOARD, step))
    if wandb:
        boards.append(WeightsAndBiases(folder, wandb))
    return boards


class TensorBoard:
    """Event files in `folder`."""

    def __init__(self, folder: Path, step: int) -> None:
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError as error:
            raise UsageError(
                "log.tensorboard = true, but TensorBoard is not installed", "pip install tensorboard, or leave it out"
            ) from error
        self._writer: Any = SummaryWriter(str(folder), purge_step=step + 1)

    def add(self, event: str, values: Mapping[str, float], step: int) -> None:
        """See `MetricBoard`."""
        for name, value in values.items():
            self._writer.add_scalar(f"{event}/{name}", value, step)

    def close(self) -> None:
        """See `MetricBoard`."""
        self._writer.close()


class WeightsAndBiases:
    """A run of `project`, named as the folder is; its own variables (WANDB_MODE=offline, WANDB_ENTITY, …) hold.

    Its id is in RUN/wandb/run-id, so that a command which goes on goes on with it there too.
    """

    def __init__(self, folder: Path, project: str) -> None:
        try:
            wandb: Any = importlib.import_module("wandb")
        except ImportError as error:
            raise UsageError(
                f'log.wandb = "{project}", but Weights & Biases is not installed',
                'pip install "wikiprep[wandb]", or leave it out',
            ) from error
        (folder / WANDB).mkdir(parents=True, exist_ok=True)
        try:
            self._run: Any = wandb.init(
                project=project,
                name=folder.absolute().name,
                id=_stored_run_id(folder / WANDB),
                resume="allow",
                dir=str(folder),
            )
        except Exception as error:  # of its own many kinds: no key, no server, no such project
            raise WikiprepError(
                f"Weights & Biases did not begin ({type(error).__name__}: {str(error).strip() or 'no word why'})",
                "wandb login, or WANDB_MODE=offline (wandb sync sends it later), or leave log.wandb out",
            ) from error
        self._run.define_metric("*", step_metric="step")

    def add(self, event: str, values: Mapping[str, float], step: int) -> None:
        """See `MetricBoard`."""
        if values:
            self._run.log({f"{event}/{name}": value for name, value in values.items()} | {"step": step})

    def close(self) -> None:
        """See `MetricBoard`."""
        self._run.finish()


def _stored_run_id(folder: Path) -> str:
    path = folder / _WANDB_RUN
    if not path.exists():
        with whole_file(path) as file:
            file.write(uuid.uuid4().hex.encode())
    return path.read_text(encoding="utf-8").strip()
