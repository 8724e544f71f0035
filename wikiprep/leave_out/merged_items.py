"""Listed items as they are called now: evaluation sets are of another year, and many of their items were merged since.

Triples, records and pages have the item that an old one was merged into, so lists are compared by that.
"""

from dataclasses import replace

from wikiprep.leave_out.lists import FACT_KINDS, Entry
from wikiprep.wikidata.merged_ids import MergedIds


def with_current_items(entry: Entry, merged: MergedIds) -> Entry:
    """The entry with every item replaced by the one that it was merged into; of titles, ids and sentences the same."""
    if entry.kind != "qid" and entry.kind not in FACT_KINDS:
        return entry
    names = (f"Q{merged.item(int(name[1:]))}" if name[0] == "Q" else name for name in entry.value.split())
    return replace(entry, value=" ".join(names))
