"""Countries by name or code: `{{flag|USA}}`, `{{flagcountry|USA}}`, `{{fb|GER}}`. The flag itself is an image."""

import functools
import re
from pathlib import Path

from wikiprep.wikitext.templates.arguments import Arguments

_DATA = Path(__file__).parent.parent / "data" / "lists"
_QUALIFIED = re.compile(r" \([^()]*\)$")
_TEAMS = {
    "fb": "national football team",
    "fbw": "women's national football team",
    "fbu": "national under-{1} football team",
    "cr": "national cricket team",
    "crw": "women's national cricket team",
    "ru": "national rugby union team",
    "ruw": "women's national rugby union team",
    "rl": "national rugby league team",
    "bk": "national basketball team",
    "bkw": "women's national basketball team",
    "ih": "men's national ice hockey team",
    "ihw": "women's national ice hockey team",
    "vb": "men's national volleyball team",
    "vbw": "women's national volleyball team",
    "hb": "men's national handball team",
    "hbw": "women's national handball team",
    "fh": "men's national field hockey team",
    "fhw": "women's national field hockey team",
    "bb": "national baseball team",
}


@functools.cache
def _countries(language: str) -> dict[str, tuple[str, str]]:
    """Code -> (article, name), in a language that has a list, else in English."""
    own = _DATA / f"countries.{language.partition('-')[0]}.txt"
    countries: dict[str, tuple[str, str]] = {}
    path = own if own.is_file() else _DATA / "countries.txt"
    for line in path.read_text(encoding="utf-8").splitlines():
        codes, equals, name = line.partition(" = ")
        if equals and not line.startswith("#"):
            article, _, label = name.partition(" | ")
            countries |= dict.fromkeys(codes.split(), (article, label or _QUALIFIED.sub("", article)))
    return countries


def country(code: str, language: str) -> tuple[str, str]:
    """(article, name) of a code; the code itself where it is none."""
    return _countries(language).get(code) or (code, _QUALIFIED.sub("", code))


def _link(article: str, label: str) -> str:
    return f"[[{article}]]" if article == label else f"[[{article}|{label}]]"


def flag(args: Arguments) -> str | None:
    """`{{flag|USA}}`: the article of the country, the words as typed."""
    code = args[1]
    return _link(country(code, args.language)[0], args["name"] or code) if code and "[[" not in code else code or None


def flag_country(args: Arguments) -> str | None:
    """`{{flagcountry|USA}}`: the country's name, linked."""
    article, name = country(args[1], args.language)
    return _link(article, args["name"] or name) if args[1] and "[[" not in args[1] else args[1] or None


def flag_unlinked(args: Arguments) -> str | None:
    """`{{flagu|USA}}`: the country's name alone."""
    return args["name"] or country(args[1], args.language)[1] or None


def country_code(args: Arguments) -> str | None:
    """`{{USA}}`: a country whose code is the template's name."""
    return _link(*country(args.name, args.language))


def country_name(args: Arguments) -> str | None:
    """`{{Allemagne}}`: a country whose name is the template's, linked to its article."""
    return _link(_articles(args.language).get(args.name, args.name), args.name)


@functools.cache
def _articles(language: str) -> dict[str, str]:
    """Name -> article."""
    return {label: article for article, label in _countries(language).values()}


def athlete(args: Arguments) -> str | None:
    """`{{flagathlete|[[Name]]|USA}}`: Name (USA)."""
    article, _ = country(args[2], args.language)
    return f"{args[1]} ({_link(article, args[2])})" if args[1] and args[2] else args[1] or None


def olympic_team(args: Arguments) -> str | None:
    """`{{flagIOC|GER|2008 Summer}}`: Germany, linked to its article at those games."""
    code, games = args[1], args[2]
    if not code:
        return None
    article, name = country(code, args.language)
    if not games:
        return _link(article, name)
    kind = "" if games.split()[-1] in ("Winter", "Summer") else games.partition(" ")[2] + " "
    return f"[[{name} at the {games} {'' if kind else 'Olympics'}".rstrip() + f"|{name}]]"


def team(args: Arguments) -> str | None:
    """`{{fb|GER}}`, `{{cr|AUS}}`, `{{ru-rt|ENG}}`: the country's name, linked to its team."""
    key = args.name.partition("-")[0].lower()
    side, code = _TEAMS.get(key), args[1]
    if "{1}" in (side or ""):
        side, code = (side or "").replace("{1}", args[1]), args[2]
    _, name = country(code, args.language)
    return f"[[{name} {side}|{args['name'] or name}]]" if side and code else code or None
