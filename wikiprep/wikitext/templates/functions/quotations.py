"""Quotations and verses that stand apart.

A quotation is a block of kind `quote`, with author and source as a block of their own.
"""

from wikiprep.wikitext.control_marks import BREAK
from wikiprep.wikitext.extension_tags import verse_line
from wikiprep.wikitext.templates.arguments import Arguments


def block(text: str, *signature: str) -> str | None:
    """The text as a block, with what of the signature is given below it."""
    if not text.strip():
        return None
    attribution = ", ".join(part for part in signature if part).lstrip("—–- ")
    tail = f"\n\n— {attribution}" if attribution else ""
    return f"<blockquote>\n{text}{tail}\n</blockquote>"


_TEXT = ("text", "quote", "texte", "Text", "texto", "quotetext", "tekst", "treść", "citat", "цитата", "текст", 1)
_AUTHOR = ("author", "sign", "by", "auteur", "Autor", "autor", "författare", "автор", "cite", 2)
_SOURCE = ("source", "Quelle", "fuente", "bron", "źródło", "källa", "zdroj", "источник", "джерело", 4)


def quote(args: Arguments) -> str | None:
    """`{{blockquote|text|author|title|source}}` and its kin in most languages."""
    return block(
        args.first(*_TEXT), args.first(*_AUTHOR), args.first("title", "titre", "título", 3), args.first(*_SOURCE)
    )


def quote_box(args: Arguments) -> str | None:
    """`{{quote box|title=…|quote=…|source=…}}`: the title is a heading of the box and left out."""
    return block(args.first("quote", "text", 1), args.first("author"), args.first("source", "sign"))


def theorem(args: Arguments) -> str | None:
    """`{{math theorem|name=…|note=…|math_statement=…}}`: Theorem (note) — statement, a block of its own."""
    statement = args.first("math_statement", 1)
    note = f" ({args['note']})" if args["note"] else ""
    return f"<div>\n'''{args['name'] or 'Theorem'}'''{note} — {statement}\n</div>" if statement else None


def proof(args: Arguments) -> str | None:
    """`{{math proof|title=…|proof=…}}`: the title and the proof, a block of its own."""
    text = args.first("proof", 1)
    return f"<div>\n'''{args['title'] or 'Proof'}'''\n\n{text}\n</div>" if text else None


def cquote(args: Arguments) -> str | None:
    """`{{cquote|text|width|height|author|source}}`."""
    return block(args.first("text", "quote", 1), args.first("author", 4), args.first("source", 5))


def rquote(args: Arguments) -> str | None:
    """`{{rquote|left|text|author|source}}`."""
    return block(args.first("text", "quote", 2), args.first("author", 3), args.first("source", 4))


def poem_quote(args: Arguments) -> str | None:
    """`{{poem quote|text|sign|title|source}}`: lines of the poem run on in one block."""
    text = args.first("text", "quote", 1).replace("\n", " ")
    return block(text, args.first("sign", "author", "char", 2), args.first("title", 3), args.first("source", 4))


def verse(args: Arguments) -> str | None:
    """`{{verse translation|original|translation}}`: both, one after the other."""
    parts = [part.replace("<br>", " ") for part in (args.first(1, "lang1"), args.first(2, "lang2")) if part]
    return block("\n\n".join(" ".join(part.split("\n")) for part in parts), args.first("attr1", "author"))


def couplets(args: Arguments) -> str | None:
    """Arabic `{{قصيدة|صدر|عجز|صدر|عجز}}`: a line a pair of half-verses; `{{بيت|صدر|عجز}}` is one."""
    halves = [value for value in args.positional() if value]
    lines = [" ".join(halves[i : i + 2]) for i in range(0, len(halves), 2)]
    return "\n\n".join(["", *lines, ""]) if lines else None


def poemx(args: Arguments) -> str | None:
    """Russian `{{poemx|title|text|signed}}`: lines of the poem run on in one block."""
    return block(" ".join(args.first("стих", 2, 1).replace("<br>", " ").split("\n")), args[3])


def poem(args: Arguments) -> str | None:
    """`{{ppoem|line\\n  line}}`: Wikisource's verses, as in `<poem>`, in a block of their own.

    White space at a line's begin indents it, and would make the line preformatted text elsewhere.
    """
    text = args.first(1)
    return BREAK + "".join(map(verse_line, text.split("\n"))) + BREAK if text else None
