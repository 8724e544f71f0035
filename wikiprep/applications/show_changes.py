"""The changes between two vocabularies on the terminal, or as JSON."""

import orjson
from rich.table import Table

from wikiprep.files import Store
from wikiprep.tables.vocabulary_changes import Changes, Entity, changes_between
from wikiprep.terminal.terminal import Terminal


def show_changes(old: str, new: str, top: int, as_json: bool) -> None:
    """Print the most linked of each kind (`top`, 0: all), or all of them as one JSON object."""
    changes = changes_between(Store(old), Store(new))
    if as_json:
        print(orjson.dumps(changes).decode())
        return
    console = Terminal(markup=False)
    counts = (len(changes.added), len(changes.removed), len(changes.renamed), changes.kept)
    console.print("{:,} entities added, {:,} removed, {:,} renamed, {:,} kept".format(*counts))
    for title, rows in _rows(changes).items():
        if rows:
            top_rows = rows[: top or None]
            table = Table(title=title, title_justify="left")
            table.add_column("entity", overflow="fold")
            table.add_column("page id", justify="right")
            table.add_column("links", justify="right")
            for name, entity in top_rows:
                page = "none" if entity.page_id is None else str(entity.page_id)
                table.add_row(name, page, f"{entity.count:,}")
            console.print(table)
            if len(top_rows) < len(rows):
                console.print(f"… {len(rows) - len(top_rows):,} more (--top 0 shows all)")


def _rows(changes: Changes) -> dict[str, list[tuple[str, Entity]]]:
    return {
        "Added": [(entity.title, entity) for entity in changes.added],
        "Removed": [(entity.title, entity) for entity in changes.removed],
        "Renamed": [(f"{before.title} -> {after.title}", after) for before, after in changes.renamed],
    }
