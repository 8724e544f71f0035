"""The training itself, by PyKEEN's training loop and its own checkpoints."""

import time
import warnings
from collections.abc import Callable
from pathlib import Path
from pickle import UnpicklingError
from typing import Any

import torch
from pykeen.models import ERModel, model_resolver
from pykeen.training import SLCWATrainingLoop
from pykeen.training.callbacks import TrainingCallback
from pykeen.training.training_loop import CheckpointMismatchError
from pykeen.triples import CoreTriplesFactory
from pykeen.utils import set_random_seed

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.knowledge.embed.settings import RunSettings, Settings
from wikiprep.knowledge.graph import TRAIN, Graph
from wikiprep.knowledge.phi import MATRIX, Form
from wikiprep.progress import NO_PROGRESS, Advance, Progress
from wikiprep.verbosity import tell

CHECKPOINT = "checkpoint.pt"
TRAINING = "training"  # what `progress` is told of
NEGATIVES, NEGATIVES_A_POSITIVE = "basic", 1  # PyKEEN's defaults, said: a head or a tail at random


class _EpochCallback(TrainingCallback):
    """Tells how many epochs are done, those of an earlier run at once, and the last one's loss.

    `summary` is a line about the last one.
    """

    def __init__(self, epochs: int, progress: Progress, advance: Advance, after: Callable[[int], None] | None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._epochs, self._progress, self._advance, self._after_epoch = epochs, progress, advance, after
        self._start_time, self._first_epoch, self._done = time.monotonic(), 0, 0
        self.summary = ""

    def post_epoch(self, epoch: int, epoch_loss: float, **kwargs: Any) -> None:
        self._first_epoch = self._first_epoch or epoch
        each = (time.monotonic() - self._start_time) / (epoch - self._first_epoch + 1)
        self.summary = f"epoch {epoch:,} of {self._epochs:,}: loss {epoch_loss:.4f}, {each:.2f} s an epoch"
        self._progress.latest(f"loss {epoch_loss:.4f}")
        self._advance(epoch - self._done)
        self._done = epoch
        if self._after_epoch is not None:
            self._after_epoch(epoch)


def make_model(form: Form, settings: Settings, factory: CoreTriplesFactory, device: str) -> ERModel[Any, Any, Any]:
    """A new model with the version's own defaults, but for its size. TransR's relations are as wide as its entities."""
    torch_device = device_named(device)
    size_options: dict[str, Any] = {"relation_dim": settings.dim} if form.second == MATRIX else {}
    model = model_resolver.make(
        form.name,
        triples_factory=factory,
        embedding_dim=settings.dim,
        random_seed=settings.seed,
        **size_options,
    )
    assert isinstance(model, ERModel)
    return model.to(torch_device)


def device_named(device: str) -> torch.device:
    """PyTorch's device of that name. Raises UsageError for one that is unknown, or not in this machine."""
    usable = ["cpu", *(f"cuda:{i}" for i in range(torch.cuda.device_count()))]
    try:
        torch_device = torch.device(device)
        torch.empty(0, device=torch_device)
    except (RuntimeError, AssertionError) as error:  # the latter where PyTorch was built without CUDA
        raise UsageError(
            f"--device {device}: is none that can be used here", f"there are {', '.join(usable)}"
        ) from error
    return torch_device


def train_factory(graph: Graph) -> CoreTriplesFactory:
    """The training triples as PyKEEN takes them, in our numbers."""
    mapped = torch.from_numpy(graph.parts[TRAIN].astype("int64"))
    return CoreTriplesFactory(mapped, num_entities=len(graph.entities), num_relations=len(graph.relations))


def train(
    form: Form,
    settings: Settings,
    factory: CoreTriplesFactory,
    folder: Path,
    *,
    run: RunSettings,
    after: Callable[[int], None] | None = None,
    progress: Progress = NO_PROGRESS,
) -> tuple[ERModel[Any, Any, Any], SLCWATrainingLoop, list[float]]:
    """Train to `settings.epochs`, from the checkpoint in `folder` if there is one. Returns the loss of every epoch.

    A checkpoint is written when its minutes have passed since the last one (0: each epoch) and at the end; what PyKEEN
    calls its frequency is minutes. Stopped and continued gives the same vectors as in one go, on the same machine.
    """
    set_random_seed(settings.seed)
    model = make_model(form, settings, factory, run.device)
    adam_options: dict[str, Any] = {} if settings.learning_rate is None else {"lr": settings.learning_rate}
    loop = SLCWATrainingLoop(
        model=model,
        triples_factory=factory,
        optimizer=torch.optim.Adam(model.get_grad_params(), **adam_options),
        negative_sampler=NEGATIVES,
        negative_sampler_kwargs={"num_negs_per_pos": NEGATIVES_A_POSITIVE},
    )
    try:
        with warnings.catch_warnings(), progress.part(TRAINING, settings.epochs, "epoch") as advance:
            # PyKEEN warns of what it says to itself, and its search for a batch that fits pins memory all the same.
            warnings.filterwarnings("ignore", "Training instances are always shuffled", DeprecationWarning)
            warnings.filterwarnings("ignore", "'pin_memory' argument", UserWarning)
            callback = _EpochCallback(settings.epochs, progress, advance, after)
            losses = loop.train(
                triples_factory=factory,
                num_epochs=settings.epochs,
                batch_size=settings.batch_size,
                use_tqdm=False,
                use_tqdm_batch=False,
                checkpoint_directory=folder,
                checkpoint_name=CHECKPOINT,
                checkpoint_frequency=run.checkpoint_minutes,
                callbacks=callback,
                num_workers=0,
                pin_memory=False,
            )
    except (EOFError, OSError, KeyError, RuntimeError, UnpicklingError, CheckpointMismatchError) as error:
        if not (folder / CHECKPOINT).is_file() or "memory" in str(error):
            raise
        raise WikiprepError(
            f"{folder / CHECKPOINT}: training does not go on from it ({error})",
            "if it is damaged or of another version, remove it: training begins anew",
        ) from error
    if callback.summary:
        tell(f"wikiprep: {callback.summary}")
    return model, loop, list(losses or [])
