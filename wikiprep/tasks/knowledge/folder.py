"""The folder of a graph's vectors, opened for a task."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wikiprep.errors import WikiprepError
from wikiprep.tasks.knowledge.given import Knowledge, Span


class _Titles:
    def __init__(self, names: Sequence[str]) -> None:
        self._rows = {name.casefold(): row for row, name in reversed(list(enumerate(names)))}

    def rows(
        self, text: str, offsets: Sequence[Span], tags: Sequence[tuple[int, int, str]] = ()
    ) -> npt.NDArray[np.int64]:
        words: list[int] = []
        for start, end in offsets:
            while start > 0 and text[start - 1].isalnum():
                start -= 1
            while end < len(text) and text[end].isalnum():
                end += 1
            words.append(self._rows.get(text[start:end].casefold(), -1))
        return np.array(words, np.int64)


def open_knowledge(folder: Path) -> Knowledge:
    """Raises WikiprepError where there is no such folder."""
    from safetensors.numpy import load_file

    try:
        about = json.loads((folder / "graph.json").read_text(encoding="utf-8"))
        tables = load_file(folder / "vectors.safetensors")
        names = (folder / "entities.txt").read_text(encoding="utf-8").splitlines()
        digest = hashlib.sha256((folder / "vectors.safetensors").read_bytes()).hexdigest()
    except (OSError, ValueError) as error:
        raise WikiprepError(
            f"{folder}: no vectors of a graph ({error})", "wikiprep kg-embed writes such a folder"
        ) from error
    entities = tables.pop("entities")
    return Knowledge(str(folder), about["model"], entities, tables, _Titles(names), digest)
