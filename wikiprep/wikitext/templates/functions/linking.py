"""Templates that make links: pages to be written, sections, verses, people by name."""

import re

from wikiprep.wikitext.templates.arguments import Arguments


def ill(args: Arguments) -> str | None:
    """`{{ill|Title|language|Foreign title|lt=label}}`: a link to the page that is still to be written here."""
    title, label = args[1], args.first("lt", "display", "text", "label")
    if _is_language(title) and args[2] and not _is_language(args[2]):  # the old order: language, foreign title, title
        title, label = args.first(3, 2), label or args[4]
    if not title or "[[" in title:
        return title or None
    suffix = args["s"]
    return f"[[{title}|{label}]]{suffix}" if label else f"[[{title}]]{suffix}"


def _is_language(text: str) -> bool:
    return len(text) in (2, 3) and text.isascii() and text.isalpha() and text.islower()


def section_link(args: Arguments) -> str | None:
    """`{{section link|Page|Section}}`: Page § Section; several sections as §§ One and Two."""
    page, *sections = args.positional() or [""]
    sections = [section for section in sections if section]
    if "#" in page and not sections:
        page, _, section = page.partition("#")
        sections = [section] if section else []
    page_label = page if args["nopage"] != "y" else ""
    if not sections:
        return f"[[{page}]]" if page else None
    if len(sections) == 1:
        label = f"{page_label} § {sections[0]}".strip()
        return f"[[{page}#{sections[0]}|{args.first('display') or label}]]"
    links = [f"[[{page}#{section}|{section}]]" for section in sections]
    section_links = ", ".join(links[:-1]) + (", and " if len(links) > 2 else " and ") + links[-1]
    return f"{page_label} §§ {section_links}".strip()


def bible(args: Arguments) -> str | None:
    """`{{bibleverse|1|Corinthians|13:1|NIV}}`, `{{bibleverse|Genesis|1:1}}`: book and verse, or the words given last;
    by `{{bibleverse-nb|…}}` without the book."""
    values = args.positional()
    if not values:
        return None
    numbered = values[0] == "" or values[0] in ("1", "2", "3", "4", "I", "II", "III")
    count = 3 if numbered else 2
    if words := args[count + 2]:
        return words
    first = min(count, len(values)) - 1 if args.name.endswith("-nb") else 0
    return " ".join(value for value in values[first:count] if value) or None


def sortname(args: Arguments) -> str | None:
    """`{{sortname|Ada|Lovelace|article}}`: the name, linked; `nolink=1` and a qualifier (`dab=`) too."""
    name = " ".join(part for part in (args[1], args[2]) if part)
    if not name or args.on("nolink"):
        return name or None
    target = args.first(3, "link") or (f"{name} ({args['dab']})" if args["dab"] else name)
    return f"[[{target}|{name}]]"


def abbreviation_link(args: Arguments) -> str | None:
    """`{{abbrlink|WHO|World Health Organization}}`: the abbreviation, linked to what it stands for."""
    return f"[[{args[2]}|{args[1]}]]" if args[1] and args[2] else args[1] or None


def quoted_sic(args: Arguments) -> str | None:
    """`{{sic|word}}`: word [sic]."""
    values = args.positional()[:2]
    word = "".join(values)
    if args.on("hide"):
        return word or None
    mark = "''sic''" if args["nolink"] else "''[[sic]]''"
    odd = "!" if word in ("!", "?") else ""
    return f"{'' if odd else word} &#91;{mark}{word if odd else ''}&#93;".strip()


def format_link(args: Arguments) -> str | None:
    """`{{format link|Page#Section}}`: Page § Section; a label of its own in the second place."""
    target, label = args.first(1, "link"), args.first(2, "display")
    if not target:
        return None
    if not label:
        page, sign, section = target.partition("#")
        label = f"{page} § {section}".strip() if sign else page
    return f"[[{target}|{label}]]"


_PROTOCOL = re.compile(r"(?:https?:)?//", re.IGNORECASE)


def url(args: Arguments) -> str | None:
    """`{{URL|https://example.com/|words}}`: the words, or the address without its protocol and a last slash alone."""
    if args[2]:
        return args[2]
    address = _PROTOCOL.sub("", args[1], 1)
    host, slash, rest = address.partition("/")
    return host + (slash + rest if rest else "") or None


def airport_codes(args: Arguments) -> str | None:
    """`{{airport codes|ATL|KATL|ATL}}`: (IATA: ATL, ICAO: KATL, FAA LID: ATL); without brackets by `p=n`."""
    labels = ("[[IATA airport code|IATA]]", "[[ICAO airport code|ICAO]]", "FAA LID")
    codes = (args[1], args[2], args[3])
    shown = ", ".join(f"{label}: {code}" for label, code in zip(labels, codes, strict=True) if code)
    return f"({shown})" if shown and args["p"] != "n" else shown or None


def reporting_mark(args: Arguments) -> str | None:
    """`{{reporting mark|UP|UPP}}`: reporting marks UP, UPP."""
    marks = [mark for mark in args.positional() if mark]
    label = "[[reporting mark]]" if len(marks) < 2 else "[[Reporting mark|reporting marks]]"
    return f"{label} {', '.join(marks)}" if marks else None
