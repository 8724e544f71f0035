"""Roads, districts and laws of the United States: `{{jct|…}}`, `{{ushr|…}}`, `{{USStatute|…}}`."""

import functools
from pathlib import Path

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.counting import ordinal_number
from wikiprep.wikitext.templates.functions.dates import write_date
from wikiprep.wikitext.templates.numbers import format_number

_LISTS = Path(__file__).parent.parent / "data" / "lists"
_STATE_TYPES = ("SR", "SH", "HWY", "ROUTE", "HIGHWAY")
_MOST_ROADS = 8
_BILLS = {
    "hr": "H.R.",
    "s": "S.",
    "hres": "H.Res.",
    "sres": "S.Res.",
    "hjres": "H.J.Res.",
    "sjres": "S.J.Res.",
    "hconres": "H.Con.Res.",
    "sconres": "S.Con.Res.",
}
_PUBLIC_LAW = "[[Act of Congress#Public law, private law, designation|Pub. L.]]"
_STATUTES = "[[United States Statutes at Large|Stat.]]"


@functools.cache
def _states() -> dict[str, tuple[str, str, str]]:
    """Code -> (name, sign of a state route, its article)."""
    states: dict[str, tuple[str, str, str]] = {}
    for line in (_LISTS / "us_states.txt").read_text(encoding="utf-8").splitlines():
        code, equals, rest = line.partition(" = ")
        if equals and not line.startswith("#"):
            name, sign, article = (*rest.split(" | "), "", "")[:3]
            states[code] = name, sign, article
    return states


def junction(args: Arguments) -> str | None:
    """`{{jct|state=NY|I|90|NY|17|city1=Albany}}`: I-90 / NY 17 – Albany. State routes and cities are linked."""
    code = args["state"].upper()
    values = args.positional()[: 2 * _MOST_ROADS]
    roads = []
    for i in range(0, len(values) - 1, 2):
        if road := _road(values[i], values[i + 1], code):
            number = str(i // 2 + 1)
            lead = "To " if args.on(f"to{number}") else ""
            name = args[f"name{number}"]
            roads.append(f"{lead}{road} {args[f'dir{number}']}".strip() + (f" ({name})" if name else ""))
    shown = " / ".join(roads)
    if cities := _places(args, "city", code):
        shown += f" – {cities}" if shown else cities
    if places := _places(args, "location", ""):
        shown += f" in {places}" if shown else places
    return shown or None


def _road(kind: str, number: str, code: str) -> str:
    """One road's sign; "" for kinds that only the wiki's own lists know."""
    kind, _, special = kind.upper().partition("-")
    bannered = {"": "", "ALT": " Alt.", "BUS": " Bus.", "BYP": " Byp.", "TRUCK": " Truck", "SPUR": " Spur"}.get(special)
    if not number or bannered is None:
        return ""
    if kind == "I":
        return f"I-{number}{bannered}"
    if kind == "US":
        return f"US {number}{bannered}"
    if kind in ("CR", "FM", "RM"):
        return f"{kind} {number}{bannered}"
    _, sign, article = _states().get(code, ("", "", ""))
    if not sign or kind not in (code, *_STATE_TYPES):
        return ""
    label = sign.replace("{}", number) + bannered
    return label if bannered else f"[[{article.replace('{}', number)}|{label}]]"


def _places(args: Arguments, key: str, code: str) -> str:
    places = [place for number in ("", "1", "2", "3", "4") if (place := args[f"{key}{number}"])]
    state = _states().get(code, ("", "", ""))[0]
    return ", ".join(f"[[{place}, {state}|{place}]]" if state and "[" not in place else place for place in places)


def district(args: Arguments) -> str | None:
    """`{{ushr|NM|3}}`: New Mexico's 3rd congressional district; `{{ushr|NM|3|X}}`: New Mexico 3."""
    state, number, form = args[1], args[2].upper(), args[3]
    state = _states().get(state.upper(), (state, "", ""))[0]
    if not state or not number:
        return state or None
    at_large = number in ("AL", "0", "AT-LARGE")
    number_text = "at-large" if at_large else ordinal_number(number)
    target = f"{state}'s {number_text} congressional district"
    if not form:
        return f"[[{target}]]"
    if form.upper() in ("X", "B"):
        return f"[[{target}|{state} {'at-large' if at_large else number}]]"
    if form.upper() == "E":
        return f"[[{target}|{number_text}]]"
    return f"[[{target}|{form}]]" if len(form) > 2 else f"[[{target}]]"


def politician(args: Arguments) -> str | None:
    """`{{USpolabbr|D|CA|47}}`: D‑CA 47th."""
    party, state, number = args[1], args[2], args[3]
    seat = f" {ordinal_number(number)}" if number.isdecimal() else ""
    return f"{party}‑{state}{seat}" if party and state else party or None


def bill(args: Arguments) -> str | None:
    """`{{USBill|111|HR|3962}}`: H.R. 3962; the Congress is not said."""
    kind = args[2].replace(".", "").replace(" ", "").lower()
    return f"{_BILLS.get(kind, args[2])} {args[3]}" if args[2] and args[3] else args.first(3, 2, 1) or None


def code_section(args: Arguments) -> str | None:
    """`{{UnitedStatesCode|17|107}}`: 17 U.S.C. § 107; `{{uscsub|17|107|a}}`: 17 U.S.C. § 107(a)."""
    title, section = args[1], args[2]
    if not title:
        return None
    parts = "".join(f"({part})" for part in args.positional()[2:] if part) if "sub" in args.name.lower() else ""
    law = f"[[Title {title} of the United States Code|{title} U.S.C.]]" if title.isdecimal() else f"{title} U.S.C."
    return f"{law} § {section}{parts}" if section else law


def public_law(args: Arguments) -> str | None:
    """`{{USPL|111|148}}`: Pub. L. 111–148 (text) (PDF)."""
    return f"{_PUBLIC_LAW} {args[1]}–{args[2]} (text) (PDF)" if args[1] and args[2] else args.first(1, 2) or None


def statutes(args: Arguments) -> str | None:
    """`{{USStat|124|119}}`: 124 Stat. 119."""
    return f"{args[1]} {_STATUTES} {args[2]}" if args[1] and args[2] else args.first(1, 2) or None


def statute(args: Arguments) -> str | None:
    """`{{USStatute|94|553|90|2541|1976|10|19}}`: Pub. L. 94–553 (text) (PDF), 90 Stat. 2541, enacted October …"""
    law = public_law(args)
    if law is None:
        return None
    if args[3] and args[4]:
        law += f", {args[3]} {_STATUTES} {args[4]}"
    enacted = write_date(args[5], args[6], args[7], day_first=False)
    return f"{law}, enacted {enacted}" if enacted else law


def supreme_court(args: Arguments) -> str | None:
    """`{{ussc|410|113|1973}}`, `{{ussc|name=Roe v. Wade|volume=410|page=113|year=1973}}`: 410 U.S. 113 (1973)."""
    volume, page, year = args.first("volume", "vol", 1), args.first("page", 2), args.first("year", "date", 3)
    if not volume:
        return None
    pin = args.first("pin", "at", 4)
    citation = f"{volume} U.S. {page or '___'}" + (f", {pin}" if pin else "") + (f" ({year})" if year else "")
    return f"''{args['name']}'', {citation}" if args["name"] else citation


def patent(args: Arguments) -> str | None:
    """`{{US patent|5123456}}`: U.S. patent 5,123,456."""
    number = args.first("number", 1)
    if args[2]:
        return args[2]
    return f"U.S. patent {format_number(number, 'en') if number.isdecimal() else number}" if number else None
