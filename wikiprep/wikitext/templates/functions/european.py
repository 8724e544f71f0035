"""Small functions of Spanish, Portuguese, Polish, Czech, Russian and Korean templates."""

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.language_names import labels_of
from wikiprep.wikitext.templates.functions.local_dates import date
from wikiprep.wikitext.templates.numbers import write_number

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
    "słoweń": "sl",
    "węg": "hu",
    "tur": "tr",
    "lit": "lt",
    "szw": "sv",
    "norw": "no",
    "duń": "da",
    "isl": "is",
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
    "bośn": "bs",
    "maced": "mk",
    "alb": "sq",
    "irl": "ga",
    "wal": "cy",
    "mong": "mn",
    "kaz": "kk",
    "wiet": "vi",
}
_CZECH = {
    "cs": "česky",
    "sk": "slovensky",
    "pl": "polsky",
    "hsb": "hornolužickosrbsky",
    "dsb": "dolnolužickosrbsky",
    "de": "německy",
    "nl": "nizozemsky",
    "lb": "lucembursky",
    "en": "anglicky",
    "is": "islandsky",
    "sv": "švédsky",
    "no": "norsky",
    "da": "dánsky",
    "fo": "faersky",
    "fi": "finsky",
    "et": "estonsky",
    "fr": "francouzsky",
    "it": "italsky",
    "es": "španělsky",
    "pt": "portugalsky",
    "ca": "katalánsky",
    "gl": "galicijsky",
    "oc": "okcitánsky",
    "ro": "rumunsky",
    "la": "latinsky",
    "eu": "baskicky",
    "ga": "irsky",
    "cy": "velšsky",
    "br": "bretonsky",
    "mt": "maltsky",
    "sq": "albánsky",
    "el": "řecky",
    "grc": "starořecky",
    "ru": "rusky",
    "uk": "ukrajinsky",
    "be": "bělorusky",
    "bg": "bulharsky",
    "mk": "makedonsky",
    "sr": "srbsky",
    "hr": "chorvatsky",
    "bs": "bosensky",
    "sl": "slovinsky",
    "lt": "litevsky",
    "lv": "lotyšsky",
    "hu": "maďarsky",
    "tr": "turecky",
    "az": "ázerbájdžánsky",
    "kk": "kazašsky",
    "uz": "uzbecky",
    "ky": "kyrgyzsky",
    "tt": "tatarsky",
    "mn": "mongolsky",
    "ka": "gruzínsky",
    "hy": "arménsky",
    "fa": "persky",
    "ku": "kurdsky",
    "ar": "arabsky",
    "he": "hebrejsky",
    "hi": "hindsky",
    "bn": "bengálsky",
    "ta": "tamilsky",
    "bo": "tibetsky",
    "zh": "čínsky",
    "ja": "japonsky",
    "ko": "korejsky",
    "vi": "vietnamsky",
    "th": "thajsky",
    "id": "indonésky",
    "ms": "malajsky",
}


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
    return f"{write_number(args[1], 'pt')} {args[2]}".strip() if args[1] else None


def era(args: Arguments) -> str:
    """Portuguese `{{AC|44|x}}`: 44 a.C.; `{{DC|14}}`: 14 d.C.; Spanish `{{AC|44}}`: 44 a. C.

    The sign alone without a year.
    """
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
    """`{{w języku|en|text}}`: the wiki's label for a code before the words."""
    return labels_of(args.language).label(args[1]) + args[2] if args[2] else args[1] or None


def ko_label(args: Arguments) -> str | None:
    """Korean `{{llang|ja|千代田区|지요다쿠}}`: 일본어: 千代田区 지요다쿠, how it is read behind the words."""
    text = label_by_code(args)
    return f"{text} {args[3]}" if text and args[3] else text


def cs_language(args: Arguments) -> str | None:
    """Czech `{{vjazyce2|en|text}}`: anglicky text; `{{vjazyce|en}}`: anglicky. The word is linked to the language."""
    code = args[1].lower()
    words = _CZECH.get(code, "")
    if article := labels_of("cs").full_name(code) if words else "":
        words = f"[[{article[0].upper()}{article[1:]}|{words}]]"
    return f"{words} {args[2]}".strip() or None


def pl_journal_of_laws(args: Arguments) -> str | None:
    """Polish `{{Dziennik Ustaw|2001|73|760}}`: Dz.U. z 2001 r. nr 73, poz. 760; since 2012 without a number:
    `{{Dziennik Ustaw|2013|200}}`: Dz.U. z 2013 r. poz. 200."""
    sign = "M.P." if args.name == "Monitor Polski" else "Dz.U."
    year, number, entry = args.first("rok", 1), args.first("numer", "nr", 2), args.first("pozycja", "poz", 3)
    if number and not entry and not args.first("numer", "nr"):
        number, entry = "", number
    if not year:
        return None
    number = f" nr {number}{',' if entry else ''}" if number else ""
    return f"{sign} z {year} r.{number}{f' poz. {entry}' if entry else ''}"


def ru_number(args: Arguments) -> str | None:
    """Russian `{{num|12345|км}}`: 12 345 км, the number with what is counted."""
    if not args[1]:
        return None
    number = write_number(args[1], args.language)
    return f"{number}&nbsp;{args[2]}" if args[2] else number


def ru_nihongo(args: Arguments) -> str | None:
    """Russian `{{нихонго|«масло»|油|абура|…}}`: «масло» (яп. 油 абура, …)."""
    words = " ".join(part for part in (args[2], f"''{args[3]}''" if args[3] else "") if part)
    inside = ", ".join(part for part in (words and labels_of("ru").label("ja") + words, args[4]) if part)
    return (f"{args[1]} ({inside})" if args[1] and inside else args[1] or inside) or None
