"""A user's own template table, as it travels to workers: its lines, so that no worker needs the file."""

from dataclasses import dataclass
from hashlib import sha256


@dataclass(frozen=True, slots=True)
class OwnTable:
    """The lines of a table file, blank ones left out; `read_own_table` makes one."""

    lines: tuple[str, ...]

    @property
    def identity(self) -> dict[str, object]:
        """What the file says, for a fingerprint: neither its name nor where it lies."""
        text = "\n".join(self.lines)
        return {"lines": len(self.lines), "sha256": sha256(text.encode()).hexdigest()}
