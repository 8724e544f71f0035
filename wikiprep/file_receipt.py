"""What is known of a published file."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FileReceipt:
    """A published file: path relative to the output, size in bytes, sha256 in hex."""

    path: str
    size: int
    sha256: str
