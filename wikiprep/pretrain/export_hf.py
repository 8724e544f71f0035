"""From a run or one of its checkpoints to a folder that Hugging Face's transformers loads."""

from pathlib import Path

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import sha256_of
from wikiprep.pretrain.checkpoint.folder import CHECKPOINT, checkpoints_of, read_header
from wikiprep.pretrain.checkpoint.load import read_weights
from wikiprep.pretrain.luke.about import about_of, read_about
from wikiprep.pretrain.luke.export import export
from wikiprep.pretrain.run_folder import CHECKPOINTS


def export_hf(given: str, out: str) -> Path:
    """Write `out` and return the checkpoint that was taken: `given` itself, or the newest of the run `given`.

    A damaged checkpoint is an error and not passed over: whoever exports wants to know which one it is.
    """
    checkpoint = _checkpoint(Path(given))
    _check_files(checkpoint)
    about = read_about(about_of(checkpoint))
    export(read_weights(checkpoint), about, Path(out))
    return checkpoint


def _checkpoint(path: Path) -> Path:
    if (path / CHECKPOINT).is_file():
        return path
    newest = next(iter(checkpoints_of(path / CHECKPOINTS)), None)
    if newest is None:
        raise UsageError(
            f"{path}: neither a checkpoint nor a run with one", f"a run has {CHECKPOINTS}/step-…, as `pretrain` made it"
        )
    return newest


def _check_files(checkpoint: Path) -> None:
    for name, entry in sorted(read_header(checkpoint)[1].items()):
        file = checkpoint / name
        if not file.is_file() or sha256_of(file) != entry["sha256"]:
            state = "damaged (its sha256 is not that of checkpoint.json)" if file.is_file() else "missing"
            raise WikiprepError(f"{file}: {state}", "export an earlier checkpoint of the run, or a copy of this one")
