"""What is counted of the Wikidata items of pages (`page_items.py`), with --wikidata alone.

Apart from the code that counts: it loads tables, which a stage that only reads these counts needs not.
"""

from wikiprep.counts import Count

BY_TITLE = Count("also.qids.by_title", "Pages whose title Wikidata has an item for.")
NOT_IN_PAGE_PROPS = Count("also.qids.not_in_page_props", "Of these, pages that --page-props has no item for.")
CONFLICT = Count("also.qids.conflict", "Of these, pages that --page-props has another item for, which counts.")
OF_MERGED_ITEM = Count("also.qids.of_merged_item", "Items of --page-props that were merged into others since.")
BY_CLASS = Count("also.disambiguation.by_class", "Pages that are disambiguations by the class of their item alone.")
