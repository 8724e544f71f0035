"""The parameters of build-corpus, extract, tables and records, as click has them, to the build that Python has too."""

from typing import Any

from wikiprep.api.building import run_build
from wikiprep.cli.engine_options import engine_options
from wikiprep.cli.options import sections_of


def build_from(parameters: dict[str, Any], until: str | None = None) -> None:
    """Run the build that the command's parameters describe, and print its summary."""
    sections = sections_of(parameters)
    run_build(parameters, sections, until, engine_options())
