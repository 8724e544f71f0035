"""The control characters that mark up a page on its way, and white space, for Python code that is compiled or not.

What the marks are for: `wikitext/control_marks.py`, which hands them on. This file imports nothing.
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

# All white space of `str.isspace` but line ends and U+0020, without control characters, which no page holds.
SPACES = (
    "\t\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
