"""Years that lead to a season: `{{nfly|1985|1989}}`, `{{nbay|1985|end}}`, `{{F1|1976}}`."""

from wikiprep.wikitext.templates.arguments import Arguments


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isdecimal() and text.isascii()


def nfl(args: Arguments) -> str | None:
    """`{{nfly|1985}}`: the year; `{{nfly|1985|1989}}`, `{{nfly|2023|present}}`: from one to the other."""
    ends = [f"[[{year} NFL season|{year}]]" if _is_year(year) else year for year in args.positional()[:2]]
    if len(ends) == 2 and ends[0] == ends[1]:
        ends.pop()
    return "–".join(ends) or None


def nfl_playoffs(args: Arguments) -> str | None:
    """`{{nflpy|1978}}`: the year in which the season began, linked to its playoffs."""
    return _link(args[1], f"{span} NFL playoffs", args[1]) if (span := _season(args[1])) else args[1] or None


def nba(args: Arguments) -> str | None:
    """`{{nbay|1985}}`: 1985–86; `{{nbay|1985|start}}`: 1985; `{{nbay|1985|end}}`: 1986."""
    return _two_years(args, "NBA")


def nhl(args: Arguments) -> str | None:
    """`{{nhly|1985}}`: as `{{nbay}}`."""
    return _two_years(args, "NHL")


def _two_years(args: Arguments, league: str) -> str | None:
    year = args[1]
    span = _season(year)
    if not span:
        return year or None
    if _is_year(args[2]) and int(args[2]) != int(year) + 1:
        return f"{year}–{args[2]}"
    label = {"start": year, "end": str(int(year) + 1)}.get(args[2].lower(), span)
    return _link(year, f"{span} {league} season", label)


def _link(year: str, target: str, label: str) -> str:
    return f"[[{target}|{label}]]" if year else label


def _season(year: str) -> str:
    """1999–2000, 2000–01, as titles of seasons are written; "" for what is no year."""
    if not _is_year(year):
        return ""
    following = str(int(year) + 1)
    return f"{year}–{following if following.endswith('00') else following[2:]}"


def formula_one(args: Arguments) -> str | None:
    """`{{F1|1976}}`: the year; until 1980 articles are named otherwise."""
    year = args[1]
    if not _is_year(year):
        return year or None
    return f"[[{year} Formula One {'season' if int(year) < 1981 else 'World Championship'}|{year}]]"


def college_football(args: Arguments) -> str | None:
    """`{{cfb link|year=2008|team=Michigan Wolverines|title=Michigan}}`: a team's season."""
    year, team = args.first("year", 1), args["team"]
    if not team or not year:
        return args.first("title", "team", 1) or None
    return f"[[{year} {team} football team|{args['title'] or f'{year} {team}'}]]"
