"""A page whose revisions are spread over files of a history export: not the same page twice."""

from wikiprep.errors import WikiprepError


def spread_over_files(page_id: int, one: str, other: str) -> WikiprepError:
    """The error for two files that hold different revisions of one page."""
    return WikiprepError(
        f"{one} and {other} hold different revisions of page {page_id}: they are of a history export, where a page "
        "with many revisions is spread over files",
        "take mediawiki_content_current of the same date, which has each page once and its newest revision",
    )
