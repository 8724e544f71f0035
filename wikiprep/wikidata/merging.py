"""Sorted runs as one sorted stream of tables, a range of keys at a time: memory is bounded by the size of a range."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wikiprep.errors import WikiprepError

Keys = npt.NDArray[np.uint64]


def open_run(path: Path) -> pa.Table:
    """A run, memory-mapped. Raises WikiprepError where it is gone or not whole."""
    try:
        with pa.memory_map(str(path)) as source, pa.ipc.open_file(source) as reader:
            return reader.read_all()
    except (FileNotFoundError, pa.ArrowInvalid) as error:
        raise WikiprepError(f"{path}: not a whole file of a Wikidata unit ({error})", "run the build again") from error


def merge_runs(
    runs: Sequence[Path], key: str, rows: int, shift: int = 0
) -> Iterator[tuple[pa.Table, npt.NDArray[np.int32]]]:
    """Tables of about `rows` rows each, sorted by the whole-number column `key`, with the run that each row is of.

    Rows of one key stay in the order of `runs`, and within a run in its order. Keys that agree but for their lowest
    `shift` bits are never in two tables.
    """
    edges = _edges(runs, key, rows, shift)
    for low, high in zip([None, *edges], [*edges, None], strict=True):
        parts, of_run = [], []
        for number, path in enumerate(runs):
            table = open_run(path)
            keys = _keys(table, key)
            start = 0 if low is None else int(keys.searchsorted(low))
            end = len(keys) if high is None else int(keys.searchsorted(high))
            if end > start:
                parts.append(table.slice(start, end - start))
                of_run.append(np.full(end - start, number, np.int32))
        if not parts:
            continue
        table = pa.concat_tables(parts)
        order = np.argsort(_keys(table, key), kind="stable")
        yield table.take(pa.array(order)), np.concatenate(of_run)[order]


def _edges(runs: Sequence[Path], key: str, rows: int, shift: int) -> list[np.uint64]:
    """Keys that cut all rows into ranges of about `rows`, from a sample of every run."""
    step = max(1, rows // (4 * max(1, len(runs))))
    samples = [_keys(open_run(path), key)[::step].copy() for path in runs]
    sample = np.sort(np.concatenate(samples)) if samples else np.empty(0, np.uint64)
    cuts = sample[rows // step :: max(1, rows // step)] >> np.uint64(shift) << np.uint64(shift)
    return list(np.unique(cuts))


def _keys(table: pa.Table, key: str) -> Keys:
    keys: Keys = table[key].combine_chunks().to_numpy().astype(np.uint64, copy=False)
    return keys
