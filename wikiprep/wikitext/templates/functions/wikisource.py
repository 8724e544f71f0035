"""Wikisource's templates that compute: verses."""

from wikiprep.wikitext.control_marks import BREAK
from wikiprep.wikitext.extension_tags import verse_line
from wikiprep.wikitext.templates.arguments import Arguments


def poem(args: Arguments) -> str | None:
    """`{{ppoem|line\\n  line}}`: the verses as in `<poem>`, in a block of their own.

    White space at a line's begin indents it, and would make the line preformatted text elsewhere.
    """
    text = args.first(1)
    return BREAK + "".join(map(verse_line, text.split("\n"))) + BREAK if text else None
