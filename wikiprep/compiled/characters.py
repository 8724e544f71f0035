"""Characters and limits that compiled code and Python share: said here once, and made C constants of by hatch_build.py.

A name of one character or number becomes a constant of `characters.pxd`, a NAME of several characters the function
`in_NAME(c)` there. What the marks are for: `wikitext/control_marks.py`, which hands them on. This file imports nothing.
"""

LINK = "\x01"  # a link's text starts; the n-th LINK of a page is the n-th target
END = "\x02"  # a link's text ends
PLACEHOLDER = "\x03"  # a template or formula stood here: punctuation beside it may be debris
NOTHING = "\x04"  # a reference or tag stood here: it stops link trails, list marks and quotes, and leaves no trace
BREAK = "\x05"  # a block ends here, within a line
QUOTE_OPEN = "\x06"  # <blockquote>
QUOTE_CLOSE = "\x07"
CAPTION = "\x08"  # the n-th file caption belongs here
# Tags of lists are rare: DEL, which `clean` removes from pages, and a second mark.
TAG = "\x7f"

MAX_DEPTH = 100  # of lists; nobody writes a tenth of it
MAX_LEVEL = 6  # of headings
ITEMS = "*#:;"  # what an item of a list starts with
STARTERS = ITEMS + "=-| \t"  # a line that starts with one of them may be no prose

# All white space of `str.isspace` but line ends and U+0020, without control characters, which no page holds.
SPACES = (
    "\t\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
