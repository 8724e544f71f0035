"""Which runs of apostrophes are bold and italic marks: Python code that Cython compiles too (`fast_quotes.pxd`).

The rule of MediaWiki's `Parser::doQuotes`, by the number of runs; `blocks.pyx` asks it as well as Python code does.
"""


def are_marks(italic: int, bold: int) -> bool:
    """Whether all of a line's runs of two apostrophes (italic) and of three (bold) are marks.

    If both are odd in number, one of the bold ones is an apostrophe and an italic mark.
    """
    return not (italic & 1 and bold & 1)


def is_unclosed(runs: int) -> bool:
    """Whether a mark of so many runs stays open at the end of its line."""
    return runs & 1 == 1
