"""Small functions: the last argument, footnotes in running text, lists."""

from wikiprep.wikitext.templates.arguments import Arguments


def last(args: Arguments) -> str | None:
    """The last unnamed argument: `{{transl|language|scheme|text}}` with either left out."""
    values = [value for value in args.positional() if value]
    return values[-1] if values else None


def harvtxt(args: Arguments) -> str | None:
    """`{{harvtxt|Smith|Jones|2000|p=5}}`: Smith & Jones (2000, p. 5)."""
    names, year, place = _harvard(args)
    inside = ", ".join(part for part in (year, place) if part)
    return f"{names} ({inside})" if names and inside else names or None


def harvnb(args: Arguments) -> str | None:
    """`{{harvnb|Smith|2000}}`: Smith 2000."""
    names, year, place = _harvard(args)
    return ", ".join(part for part in (f"{names} {year}".strip(), place) if part) or None


def harv(args: Arguments) -> str | None:
    """`{{harv|Smith|2000|p=5}}`: (Smith 2000, p. 5)."""
    citation = harvnb(args)
    return citation and f"({citation})"


def _harvard(args: Arguments) -> tuple[str, str, str]:
    """Names, year, and where in the work."""
    *names, year = args.positional()[:5] or [""]
    if not names and not any(map(str.isdecimal, year)):
        names, year = [year], ""
    names = [name for name in names if name]
    if len(names) > 3:
        authors = f"{names[0]} et al."
    else:
        authors = " & ".join(part for part in (", ".join(names[:-1]), names[-1] if names else "") if part)
    page, pages = args.first("p", "page"), args.first("pp", "pages")
    return authors, year, f"p. {page}" if page else f"pp. {pages}" if pages else args["loc"]


def bulleted(args: Arguments) -> str | None:
    """`{{bulleted list|a|b}}`."""
    items = [value for value in args.positional() if value]
    return "".join(f"\n* {value}" for value in items) + "\n" if items else None


def hlist(args: Arguments) -> str | None:
    """`{{hlist|a|b}}`: a · b."""
    return " · ".join(value.lstrip("* ") for value in args.positional() if value) or None
