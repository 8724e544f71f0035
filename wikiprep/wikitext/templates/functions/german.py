"""Languages, heights, numbers, quotations, verses and laws on the German Wikipedia.

The rules are those that the documentation of the templates there gives, and articles as their readers see them.
"""

import re
from decimal import Decimal

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.language_names import labels_of
from wikiprep.wikitext.templates.numbers import format_number

_LEVELS = {
    "DE-NN": ("ü. NN", "Normalnull"),
    "DE-NHN": ("ü. NHN", "Normalhöhennull"),
    "DE-HN": ("ü. HN", "Höhennull"),
    "AT": ("ü. A.", "Meter über Adria"),
    "CH": ("ü. M.", "Meter über Meer"),
    "IT": ("s.l.m.", ""),
    "LI": ("ü. M.", "Meter über Meer"),
    "PL": ("n.p.m.", ""),
    "CZ": ("n.m.", ""),
    "SK": ("n.m.", ""),
}
_THREE = {"spa": "es", "ita": "it", "lat": "la"}
_ARABIC = ("ar", "fa", "ur", "ps", "ug")  # where `d=` is the scholars' transliteration
_NUMBER = re.compile(r"[-−]?\d+(?:[.,]\d+)?")
_ENGLISH_NUMBER = re.compile(r"[-+]?\d{1,20}(?:\.\d{1,20})?", re.ASCII)
_BIBLES = {
    "EU": "Einheitsübersetzung",
    "LUT": "Lutherbibel",
    "ELB": "Elberfelder Bibel",
    "ZB": "Zürcher Bibel",
}
_VERSES = re.compile(r"(\d[a-z]?)-(?=\d)")
_GAZETTE_YEAR = re.compile(r"(\d{4})[bn]\b")  # a letter that says which website the link leads to
_QUOTES = {"en": ("“", "”"), "fr": ("«&nbsp;", "&nbsp;»"), "pl": ("„", "”")} | dict.fromkeys(
    ("ch", "es", "it", "ru"), ("«", "»")
)


def de_language(args: Arguments) -> str | None:
    """German `{{ruS|дом|dom|de=Haus}}`: russisch дом dom ‚Haus‘.

    `{{arS|مصر|w=Misr|DMG=Miṣr}}`: arabisch مصر Misr, DMG Miṣr.
    """
    code = args.name[:-1].strip().lower().partition("s-")[0]
    label = labels_of("de").label(_THREE.get(code, code))
    if not args[1]:
        return label.strip() or None
    text = f"{label}''{args[1]}''"
    if romanized := args.first(2, "w"):
        text += f" ''{romanized}''"
    scholarly = args["DMG"]
    meaning = args.first("de", "d", "b", "Bedeutung")
    if code in _ARABIC and not scholarly:
        scholarly, meaning = args["d"], args.first("de", "b", "Bedeutung")
    if scholarly:
        text += f", DMG ''{scholarly}''"
    return f"{text} ‚{meaning}‘" if meaning else text


def de_height(args: Arguments) -> str | None:
    """German `{{Höhe|1234|DE-NN}}`: 1234 m ü. NN; with `link=true` what the height is measured from is linked."""
    height = args[1]
    if not height:
        return None
    height = height.replace(".", ",") if _NUMBER.fullmatch(height) else height
    level, article = _LEVELS.get(args[2], ("", ""))
    unit = f"m {level}".strip()
    return f"{height} [[{article}|{unit}]]" if article and args.on("link") else f"{height} {unit}"


def de_number(args: Arguments) -> str | None:
    """German `{{FormatNum|12345.678|2}}`: 12.345,68, as many decimals as are asked for."""
    number, places = args[1], args[2]
    if _ENGLISH_NUMBER.fullmatch(number) and places.isdecimal() and len(places) == 1:
        number = f"{Decimal(number):.{places}f}"
    return format_number(number, "de") or None


def de_power(args: Arguments) -> str | None:
    """German `{{ZahlExp|1,5|-5|post=m}}`: 1,5 · 10 to the power −5 m."""
    if not args[2]:
        return args[1] or None
    before, after = (f"{args['pre']} " if args["pre"] else ""), (f" {args['post']}" if args["post"] else "")
    power = "−" + args[2][1:] if args[2].startswith("-") else args[2]
    return f"{before}{args[1]}{args['suf']}&nbsp;·&nbsp;10<sup>{power}</sup>{after}"


def de_fraction(args: Arguments) -> str | None:
    """German `{{Bruch|1|2}}`: 1/2; `{{Bruch|3|1|2}}`: 3 1/2."""
    values = args.positional()[:3]
    if len(values) == 3 and values[0]:
        return f"{values[0]}&nbsp;{values[1]}/{values[2]}"
    values = [value for value in values if value]
    return "/".join(values) if len(values) != 1 else f"1/{values[0]}"


def de_bible(args: Arguments) -> str | None:
    """German `{{Bibel|Mt|5|3-5|EU}}`: Mt 5,3–5 EU, the translation linked."""
    book, chapter, verse, edition = (args[1], args[2], _VERSES.sub(r"\1–", args[3]), args[4])
    if not book:
        return None
    article = _BIBLES.get(edition.upper())
    edition = f"[[{article}|{edition}]]" if article else edition
    return " ".join(part for part in (book, f"{chapter},{verse}" if verse else chapter, edition) if part)


def de_gazette(args: Arguments) -> str | None:
    """German `{{BGBl|2002 I S. 42}}`: BGBl. 2002 I S. 42; `{{RGBl|1896 S. 195}}`."""
    where = _GAZETTE_YEAR.sub(r"\1", args[1])
    return f"{args.name}.&nbsp;{where}" if where else None


def de_law(args: Arguments) -> str | None:
    """German `{{§|1|BGB|juris}}`: § 1 BGB; `text=` is shown in its place. The sign is the template's name."""
    if text := args["text"]:
        return text
    sign = "Art." if args.name.startswith("Art") else args.name
    return f"{sign}&nbsp;{args[1]} {args[2]}".strip() if args[1] else None


def de_quote(args: Arguments) -> str | None:
    """German `{{Zitat|Text=Wort|Autor=Kant|Quelle=Buch}}`: „Wort“ in a block, then its author: – Kant: Buch."""
    text = _quoted(args, args.first("Text", "text", 1))
    if not text:
        return None
    signature = ": ".join(part for part in (args.first("Autor", "autor", 2), args.first("Quelle", "quelle", 3)) if part)
    other = args.first("Übersetzung", "übersetzung")
    parts = (text, args.first("Umschrift"), f"„{other}“" if other else "", f"– {signature}" if signature else "")
    return "<blockquote>\n" + "\n\n".join(part for part in parts if part) + "\n</blockquote>"


def de_inline_quote(args: Arguments) -> str | None:
    """German `{{"|Wort}}`: „Wort“; `{{"-en|word}}` or `Sprache=en`: the marks of that language."""
    text = _quoted(args, args.first("Text", "text", 1))
    other = args.first("Übersetzung", "übersetzung")
    return " ".join(part for part in (text, f"„{other}“" if other else "") if part) or None


def _quoted(args: Arguments, text: str) -> str:
    language = (args.first("Sprache", "sprache", "lang") or args.name.rpartition("-")[2]).lower()[:2]
    opening, closing = _QUOTES.get(language, ("„", "“"))
    return f"{opening}{text}{closing}" if text else ""
