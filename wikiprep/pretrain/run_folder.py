"""The folder of a run: what is in it, whose it is, and whether a command goes on with it.

RUN/config.toml  run.json  about/  log.jsonl  checkpoints/step-…/  tensorboard/  wandb/
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store, whole_file
from wikiprep.pretrain.checkpoint.folder import checkpoints_of
from wikiprep.pretrain.config import PretrainConfig
from wikiprep.pretrain.config_toml import HEAD, dump_config
from wikiprep.pretrain.family import Family
from wikiprep.pretrain.log import LOG, note_plainly
from wikiprep.pretrain.metric_boards import TENSORBOARD, WANDB
from wikiprep.pretrain.run_identity import reconcile_identity
from wikiprep.runtime.output_folder import must_be_outside, output_lock

RUN = "run.json"
CONFIG = "config.toml"
EXPORTED_CONFIG = "pretrain.toml"  # the same in an export: which pages were held out, and what was masked
CHECKPOINTS = "checkpoints"
ABOUT = "about"
SCHEMA = "run/1"
_FOLDERS = (CHECKPOINTS, ABOUT, TENSORBOARD, WANDB)


def must_be_run_folder(output: str, corpora: Sequence[str]) -> None:
    """Raises UsageError where a run cannot be written: elsewhere than on a disk, in a corpus, or around one."""
    if "://" in output:
        raise UsageError(f"{output}: a run is written to a disk", "give a folder that all ranks see")
    must_be_outside(output, *corpora)
    for corpus in corpora:
        root = Store(corpus).root
        for name in _FOLDERS:
            if root is not None and root.resolve().is_relative_to((Path(output) / name).resolve()):
                raise UsageError(f"{corpus}: is where the run {output} has its {name}", "give another --output")


@contextmanager
def lock_run_folder(folder: Path) -> Iterator[None]:
    """Hold the folder; raises WikiprepError where another run writes there."""
    try:
        with output_lock(Store(str(folder))):
            yield
    except WikiprepError as error:
        if "another build" in error.what:
            raise WikiprepError(error.what.replace("another build", "another run"), error.hint) from None
        raise


def goes_on(folder: Path) -> bool:
    """Whether there is a checkpoint to go on from, whole or not; a run without one begins anew."""
    return bool(checkpoints_of(folder / CHECKPOINTS))


def claim(
    folder: Path,
    config: PretrainConfig,
    identity: dict[str, Any],
    family: Family,
    overwrite: bool,
    *,
    may_grow: bool = False,
) -> None:
    """Make the folder ready for a run, or to go on with the one of this `identity` (see `identity_of`) that it has.

    What a run left that came to no checkpoint is cleared away. Raises UsageError where the folder has another run,
    naming the first difference, or files of these names that are no run's. `may_grow`: see `reconcile_identity`.
    """
    path = folder / RUN
    if overwrite or not goes_on(folder):
        _clear(folder)
    else:
        before = _read_identity(path)
        identity = reconcile_identity(folder, before, identity, may_grow=may_grow)
        old, new = (_total_steps(side) for side in (before, identity))
        if old != new:
            note_plainly(
                f"{folder}: was begun for {old:,} steps and goes on to {new:,}; what is left of a stage that is longer "
                "now has the learning rates of the longer one"
            )
    folder.mkdir(parents=True, exist_ok=True)
    with whole_file(folder / CONFIG) as file:  # first, since by it `_clear` knows what is ours
        file.write(dump_config(config).encode())
    (folder / CHECKPOINTS).mkdir(exist_ok=True)
    if not (folder / ABOUT).exists():
        part = folder / f".{ABOUT}"
        shutil.rmtree(part, ignore_errors=True)
        family.about(part)
        part.rename(folder / ABOUT)
    with whole_file(path) as file:
        file.write(json.dumps({"schema": SCHEMA, **identity}, indent=1).encode() + b"\n")


def _total_steps(identity: dict[str, Any]) -> int:
    return sum(int(stage["steps"]) for stage in identity["options"]["stages"])


def _clear(folder: Path) -> None:
    """Take a run's files out, if it is a run's folder; others stay. Raises UsageError for our names without a run."""
    if _is_run_file(folder / RUN) or _begins_with(folder / CONFIG, HEAD):
        for name in _FOLDERS:
            shutil.rmtree(folder / name, ignore_errors=True)
        for name in (LOG, RUN, CONFIG):
            (folder / name).unlink(missing_ok=True)
    for name in (*_FOLDERS, LOG, CONFIG, RUN):
        if (folder / name).exists():
            raise UsageError(
                f"{folder / name}: is of no run of pretrain, and would be overwritten", "give another --output"
            )


def _is_run_file(path: Path) -> bool:
    """A corpus has a `run.json` and a `config.toml` of its own."""
    try:
        return str(json.loads(path.read_bytes())["schema"]).startswith(SCHEMA.partition("/")[0] + "/")
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _begins_with(path: Path, line: str) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(line.encode())) == line.encode()
    except OSError:
        return False


def _read_identity(path: Path) -> dict[str, Any]:
    try:
        identity: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if identity["schema"] != SCHEMA:
            raise UsageError(f"{path}: of another version of wikiprep ({identity['schema']})", "give another --output")
        return identity
    except OSError as error:
        raise WikiprepError(
            f"{path}: cannot be read ({error.strerror}), and without it nothing says which run the checkpoints are of",
            "put it back, give another --output, or begin anew with --overwrite",
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        raise WikiprepError(f"{path}: cannot be read ({error})", "begin anew with --overwrite") from error
