"""manifest.json, which says what a corpus is and was made from: reading it. `runtime/write_manifest.py` writes it."""

from typing import Any

import orjson

from wikiprep.errors import UsageError, WikiprepError, no_folder
from wikiprep.files import Store

MANIFEST = "manifest.json"
SCHEMA = "manifest/1"


def read_manifest(store: Store) -> dict[str, Any]:
    """The manifest of a corpus; raises WikiprepError where there is none."""
    try:
        data = orjson.loads(store.read(MANIFEST))
    except FileNotFoundError as error:
        if store.root is not None and not store.root.is_dir():
            raise no_folder(store.url) from error
        if store.size("_state/inputs/plan.json") is not None or store.list("articles"):
            hint = "the build is not finished, or the file is lost: give its command again"
            raise WikiprepError(f"{store.url}/{MANIFEST}: no such file", hint) from error
        raise UsageError(
            f"{store.url}: is no corpus (no {MANIFEST} in it)", "give the folder of a corpus that wikiprep made"
        ) from error
    except orjson.JSONDecodeError as error:
        raise WikiprepError(f"{store.url}/{MANIFEST}: not JSON ({error})", "the file is damaged") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise WikiprepError(f"{store.url}/{MANIFEST}: not a manifest of this version of wikiprep ({SCHEMA})")
    return data
