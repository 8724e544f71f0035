"""Which dump an output was begun with, in its `_state/download.json`: "latest" is another one next month.

With it the same command goes on with the same files, and needs no network where they are all there.
"""

from collections.abc import Sequence
from typing import Any

import orjson

from wikiprep.download.remote_file import FileSet, RemoteFile
from wikiprep.files import Store

PATH = "_state/download.json"


def read_pinned(store: Store, wiki: str, day: str | None) -> list[FileSet]:
    """The files noted for this output, of that wiki and, where one is given, that day; none where it was another."""
    try:
        data = orjson.loads(store.read(PATH))
        file_sets = [_from_plain(it) for it in data["found"]]
        return file_sets if data["wiki"] == wiki and day in (None, file_sets[0].date) else []
    except (FileNotFoundError, ValueError, KeyError, TypeError, IndexError):
        return []


def pin(store: Store, wiki: str, file_sets: Sequence[FileSet]) -> None:
    """Note what the output is made of."""
    store.write(
        PATH, orjson.dumps({"wiki": wiki, "found": [_to_plain(it) for it in file_sets]}, option=orjson.OPT_INDENT_2)
    )


def _to_plain(file_set: FileSet) -> dict[str, Any]:
    return {
        "date": file_set.date,
        "servers": file_set.servers,
        "texts": {name: text.decode("latin-1") for name, text in file_set.texts.items()},
        "files": [{name: getattr(file, name) for name in RemoteFile.__dataclass_fields__} for file in file_set.files],
    }


def _from_plain(plain: dict[str, Any]) -> FileSet:
    texts = {name: text.encode("latin-1") for name, text in plain["texts"].items()}
    return FileSet(tuple(RemoteFile(**file) for file in plain["files"]), texts, plain["date"], tuple(plain["servers"]))
