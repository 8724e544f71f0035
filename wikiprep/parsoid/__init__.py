"""HTML in the place of wikitext: snapshots and folders of pages as Parsoid renders them."""
