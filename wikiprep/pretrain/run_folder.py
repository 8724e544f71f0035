"""The folder of a run: what is in it, whose it is, and whether a command goes on with it.

RUN/config.toml  run.json  about/  log.jsonl  checkpoints/step-…/  tensorboard/
"""

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import Store, whole_file
from wikiprep.local.lock import output_lock
from wikiprep.pretrain.config import PretrainConfig, may_change
from wikiprep.pretrain.config_toml import dump_config
from wikiprep.pretrain.data.corpus import TrainingCorpus
from wikiprep.pretrain.family import Family

RUN = "run.json"
CONFIG = "config.toml"
CHECKPOINTS = "checkpoints"
ABOUT = "about"
SCHEMA = "run/1"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder; raises WikiprepError where another run writes there."""
    try:
        with output_lock(Store(str(folder))):
            yield
    except WikiprepError as error:
        if "another build" in error.what:
            raise WikiprepError(error.what.replace("another build", "another run"), error.hint) from None
        raise


def claim(
    folder: Path, config: PretrainConfig, corpora: Sequence[TrainingCorpus], family: Family, overwrite: bool
) -> None:
    """Make the folder ready for a run, or to go on with the one of this configuration on these corpora that it has.

    Raises UsageError where it has another run, naming the first difference.
    """
    identity = _identity(config, corpora)
    path = folder / RUN
    if overwrite and path.exists():
        for name in (CHECKPOINTS, ABOUT, "tensorboard"):
            shutil.rmtree(folder / name, ignore_errors=True)
        for name in (RUN, CONFIG, "log.jsonl"):
            (folder / name).unlink(missing_ok=True)
    if path.exists():
        _compare(folder, _read(path), identity)
    (folder / CHECKPOINTS).mkdir(parents=True, exist_ok=True)
    if not (folder / ABOUT).exists():
        part = folder / f".{ABOUT}"
        shutil.rmtree(part, ignore_errors=True)
        family.about(part)
        part.rename(folder / ABOUT)
    with whole_file(folder / CONFIG) as file:
        file.write(dump_config(config).encode())
    with whole_file(path) as file:
        file.write(json.dumps({"schema": SCHEMA, **identity}, indent=1).encode() + b"\n")


def _identity(config: PretrainConfig, corpora: Sequence[TrainingCorpus]) -> dict[str, Any]:
    """What must be the same for two runs to be one, as JSON gives it back."""
    data = {
        "options": _flat(asdict(may_change(config))),
        "corpora": [{"url": corpus.url, "sha256": _digest(corpus)} for corpus in corpora],
    }
    made: dict[str, Any] = json.loads(json.dumps(data))
    return made


def _digest(corpus: TrainingCorpus) -> str:
    """Of the records, in the order of their numbers, and of what their ids mean."""
    names = [shard.name for shard in corpus.shards] + sorted(n for n in corpus.digests if n.startswith("tokenizer/"))
    lines = [f"{name} {corpus.digests[name]}" for name in names]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _flat(options: Any, prefix: str = "") -> dict[str, Any]:
    if not isinstance(options, dict):
        return {prefix: options}
    return {
        name: value
        for key, inner in options.items()
        for name, value in _flat(inner, f"{prefix}.{key}".lstrip(".").removeprefix("tables.")).items()
    }


def _read(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if found["schema"] != SCHEMA:
            raise UsageError(f"{path}: of another version of wikiprep ({found['schema']})", "give another --output")
        return found
    except (ValueError, KeyError, TypeError) as error:
        raise WikiprepError(f"{path}: cannot be read ({error})", "begin anew with --overwrite") from error


def _compare(folder: Path, before: dict[str, Any], now: dict[str, Any]) -> None:
    hint = "give the run's own configuration and corpora, another --output, or --overwrite to begin anew"
    for name in sorted({*before["options"], *now["options"]}):
        old, new = (side["options"].get(name, "nothing") for side in (before, now))
        if old != new:
            raise UsageError(f"{folder}: holds a run with {name} = {_short(old)}, and this one has {_short(new)}", hint)
    old, new = ([corpus["sha256"] for corpus in side["corpora"]] for side in (before, now))
    if old != new:
        urls = ", ".join(corpus["url"] for corpus in before["corpora"])
        raise UsageError(f"{folder}: holds a run on other records ({urls} as it was then)", hint)


def _short(value: Any) -> str:
    return json.dumps(value)[:200]
