"""Small functions: the last argument, footnotes in running text, lists."""

from wikiprep.wikitext.templates.arguments import Arguments


def last(args: Arguments) -> str | None:
    """The last unnamed argument: `{{transl|language|scheme|text}}` with either left out, and `3=text`."""
    values = [value for value in args.positional() if value]
    return args[3] if args[3] else values[-1] if values else None


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


def harvp(args: Arguments) -> str | None:
    """`{{harvp|Smith|2000|p=5}}`: Smith (2000), p. 5."""
    names, year, place = _harvard(args)
    author = f"{names} ({year})" if names and year else names or year
    return ", ".join(part for part in (author, place) if part) or None


def harvs(args: Arguments) -> str | None:
    """`{{harvs|txt|first=Ann|last=Smith|author-link=Ann Smith|year=2000}}`: Ann Smith (2000), her name linked.

    Without `txt`: (Smith 2000), with `nb`: Smith 2000.
    """
    styles = {value.lower() for value in args.positional()} | {name for name in ("txt", "nb") if args[name]}
    authors = []
    for number in ("", "1", "2", "3", "4"):
        if name := args.first(f"last{number}", f"author{number}"):
            first = args[f"first{number}"] if "txt" in styles else ""
            name = f"{first} {name}".strip()
            link = args.first(f"author-link{number}", f"authorlink{number}", f"author{number}-link")
            authors.append(f"[[{link}|{name}]]" if link else name)
    if not authors and not styles & {"txt", "nb"}:
        return harv(args)  # names were given as there
    names = _join_authors(authors, " and " if "txt" in styles else " & ")
    years = ", ".join(year for number in ("", "1", "2", "3", "4") if (year := args[f"year{number}"]))
    inside = ", ".join(part for part in (years, _place(args)) if part)
    if "txt" in styles:
        return f"{names} ({inside})" if names and inside else names or None
    citation = f"{names} {inside}".strip()
    return (citation if "nb" in styles else citation and f"({citation})") or None


def _harvard(args: Arguments) -> tuple[str, str, str]:
    """Names, year, and where in the work."""
    *names, year = args.positional()[:5] or [""]
    if not names and not any(map(str.isdecimal, year)):
        names, year = [year], ""
    names = [name for name in names if name]
    return _join_authors(names, " & "), year, _place(args)


def _join_authors(names: list[str], joint: str) -> str:
    """Authors as a citation has them: up to three, or the first and others."""
    if len(names) > 3:
        return f"{names[0]} et al."
    return joint.join(part for part in (", ".join(names[:-1]), names[-1] if names else "") if part)


def _place(args: Arguments) -> str:
    """Where in the work."""
    page, pages = args.first("p", "page"), args.first("pp", "pages")
    return f"p. {page}" if page else f"pp. {pages}" if pages else args["loc"]


def bulleted(args: Arguments) -> str | None:
    """`{{bulleted list|a|b}}`: a block as on the wiki, or what follows in its line would begin a line with a space."""
    items = [value for value in args.positional() if value]
    return "<div>" + "".join(f"\n* {value}" for value in items) + "\n</div>" if items else None


def blocks(args: Arguments) -> str | None:
    """`{{col|a|b}}`: columns, each a block of its own, with the lists that stand in them."""
    return "\n".join(f"<div>\n{value}\n</div>" for value in args.positional() if value) or None


def hlist(args: Arguments) -> str | None:
    """`{{hlist|a|b}}`: a · b."""
    return " · ".join(value.lstrip("* ") for value in args.positional() if value) or None


def species_list(args: Arguments) -> str | None:
    """`{{species list|Felis catus|Linnaeus|…}}`: names with their authorities, a list.

    `{{linked species list}}` links the names.
    """
    values = args.positional()
    linked = args.name.lower().startswith("linked")
    items = []
    for i in range(0, len(values), 2):
        name, authority = (*values[i : i + 2], "")[:2]
        if name:
            name = f"[[{name}]]" if linked and "[" not in name and "'" not in name else name
            items.append(f"\n* {name} {authority}".rstrip())
    return "<div>" + "".join(items) + "\n</div>" if items else None


def releases(args: Arguments) -> str | None:
    """`{{vgrelease|JP|1985|NA|1986}}`: each region with its date, on a line."""
    values = args.positional()
    pairs = [f"{values[i]}: {values[i + 1]}" for i in range(0, len(values) - 1, 2) if values[i] and values[i + 1]]
    return "<br>".join([*pairs, *values[len(values) // 2 * 2 :]]) or None


def separated_lines(args: Arguments) -> str | None:
    """`{{br separated entries|a|b}}`: each on a line."""
    return "<br>".join(value for value in args.positional() if value) or None
