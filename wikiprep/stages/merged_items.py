"""Where the items lie that were merged into others: from the dump's own lines, wikidatawiki's tables, or nowhere."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from wikiprep.files import Store
from wikiprep.stages.stage_facts import WikidataFacts
from wikiprep.stages.wikidata_merged import FOLDER as OF_TABLES
from wikiprep.units.facts import folder_of, from_json
from wikiprep.units.stage import Commit

if TYPE_CHECKING:
    from wikiprep.wikidata.merged_ids import MergedIds  # pyarrow: planning needs it not

OF_BOTH = "_state/wikidata/tables"  # the tables' and the lines' together, where the dump has such lines


def merged_folder(earlier: Mapping[str, Commit]) -> str | None:
    """The folder of the table, relative to the output; None where the build knows of no merged item."""
    if "wikidata" in earlier and (folder := from_json(WikidataFacts, earlier["wikidata"].facts).merged):
        return folder
    return folder_of(earlier, "wikidata_merged")


def folder_in(store: Store) -> str | None:
    """The same of a finished corpus."""
    from wikiprep.wikidata.merged_ids import MERGED

    return next((folder for folder in (OF_BOTH, OF_TABLES) if store.size(f"{folder}/{MERGED}") is not None), None)


def open_merged(store: Store, folder: str | None) -> "MergedIds":
    """The table of `folder`; that of no merged item for None."""
    from wikiprep.wikidata.merged_ids import MERGED, MergedIds

    return MergedIds.open(store.fetch(f"{folder}/{MERGED}")) if folder else MergedIds.none()
