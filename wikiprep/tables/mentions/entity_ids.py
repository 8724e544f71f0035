"""What an entity is called in an export: its Wikidata item, or its title."""

from collections.abc import Callable

from wikiprep.files import Store
from wikiprep.tables.page_qids import Qids

Named = Callable[[str, int | None], str | None]  # title and page id -> identifier, None for an entity without one


def entity_namer(store: Store, ids: str | None) -> tuple[str, Named]:
    """`ids`: "qid", "title", or None for items where the corpus has any. Gives which it is, and the names."""
    if ids == "title":
        return "title", lambda title, _: title
    qids = Qids(store)
    if ids is None and not qids:
        return "title", lambda title, _: title
    return "qid", lambda _, page: qids.of(page)
