"""What makes two commands one run: options that decide the result, the records, and what the family reads beside."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from wikiprep.errors import UsageError
from wikiprep.pretrain.config import SECTIONS, PretrainConfig, StageConfig, may_change
from wikiprep.pretrain.family import Family
from wikiprep.records.training_corpus import ENTITIES, TrainingCorpus

_OF_CORPORA = ("records", "tokenizer files", "entity ids")


def identity_of(config: PretrainConfig, corpora: Sequence[TrainingCorpus], family: Family) -> dict[str, Any]:
    """What must be the same for two runs to be one, as JSON gives it back."""
    return identity_of_options(config, [{"url": corpus.url, **_digests(corpus)} for corpus in corpora], family)


def identity_of_options(config: PretrainConfig, corpora: Sequence[dict[str, str]], family: Family) -> dict[str, Any]:
    """The same of anything that is trained on.

    Of each its url, and digests named "records", "tokenizer files" and "entity ids".
    """
    data = {"options": _deciding_options(config), "corpora": list(corpora), "family": family.identity()}
    identity: dict[str, Any] = json.loads(json.dumps(data))
    return identity


def reconcile_identity(
    folder: Path, before: dict[str, Any], now: dict[str, Any], *, may_grow: bool = False
) -> dict[str, Any]:
    """`now`, with what is gone as it was `before`. Raises UsageError where they are not one run.

    `may_grow`: a run may go on to be longer than it was begun, see `is_longer_run`. An option that there was not yet
    when the run was begun had its default.
    """
    options = _update_options(before["options"])
    hint = "give the run's own configuration and corpora, another --output, or --overwrite to begin anew"
    # By the mean of losses goes which of the others may change: it comes first.
    for name in sorted({*options, *now["options"]}, key=lambda name: (name != "training.loss_mean", name)):
        old, new = (side.get(name, "nothing") for side in (options, now["options"]))
        if old != new and not (may_grow and name == "stages" and is_longer_run(old, new)):
            raise UsageError(
                f"{folder}: holds a run with {name} = {_shorten(old)}, and this one has {_shorten(new)}", hint
            )
    for what in _OF_CORPORA:
        old, new = ([corpus.get(what) for corpus in side["corpora"]] for side in (before, now))
        if old != new:
            urls = ", ".join(corpus["url"] for corpus in before["corpora"])
            raise UsageError(f"{folder}: holds a run on other {what} ({urls} as it was then)", hint)
    previous_family, family = before.get("family", {}), dict(now["family"])
    for name in sorted({*previous_family, *family}):
        family[name] = family.get(name) or previous_family.get(name, "")
        if previous_family.get(name) and previous_family[name] != family[name]:
            raise UsageError(f"{folder}: holds a run with another {name}: its content has changed since", hint)
    return now | {"family": family}


def is_longer_run(before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> bool:
    """Whether stages are those of `before` with more steps in the last one, or with others behind it, or both.

    With the steps of a stage its rise may grow, which `warmup_ratio` makes of them.
    """
    if len(now) < len(before) or list(now[: len(before) - 1]) != list(before[:-1]):
        return False
    old, new = before[-1], now[len(before) - 1]
    if any(old[name] != new[name] for name in old if name not in ("steps", "warmup_steps")):
        return False
    return bool(new["steps"] > old["steps"] or new == old)


def _digests(corpus: TrainingCorpus) -> dict[str, str]:
    """Of the records, in the order of their numbers, and of the files that say what their ids mean."""
    tokenizer = sorted(name for name in corpus.digests if name.startswith("tokenizer/") and name != ENTITIES)
    names = ([shard.name for shard in corpus.shards], tokenizer, [ENTITIES] if ENTITIES in corpus.digests else [])
    return {what: _digest(corpus, files) for what, files in zip(_OF_CORPORA, names, strict=True)}


def _digest(corpus: TrainingCorpus, names: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(f"{name} {corpus.digests[name]}" for name in names).encode()).hexdigest()


def _deciding_options(config: PretrainConfig) -> dict[str, Any]:
    """All options by name, as JSON gives them back; those that may change are at their default."""
    options: dict[str, Any] = json.loads(json.dumps(_flatten(asdict(may_change(config)))))
    return options


def _update_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """What an earlier version wrote of a run, as this one would.

    Missing options, and those that may change, at the defaults of today. Options of a family, and what is no option any
    more, stay as they are.
    """
    config, trainer_names = PretrainConfig(), set[str]()
    for section in SECTIONS:
        names = {field.name for field in fields(getattr(config, section))}
        section_options = {name: options[f"{section}.{name}"] for name in names if f"{section}.{name}" in options}
        config = replace(config, **{section: replace(getattr(config, section), **section_options)})
        trainer_names |= {f"{section}.{name}" for name in section_options}
    other_options = {name: value for name, value in options.items() if name not in trainer_names}
    if "stages" in options:
        other_options["stages"] = [asdict(StageConfig()) | stage for stage in options["stages"]]
    config_options = {
        name: value for name, value in _deciding_options(config).items() if name.partition(".")[0] in SECTIONS
    }
    return config_options | other_options


def _flatten(options: Any, prefix: str = "") -> dict[str, Any]:
    if not isinstance(options, dict):
        return {prefix: options}
    return {
        name: value
        for key, inner in options.items()
        for name, value in _flatten(inner, f"{prefix}.{key}".lstrip(".").removeprefix("tables.")).items()
    }


def _shorten(value: Any) -> str:
    return json.dumps(value)[:200]
