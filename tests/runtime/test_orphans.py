from pathlib import Path

from wikiprep.files import Store
from wikiprep.runtime.run_context import remove_orphans
from wikiprep.units.stage import Commit
from wikiprep.units.unit import Result


def test_parts_without_a_receipt_go_and_nothing_else(tmp_path: Path) -> None:
    store = Store(str(tmp_path))
    mine = store.write("articles/part-00000-of-00001.parquet", b"")
    table = store.write("tables/pages.parquet", b"")
    for path in ("tables/mentions.parquet", "tables/mentions/names.marisa", "tables/notes.txt"):
        store.write(path, b"")
    for path in ("articles/part-00003-of-00007.parquet", "articles/notes.txt", "records/part-00000-of-00007.arrow"):
        store.write(path, b"")
    commit = Commit((Result("u", [mine, table]),), {})
    assert remove_orphans(store, [commit]) == [
        "articles/part-00003-of-00007.parquet",
        "tables/mentions.parquet",
        "tables/mentions/names.marisa",
    ]
    assert store.list() == [
        "articles/notes.txt",
        "articles/part-00000-of-00001.parquet",
        "records/part-00000-of-00007.arrow",  # a stage that this run did not reach
        "tables/notes.txt",
        "tables/pages.parquet",
    ]
