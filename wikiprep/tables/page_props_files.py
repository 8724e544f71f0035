"""Names of the files that `page_props.py` makes, apart from it: who opens them has no part in how SQL is read."""

DISAMBIGUATIONS = "disambiguations.arrow"
ITEMS = "items.arrow"
ALL_PAGES = "pages_with_properties.arrow"
