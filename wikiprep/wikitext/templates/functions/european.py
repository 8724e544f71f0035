"""Small functions of German, Spanish, Portuguese, Polish, Czech and Korean templates."""

import re

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.language_names import labels_of
from wikiprep.wikitext.templates.functions.local_dates import date
from wikiprep.wikitext.templates.numbers import format_number

_LEVELS = {
    "DE-NN": "ü. NN",
    "DE-NHN": "ü. NHN",
    "DE-HN": "ü. HN",
    "AT": "ü. A.",
    "CH": "ü. M.",
    "IT": "s.l.m.",
    "LI": "ü. M.",
    "PL": "n.p.m.",
    "CZ": "n.m.",
    "SK": "n.m.",
    "FR": "",
    "": "",
}
_THREE = {"spa": "es", "ita": "it", "lat": "la", "goh": "goh", "ang": "ang", "non": "non", "hsb": "hsb", "dsb": "dsb"}
_NUMBER = re.compile(r"[-−]?\d+(?:[.,]\d+)?")
_PORTUGUESE_DATE = date("pt", "dmy", "data")
_POLISH = {
    "ang": "en",
    "niem": "de",
    "fr": "fr",
    "wł": "it",
    "hiszp": "es",
    "port": "pt",
    "łac": "la",
    "ros": "ru",
    "ukr": "uk",
    "gr": "el",
    "stgr": "grc",
    "jap": "ja",
    "chiń": "zh",
    "kor": "ko",
    "arab": "ar",
    "hebr": "he",
    "czes": "cs",
    "słow": "sk",
    "węg": "hu",
    "tur": "tr",
    "lit": "lt",
    "szw": "sv",
    "norw": "no",
    "duń": "da",
    "niderl": "nl",
    "rum": "ro",
    "biał": "be",
    "pers": "fa",
    "fiń": "fi",
    "est": "et",
    "łot": "lv",
    "gruz": "ka",
    "orm": "hy",
    "jid": "yi",
    "sanskr": "sa",
    "bułg": "bg",
    "serb": "sr",
    "chorw": "hr",
}
_CZECH = {
    "en": "anglicky",
    "de": "německy",
    "fr": "francouzsky",
    "it": "italsky",
    "es": "španělsky",
    "la": "latinsky",
    "ru": "rusky",
    "pl": "polsky",
    "sk": "slovensky",
    "hu": "maďarsky",
    "el": "řecky",
    "grc": "starořecky",
    "ja": "japonsky",
    "zh": "čínsky",
    "ko": "korejsky",
    "ar": "arabsky",
    "he": "hebrejsky",
    "pt": "portugalsky",
    "nl": "nizozemsky",
    "sv": "švédsky",
    "no": "norsky",
    "da": "dánsky",
    "fi": "finsky",
    "uk": "ukrajinsky",
    "bg": "bulharsky",
    "sr": "srbsky",
    "hr": "chorvatsky",
    "sl": "slovinsky",
    "ro": "rumunsky",
    "tr": "turecky",
    "fa": "persky",
    "hi": "hindsky",
    "lt": "litevsky",
    "lv": "lotyšsky",
    "et": "estonsky",
    "cs": "česky",
}


def de_language(args: Arguments) -> str | None:
    """German `{{ruS|дом|dom|de=Haus}}`: russisch дом dom ‚Haus‘."""
    code = args.name[:-1].strip().lower()
    label = labels_of("de").label(_THREE.get(code, code))
    if not args[1]:
        return label.strip() or None
    text = f"{label}''{args[1]}''"
    text += f" ''{args[2]}''" if args[2] else ""
    meaning = args.first("de", "d", "Bedeutung")
    return f"{text} ‚{meaning}‘" if meaning else text


def de_height(args: Arguments) -> str | None:
    """German `{{Höhe|1234|DE-NN}}`: 1234 m ü. NN."""
    height = args[1]
    if not height:
        return None
    height = height.replace(".", ",") if _NUMBER.fullmatch(height) else height
    return f"{height} m {_LEVELS.get(args[2], '')}".strip()


def es_century(args: Arguments) -> str | None:
    """Spanish `{{siglo|XIX}}`: XIX alone; `{{siglo|V|a|s}}`: siglo V a. C.; `{{siglo|XV||S}}`: Siglo XV;
    `{{siglo|XV||a}}`: s. XV; linked by a 1 behind that."""
    if not args[1]:
        return None
    word = {"s": "siglo ", "S": "Siglo ", "a": "s. ", "A": "S. "}.get(args[3], "")
    era = {"a": " a. C.", "d": " d. C."}.get(args[2].rstrip("."), "")
    label = f"{word}{args[1]}{era}"
    return f"[[Siglo {args[1]}{era}|{label}]]" if args[4] == "1" else label


def pt_number(args: Arguments) -> str | None:
    """Portuguese `{{fmtn|12345|km}}`: 12 345 km."""
    number = args[1]
    if not number:
        return None
    number_text = format_number(number, "pt") if _NUMBER.fullmatch(number) else number
    return f"{number_text} {args[2]}".strip()


def era(args: Arguments) -> str:
    """Portuguese `{{AC|44|x}}`: 44 a.C.; `{{DC|14}}`: 14 d.C.; Spanish `{{AC|44}}`: 44 a. C.; the sign alone without a
    year."""
    sign = f"{args.name[0].lower()}.{'&nbsp;' if args.language == 'es' else ''}C."
    return sign if args[1].lower() in ("", "x", "n") else f"{args[1]} {sign}"


def pt_linked_date(args: Arguments) -> str | None:
    """Portuguese `{{dtlink|5|3|1950}}`: 5 de março de 1950, day and year linked."""
    parts = (_PORTUGUESE_DATE(args) or "").split(" de ")
    if len(parts) == 3:
        return f"[[{parts[0]} de {parts[1]}]] de [[{parts[2]}]]"
    return " de ".join(parts) or None


def pl_language(args: Arguments) -> str | None:
    """Polish `{{ang.|text}}`: ang. text."""
    return labels_of("pl").label(_POLISH.get(args.name.rstrip(".").lower(), "")) + args[1] if args[1] else None


def label_by_code(args: Arguments) -> str | None:
    """`{{w języku|en|text}}`, Korean `{{llang|en|text}}`: the wiki's label for a code before the words."""
    return labels_of(args.language).label(args[1]) + args[2] if args[2] else args[1] or None


def cs_language(args: Arguments) -> str | None:
    """Czech `{{vjazyce2|en|text}}`: anglicky text; `{{vjazyce|en}}`: anglicky."""
    words = _CZECH.get(args[1].lower(), "")
    return f"{words} {args[2]}".strip() or None
