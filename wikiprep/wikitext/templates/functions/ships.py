"""Ship names: `{{ship|HMS|Belfast|C35|6}}`, `{{USS|Enterprise|CVN-65}}`, `{{sclass|Iowa|battleship}}`."""

from wikiprep.wikitext.templates.arguments import Arguments


def ship(args: Arguments) -> str | None:
    """`{{ship|HMS|Belfast|C35|6}}`."""
    return _ship(args[1], args[2], args[3], args[4], args["up"] == "yes") if args[2] else args.first(1)


def navy(args: Arguments) -> str | None:
    """`{{HMS|Belfast|C35|6}}`: the prefix is the template's own name."""
    return _ship(args.name, args[1], args[2], args[3], args["up"] == "yes") if args[1] else None


def _ship(prefix: str, name: str, mark: str, form: str, unlinked: bool) -> str:
    """What is shown by `form`: 1 the mark alone, 2 the name, 3 name and mark, 5 prefix and mark, 6 prefix and name."""
    full = f"{prefix} {name}".strip()
    target = f"{full} ({mark})" if mark else full
    behind = f" ({mark})" if mark else ""
    ahead = f"{prefix} " if prefix else ""
    label = {
        "1": mark or f"''{name}''",
        "2": f"''{name}''",
        "3": f"''{name}''{behind}",
        "5": f"{prefix}{behind}" if mark else f"{ahead}''{name}''",
        "6": f"''{name}''" if unlinked else f"{ahead}''{name}''",
    }.get(form) or f"{'' if unlinked else ahead}''{name}''{behind}"
    return f"{ahead if unlinked and form not in ('1', '2', '3') else ''}[[{target}|{label}]]"


def sclass(args: Arguments) -> str | None:
    """`{{sclass|Iowa|battleship}}`: Iowa-class battleship, both linked."""
    return _class(args, "''")


def sclass2(args: Arguments) -> str | None:
    """`{{sclass2|…}}`: of a class that is not named for a ship, so upright."""
    return _class(args, "")


def _class(args: Arguments, quotes: str) -> str | None:
    """What is shown by the third argument.

    0 the class before a noun, 1 class and type as one link, 2 the type without a link, 4 the class as a noun, 5 its
    name alone; else both linked. Then qualifiers of the type and of the class.
    """
    name, kind, form = args[1], args[2], args[3]
    if not name:
        return None
    italic = f"{quotes}{name}{quotes}"
    target = f"{name}-class {kind}".strip() if kind else f"{name} class"
    if args[5]:
        target += f" ({args[5]})"
    if not kind or form == "4":
        return f"[[{target}|{italic} class]]"
    if form == "5":
        return f"[[{target}|{italic}]]"
    if form == "1":
        return f"[[{target}|{italic}-class {kind}]]"
    head = f"[[{target}|{italic}-class]]"
    if form == "0":
        return head
    if form == "2":
        return f"{head} {kind}"
    return f"{head} [[{kind} ({args[4]})|{kind}]]" if args[4] else f"{head} [[{kind}]]"


_ORBITERS = {
    "99": "Challenger",
    "101": "Enterprise",
    "102": "Columbia",
    "103": "Discovery",
    "104": "Atlantis",
    "105": "Endeavour",
}


def orbiter(args: Arguments) -> str | None:
    """`{{OV|099}}`: Challenger, a Space Shuttle by its number."""
    name = _ORBITERS.get(args[1].lstrip("0"))
    return f"[[Space Shuttle {name}|''{name}'']]" if name else args[1] or None


def japanese_submarine(args: Arguments) -> str | None:
    """`{{jsub|I|400}}`: Japanese submarine I-400; by a third argument 2 its number alone."""
    name = f"{args[1]}-{args[2]}" if args[1] and args[2] else args[1]
    label = f"''{name}''" if args[3] == "2" else f"Japanese submarine ''{name}''"
    return f"[[Japanese submarine {name}|{label}]]" if name else None
