"""What a build notes of its input: the stage `inputs` gives it, later stages read it, and the manifest has it.

Apart from all three, since the manifest is below the stages; and no part of `manifest.py`, which is no stage's rule.
"""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class InputFile:
    """Of a unit, and a line of the manifest: a file of the input as it was read. `size` in bytes, `sha256` in hex."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, kw_only=True, slots=True)
class InputFacts:
    """Of all units; it stands in the manifest. `language`: whose rules hold.

    Where the input is a dump: what its header says of the wiki (`site`, the texts of `Siteinfo` by their names), what
    is absent of it, and its known damage (`WholeDump`); None: nothing.
    """

    files: list[InputFile]
    language: str
    site: dict[str, str] | None = None
    missing_parts: list[str] | None = None
    known_damage: list[str] | None = None

    def of_site(self, name: str) -> str | None:
        """What the header says, such as "dbname" or "base"; None where there is no header, or nothing of it in it."""
        return None if self.site is None else self.site.get(name)
