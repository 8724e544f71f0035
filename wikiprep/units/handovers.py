"""What units and stages hand on beside files and counts: dataclasses, each declared by the stage that gives it.

They travel as JSON (receipts, commit.json, the manifest), so their fields are JSON values. A field that is None is left
out there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

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


def to_json(facts: Any) -> dict[str, Any]:
    """The fields of a dataclass of facts, without those that are None."""
    values = {field.name: getattr(facts, field.name) for field in fields(facts)}
    return {name: value for name, value in values.items() if value is not None}


def from_json(kind: type[Facts], facts: Mapping[str, Any]) -> Facts:
    """The facts of a `Result` or `Commit` as the dataclass that they were. Raises TypeError for those of another."""
    return kind(**facts)


def folder_of(earlier: Mapping[str, "Commit"], stage: str) -> str | None:
    """The folder of a stage's tables, relative to the output; None where the stage is no part of the build."""
    return str(earlier[stage].facts["folder"]) if stage in earlier else None
