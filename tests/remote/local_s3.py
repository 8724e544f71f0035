"""An empty bucket of the local S3 server that conftest.py starts."""

import json
import uuid
from dataclasses import dataclass
from pathlib import Path

from wikiprep.files import Store


@dataclass(frozen=True)
class S3:
    """`url` of an empty bucket; `rules`: see faulty_moto.py."""

    url: str
    rules: Path

    def faults(self, *rules: tuple[str, int, int | str]) -> None:
        """(text in "METHOD path?query", how often, status of the answer or "slow"); those of before are over."""
        told = [{"id": uuid.uuid4().hex, "has": has, "times": times, "do": do} for has, times, do in rules]
        part = self.rules.with_suffix(".part")
        part.write_text(json.dumps(told))
        part.replace(self.rules)

    def met(self) -> int:
        """How many faults the rules of now have made."""
        log = self.rules.with_name("moto.log").read_text()
        return sum(log.count(f"fault {rule['id']}\n") for rule in json.loads(self.rules.read_text()))

    def store(self, scratch: Path) -> Store:
        """A store in the bucket."""
        return Store(f"{self.url}/out", str(scratch))
