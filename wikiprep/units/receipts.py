"""A unit is finished when its receipt is there, and not before: the files are published first, the receipt last."""

import contextlib

import orjson

from wikiprep.counts import Count, in_json
from wikiprep.file_receipt import FileReceipt
from wikiprep.files import Store, sha256_of
from wikiprep.progress import Advance, ignore_progress
from wikiprep.units.unit import Result, Unit

DAMAGE = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
)  # in reading a JSON file of ours that is not as it was


def receipt_path(stage: str, unit: str) -> str:
    """Where a unit's receipt lies in the output."""
    return f"_state/{stage}/units/{unit}.json"


def save_receipt(store: Store, unit: Unit, result: Result) -> None:
    """Declare the unit finished."""
    data = {
        "fingerprint": unit.fingerprint,
        "rules": unit.rules,
        "version": unit.version,
        "unit": result.unit,
        "files": [{"path": f.path, "size": f.size, "sha256": f.sha256} for f in result.files],
        "counts": in_json(result.counts),
        "facts": result.facts,
    }
    store.write(receipt_path(unit.stage, unit.name), orjson.dumps(data, option=orjson.OPT_SORT_KEYS))


def load_receipt(store: Store, unit: Unit) -> Result | None:
    """The result of a unit that is finished for this fingerprint and whose files are there in full size, else None."""
    path = receipt_path(unit.stage, unit.name)
    if store.size(path) is None:
        return None
    try:
        data = orjson.loads(store.read(path))
        files = [FileReceipt(f["path"], f["size"], f["sha256"]) for f in data["files"]]
        counts = {Count(key): n for key, n in data["counts"].items()}
        result = Result(data["unit"], files, counts, data["facts"])
        is_current = data["fingerprint"] == unit.fingerprint
    except DAMAGE:
        return None
    return result if is_current and all(store.size(f.path) == f.size for f in files) else None


def damaged_file(store: Store, result: Result, advance: Advance = ignore_progress) -> str | None:
    """The first file of a finished unit that is not what its receipt says, by its sum; None where all are.

    A remote file is checked when it is fetched (`Store.fetch`), not here: it would be read twice.
    """
    if not store.is_local:
        return None
    hashed_files = (f for f in result.files if f.sha256)
    return next((f.path for f in hashed_files if sha256_of(store.fetch(f.path), advance) != f.sha256), None)


def forget_unit(store: Store, unit: Unit) -> None:
    """Let it be done again. Its files stay until then."""
    store.remove(receipt_path(unit.stage, unit.name))


def forget_stage(store: Store, stage: str) -> None:
    """Remove a stage's files, receipts and plan; the plan last, so that a kill in between does it again."""
    plan = f"_state/{stage}/plan.json"
    for receipt in store.list(f"_state/{stage}/units"):
        with contextlib.suppress(*DAMAGE):
            for file in orjson.loads(store.read(receipt))["files"]:
                store.remove(file["path"])
        store.remove(receipt)
    for path in store.list(f"_state/{stage}"):
        if path != plan:
            store.remove(path)
    store.remove(plan)
