"""What a checkpoint folder is: safetensors files, and `checkpoint.json`, written last, with the checksum of each.

    RUN/checkpoints/step-00002000/checkpoint.json, shard-….safetensors

A folder gets this name by a rename when all in it is on disk; what a killed run left has a name that starts with a dot.
"""

import json
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from wikiprep.errors import WikiprepError

CHECKPOINT = "checkpoint.json"
SCHEMA = "checkpoint/1"
_PREFIX = "step-"
_HINT = "remove this folder to go on from the one before it, or take it from a copy"


@dataclass(frozen=True)
class Header:
    """Where training stood. `position`: of the stream, where the next global batch begins."""

    step: int  # optimiser steps done in all
    position: int
    stage: int  # whose optimiser state is in it, from 0
    stage_step: int
    world: int  # ranks that wrote it; any number can read it
    versions: dict[str, str]
    skipped: tuple[tuple[int, int], ...] = ()  # ranges of the stream that are left out: first, and behind the last


def folder_name(step: int) -> str:
    """The folder of a step."""
    return f"{_PREFIX}{step:08d}"


def checkpoints_of(folder: Path) -> list[Path]:
    """Finished checkpoints, newest first, whole or not."""
    paths = [path for path in folder.glob(f"{_PREFIX}*") if path.name.removeprefix(_PREFIX).isdigit()]
    return sorted(paths, key=_step_of, reverse=True)


def write_header(folder: Path, header: Header, files: dict[str, dict[str, Any]]) -> None:
    """`files`: size and sha256 by name."""
    data = {"schema": SCHEMA, **asdict(header), "files": files}
    (folder / CHECKPOINT).write_text(json.dumps(data, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def read_header(folder: Path) -> tuple[Header, dict[str, dict[str, Any]]]:
    """The header and the files with their sizes and checksums. Raises WikiprepError where it is no whole one."""
    path = folder / CHECKPOINT
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data.pop("schema") != SCHEMA:
            raise WikiprepError(f"{path}: not of this version of wikiprep ({SCHEMA})", _HINT)
        files = data.pop("files")
        data["skipped"] = tuple((int(first), int(stop)) for first, stop in data.get("skipped", ()))
        return Header(**data), files
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise WikiprepError(f"{path}: cannot be read ({error})", _HINT) from error


def remove_old(folder: Path, step: int, keep: int) -> None:
    """Delete all but the newest `keep` up to `step`, which was just written, and what killed runs left.

    Those of later steps are damaged ones that were passed over: they do not take the place of whole ones, and go when
    training has come past them.
    """
    up_to_step = [path for path in checkpoints_of(folder) if _step_of(path) <= step]
    for path in (*up_to_step[keep:], *folder.glob(f".{_PREFIX}*")):
        shutil.rmtree(path, ignore_errors=True)


def _step_of(path: Path) -> int:
    return int(path.name.removeprefix(_PREFIX))
