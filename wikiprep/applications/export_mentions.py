"""Writes an export of the mention table and says what is in it."""

import pyarrow.parquet as pq

from wikiprep.files import Store, whole_file, whole_path
from wikiprep.runtime.output_paths import must_be_outside
from wikiprep.tables.mentions.export import REL_CANDIDATES, names_of, write_rel, write_tsv
from wikiprep.tables.mentions.table import MentionTable
from wikiprep.terminal.command_progress import show_progress
from wikiprep.terminal.wording import plural
from wikiprep.verbosity import tell

_TABLE = "tables/mentions.parquet"


def export_mentions(corpus: str, form: str, target: str, most: int | None, min_link_probability: float) -> None:
    """Write `target` in the form "rel" or "tsv". Raises WikiprepError for a corpus without mention statistics."""
    must_be_outside(target, corpus)
    MentionTable.open(corpus)  # says what is missing
    source = Store(corpus).fetch(_TABLE)
    row_count = pq.read_metadata(source).num_rows
    with show_progress(target=target) as progress, progress.part("names", row_count, "row") as advance:
        if form == "rel":
            with whole_path(target) as path:
                name_rows = names_of(source, most or REL_CANDIDATES, min_link_probability, advance)
                names, rows = write_rel(path, name_rows)
        else:
            with whole_file(target) as file:
                names, rows = write_tsv(file, names_of(source, most, min_link_probability, advance))
    tell(f"{target}: {plural(names, 'name')}, {plural(rows, 'candidate')}")
