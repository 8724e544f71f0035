"""templates.parquet: how often each template of the dump was rendered as text or dropped."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

TEMPLATES = "templates.parquet"


def template_schema() -> pa.Schema:
    """One row a template, most dropped first. Counts are calls in documents."""
    return pa.schema(
        [("name", pa.string()), ("rendered", pa.int64()), ("dropped", pa.int64())],
        metadata={b"wikiprep.schema": b"templates/1"},
    )


def merge_templates(partials: Sequence[str | Path], out_dir: str | Path) -> dict[str, int]:
    """Write TEMPLATES into `out_dir` from the units' own tables; some 100,000 names fit in memory for any wiki.

    Returns the sums: templates.{found,rendered,dropped}.
    """
    rendered: Counter[str] = Counter()
    dropped: Counter[str] = Counter()
    for path in partials:
        table = pq.read_table(path)
        for name, some, others in zip(*(table[i].to_pylist() for i in range(3)), strict=True):
            rendered[name] += some
            dropped[name] += others
    names = sorted(rendered, key=lambda name: (-dropped[name], -rendered[name], name))
    columns = [names, [rendered[name] for name in names], [dropped[name] for name in names]]
    arrays = [pa.array(values, field.type) for values, field in zip(columns, template_schema(), strict=True)]
    pq.write_table(
        pa.Table.from_arrays(arrays, schema=template_schema()), Path(out_dir) / TEMPLATES, compression="zstd"
    )
    sums = {"templates.rendered": rendered.total(), "templates.dropped": dropped.total()}
    return {"templates.found": sum(sums.values()), **sums}
