"""What units and stages hand on beside files and counts: dataclasses, each declared by the stage that gives it.

They travel as JSON (receipts, commit.json, the manifest), so their fields are JSON values, dataclasses of these, or
lists of such dataclasses. A field that is None is left out there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin

if TYPE_CHECKING:
    from wikiprep.units.stage import Commit

Facts = TypeVar("Facts")


@dataclass(frozen=True, kw_only=True)
class Warnings:
    """Lines for whoever runs the build, found by a unit and said by its stage."""

    warnings: list[str]


@dataclass(frozen=True, kw_only=True)
class Folder:
    """Where a stage's tables lie, relative to the output."""

    folder: str


@dataclass(frozen=True, kw_only=True)
class LostPages:
    """Pages that stopped the workers of a stage twice, as rows (`guard.LostPage`); it stands in the manifest."""

    lost_pages: list[list[Any]]


def to_json(facts: Any) -> dict[str, Any]:
    """The fields of a dataclass of facts, without those that are None."""
    values = {field.name: (field.type, getattr(facts, field.name)) for field in fields(facts)}
    return {
        name: _each(kind, value, lambda _, nested: to_json(nested))
        for name, (kind, value) in values.items()
        if value is not None
    }


def from_json(kind: type[Facts], facts: Mapping[str, Any]) -> Facts:
    """The facts of a `Result` or `Commit` as the dataclass that they were. Raises TypeError for those of another."""
    values = {
        field.name: _each(field.type, facts[field.name], from_json)
        for field in fields(kind)  # type: ignore[arg-type]
        if field.name in facts
    }
    return kind(**{**facts, **values})


def _each(kind: Any, value: Any, convert: Callable[[Any, Any], Any]) -> Any:
    """A field's value, with every dataclass that its type declares there converted."""
    if is_dataclass(kind):
        return convert(kind, value)
    if get_origin(kind) is list and is_dataclass(nested := get_args(kind)[0]):
        return [convert(nested, item) for item in value]
    return value


def folder_of(earlier: Mapping[str, "Commit"], stage: str) -> str | None:
    """The folder of a stage's tables, relative to the output; None where the stage is no part of the build."""
    return str(earlier[stage].facts["folder"]) if stage in earlier else None
