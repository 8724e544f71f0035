"""Countries by name or code: `{{flag|USA}}`, `{{flagcountry|USA}}`, `{{fb|GER}}`. The flag itself is an image."""

import functools
import re
from pathlib import Path

from wikiprep.wikitext.templates.arguments import Arguments

_DATA = Path(__file__).parent.parent / "data" / "lists"
_QUALIFIED = re.compile(r" \([^()]*\)$")
# Names that `Country data` templates are called by, beside those of the articles.
_ENGLISH_NAMES = {
    "People's Republic of China": "PRC",
    "Republic of China": "ROC",
    "Bahamas": "BAH",
    "Gambia": "GMB",
    "Ireland": "IRL",
    "Republic of Korea": "KOR",
    "East Timor": "TLS",
    "Palestine": "PLE",
    "Burma": "MYA",
    "Czechia": "CZE",
    "Macedonia": "MKD",
    "Swaziland": "SWZ",
    "Côte d'Ivoire": "CIV",
    "United States of America": "USA",
    "Great Britain": "GBR",
}
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
# The article of a country's team, by the wiki's language and the template's name.
_LOCAL_TEAMS = {
    ("ja", "fb"): "サッカー{name}代表",
    ("ja", "fbw"): "サッカー{name}女子代表",
    ("ko", "fb"): "{name} 축구 국가대표팀",
    ("ko", "축국"): "{name} 축구 국가대표팀",
}


def without_qualifier(title: str) -> str:
    """A title without the words in brackets at its end, which tell its article from others."""
    return _QUALIFIED.sub("", title)


@functools.cache
def _countries(language: str) -> dict[str, tuple[str, str]]:
    """Code -> (article, name), in a language that has a list, else in English."""
    own = _DATA / f"countries.{language.partition('-')[0]}.txt"
    return _read_countries(own if own.is_file() else _DATA / "countries.txt")


@functools.cache
def _read_countries(path: Path) -> dict[str, tuple[str, str]]:
    countries: dict[str, tuple[str, str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        codes, equals, name = line.partition(" = ")
        if equals and not line.startswith("#"):
            article, _, label = name.partition(" | ")
            countries |= dict.fromkeys(codes.split(), (article, label or without_qualifier(article)))
    return countries


@functools.cache
def _english_names() -> dict[str, str]:
    """English name -> code: the Japanese, Chinese, Korean … `{{flag|United States}}` know English names as well."""
    codes = dict(_ENGLISH_NAMES)
    for code, (article, label) in _countries("en").items():
        codes.setdefault(article, code)
        codes.setdefault(label, code)
    return codes


def country(code: str, language: str) -> tuple[str, str]:
    """(article, name) of a code or, on a wiki with a list of its own, an English name; others stand for themselves."""
    countries = _countries(language)
    entry = countries.get(code)
    if entry is None and countries is not _countries("en"):
        entry = countries.get(_english_names().get(code, ""))
    return entry or (code, without_qualifier(code))


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


def flag_formatted(args: Arguments) -> str | None:
    """`{{flagg|us|USA}}`: the country's name; the first argument says how its flag looks."""
    return args["name"] or country(args[2], args.language)[1] or None


def flag_link(args: Arguments) -> str | None:
    """`{{flag+link|Economy of|ANG}}`: the country's name, linked to its article of that kind."""
    kind, code = args[1], args[2]
    if not kind or not code or "[[" in code:
        return code or kind or None
    article, name = country(code, args.language)
    return _link(f"{kind} {without_qualifier(article)}", args["name"] or name)


def flag_unlinked(args: Arguments) -> str | None:
    """`{{flagu|USA}}`: the country's name alone."""
    return args["name"] or country(args[1], args.language)[1] or None


def country_code(args: Arguments) -> str | None:
    """`{{USA}}`: a country whose code is the template's name; a code that is not known leads nowhere."""
    entry = _countries(args.language).get(args.name)
    return _link(*entry) if entry else args.name or None


def de_country(args: Arguments) -> str | None:
    """German `{{DEU}}`: Deutschland, linked; `{{FRA|Paris}}`: the words given, `{{DEU|#}}`: the flag alone."""
    return None if args[1] == "#" else args[1] or country_code(args)


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


def local_team(args: Arguments) -> str | None:
    """Japanese `{{fb|GER}}`, Korean `{{축국|독일}}`: the country's name, linked to its team."""
    form = _LOCAL_TEAMS.get((args.language, args.name.partition("-")[0].lower()))
    if not args[1] or "[[" in args[1]:
        return args[1] or None
    _, name = country(args[1], args.language)
    return _link(form.replace("{name}", name), args["name"] or name) if form else name
