"""The mention table from its first row to its last, with the rows at which a new name starts."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from wikiprep.report.corpus import Corpus

MENTIONS = "tables/mentions.parquet"


def first_rows(corpus: Corpus, columns: Sequence[str]) -> Iterator[tuple[npt.NDArray[np.bool_], pa.RecordBatch]]:
    """Batches with `name` and `columns`, each with a mask of the first row of each name: its most linked target."""
    last: str | None = None
    for batch in corpus.batches(MENTIONS, ["name", *columns]):
        names = batch["name"]
        if not len(names):
            continue
        first = np.ones(len(names), np.bool_)
        first[1:] = pc.not_equal(names[1:], names[:-1]).to_numpy(zero_copy_only=False)
        first[0] = names[0].as_py() != last
        last = names[-1].as_py()
        yield first, batch
