"""`WriteArrow`: records as shards that a training run reads."""

from collections.abc import Iterable
from pathlib import Path

import apache_beam as beam
import pyarrow as pa

from wikiprep.corpus.schema import RECORDS
from wikiprep.corpus.shards import ShardWriter, open_shard
from wikiprep.errors import WikiprepError
from wikiprep.pipelines.transforms.elements import PageRecords, WrittenPart
from wikiprep.pipelines.transforms.whole_parts import Parts, WriteParts
from wikiprep.storage.tables import check_schema

__all__ = ["WriteArrow"]


class _Shards(Parts):
    transform, kind, folder, suffix = "WriteArrow", PageRecords, "records", ".arrow"

    def write(self, path: Path, elements: Iterable[PageRecords]) -> int:
        schema: pa.Schema | None = None
        writer: ShardWriter | None = None
        rows = 0
        for element in elements:
            batch_schema = element.batch.schema
            if writer is None:
                check_schema(batch_schema, RECORDS, element.place.name)
                schema, writer = batch_schema, ShardWriter(path, batch_schema)
            if not batch_schema.equals(schema, check_metadata=True):
                raise WikiprepError(
                    f"{element.place.name}: records of two schemas, {batch_schema.names} and "
                    f"{schema.names if schema else []}",
                    "give all records the same columns",
                )
            writer.write(element.batch)
            rows += element.batch.num_rows
        assert writer is not None  # a part has elements
        writer.close()
        return rows

    def write_empty(self, path: Path, like: Path) -> None:
        ShardWriter(path, open_shard(like).schema).close()


@beam.typehints.with_input_types(PageRecords)
@beam.typehints.with_output_types(WrittenPart)
class WriteArrow(WriteParts):
    """`PageRecords` to `OUTPUT/records/part-00000-of-00431.arrow`, in the order of the dump.

    Gives a `WrittenPart` for each file, once all are there.

    Args:
        output: a folder that all workers share, or gs://, s3://, hdfs://.
        overwrite: put the parts in the place of those that are there.

    Raises:
        WikiprepError: for a folder with records, without `overwrite`; for a PCollection that never ends.
    """

    parts = _Shards()
