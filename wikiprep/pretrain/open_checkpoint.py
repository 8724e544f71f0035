"""From what a person gives to a trained model.

A run (its newest whole checkpoint), one checkpoint of it, or a folder (or a name on the hub) of Hugging Face's.
"""

import re
from dataclasses import dataclass
from pathlib import Path

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.checkpoint.folder import CHECKPOINT, Header, checkpoints_of, read_header
from wikiprep.pretrain.checkpoint.load import newest_whole, problem_of, read_weights
from wikiprep.pretrain.checkpoint_tensors import checkpoint_folder
from wikiprep.pretrain.families import FAMILIES, folder_opener, trained_named
from wikiprep.pretrain.frozen import Multilingual
from wikiprep.pretrain.log import note_plainly
from wikiprep.pretrain.ranks import Ranks
from wikiprep.pretrain.run_folder import ABOUT, CHECKPOINTS, CONFIG
from wikiprep.pretrain.trained import Trained

_HUGGING_FACE = "config.json"
_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")


@dataclass(frozen=True)
class OpenedModel:
    """A model, and the checkpoint or folder that its weights are of; `header` is None for one of Hugging Face."""

    trained: Trained
    checkpoint: Path
    header: Header | None


def open_model(location: str, ranks: Ranks, language: str | None = None) -> OpenedModel:
    """Check the files, read the weights, make the model on the rank's device.

    `language`: of a model with entities in several. Raises UsageError where there is nothing of the three
    kinds, WikiprepError where it is damaged.
    """
    folder = hugging_face_folder(location)
    if folder is not None:
        return OpenedModel(folder_opener()(folder, ranks.device, language), folder, None)
    checkpoint, header = find_checkpoint(location, ranks)
    about = about_of(checkpoint)
    trained = trained_named(family_of(about))(about, read_weights(checkpoint), ranks.device)
    if language is not None and isinstance(trained, Multilingual):
        trained = trained.in_language(language)
    return OpenedModel(trained, checkpoint, header)


def hugging_face_folder(location: str) -> Path | None:
    """The folder, or that of a hub name, if it is one of Hugging Face's. Raises UsageError for a name of nothing."""
    path = Path(location)
    if path.exists():
        is_ours = (path / CHECKPOINT).is_file() or (path / CHECKPOINTS).is_dir()
        return path if (path / _HUGGING_FACE).is_file() and not is_ours else None
    return checkpoint_folder(location) if _HUB_NAME.fullmatch(location) else None


def run_config(checkpoint: Path) -> Path:
    """The configuration of the run that a checkpoint is of. Raises UsageError where it is not there."""
    config = known_run_config(checkpoint)
    if config is None:
        raise UsageError(
            f"{checkpoint}: its run's {CONFIG} is neither in it nor above it",
            "it says which pages the model was not trained on: put a copy beside the checkpoint, or give --config",
        )
    return config


def known_run_config(checkpoint: Path) -> Path | None:
    """The same; None where it is not there."""
    return _find_above(checkpoint, CONFIG)


def find_checkpoint(location: str, ranks: Ranks, *, pass_over_damaged: bool = True) -> tuple[Path, Header]:
    """`location` itself, or the newest checkpoint of the run there; a damaged newest one is passed over or an error.

    Raises UsageError where there is none, WikiprepError where it is damaged.
    """
    path = Path(location)
    if not path.exists():
        raise UsageError(f"{path}: no such folder", "give the folder of a run, or one of its checkpoints/step-…")
    if not pass_over_damaged and not (path / CHECKPOINT).is_file():
        path = next(iter(checkpoints_of(path / CHECKPOINTS)), path)
    if (path / CHECKPOINT).is_file():
        problem = problem_of(path, ranks)
        if problem:
            raise WikiprepError(problem, "take the checkpoint before it, or a copy")
        return path, read_header(path)[0]
    if checkpoints_of(path):
        raise UsageError(f"{path}: a folder of checkpoints", f"give its run, {path.absolute().parent}, or one of them")
    newest = newest_whole(path / CHECKPOINTS, ranks, note_plainly)
    if newest is None:
        raise UsageError(
            f"{path}: neither a run with a checkpoint nor a checkpoint, nor a folder of Hugging Face's",
            f"a run has {CHECKPOINTS}/step-…, a checkpoint {CHECKPOINT}, a folder of Hugging Face's {_HUGGING_FACE}",
        )
    return newest


def about_of(checkpoint: Path) -> Path:
    """The `about` folder of the run that a checkpoint is of. Raises UsageError where it is not there."""
    about = _find_above(checkpoint, ABOUT)
    if about is None:
        raise UsageError(
            f"{checkpoint}: the folder {ABOUT} of its run is neither in it nor above it",
            "it holds configuration, tokenizer and entities: put a copy beside the checkpoint",
        )
    return about


def family_of(about: Path) -> str:
    """Whose `about` folder it is. Raises UsageError where it is of no family of ours."""
    name = next((name for name in FAMILIES if (about / f"{name}.json").is_file()), None)
    if name is None:
        raise UsageError(
            f"{about}: of no model family that is known here ({', '.join(FAMILIES)})", "use the wikiprep that wrote it"
        )
    return name


def _find_above(checkpoint: Path, name: str) -> Path | None:
    """In the checkpoint, or in the run: two folders up."""
    absolute = checkpoint.absolute()
    return next((folder / name for folder in (absolute, *absolute.parents[:2]) if (folder / name).exists()), None)
