"""Readings, eras and dates on the Japanese Wikipedia."""

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.dates import month_number
from wikiprep.wikitext.templates.functions.language_names import labels_of
from wikiprep.wikitext.templates.functions.languages import lang_label

_SHORT = {
    "en": "英",
    "fr": "仏",
    "de": "独",
    "it": "伊",
    "es": "西",
    "pt": "葡",
    "ru": "露",
    "la": "羅",
    "nl": "蘭",
    "zh": "中",
    "ko": "朝",
    "el": "希",
    "ar": "亜",
    "he": "希伯来",
    "grc": "古希",
    "sv": "典",
    "tr": "土",
    "fa": "波斯",
    "pl": "波",
    "uk": "宇",
    "hu": "洪",
    "th": "泰",
    "vi": "越",
    "sa": "梵",
    "da": "丁",
    "no": "諾",
    "fi": "芬",
}
_ERAS = ((2019, "令和"), (1989, "平成"), (1926, "昭和"), (1912, "大正"), (1868, "明治"))


def language_label(args: Arguments) -> str | None:
    """`{{lang-en|text}}`: 英語: text; `{{lang-en-short|text}}`: 英: text, linked to the same article.

    The transcription `{{lang-*-Latn|ru|text}}`: ラテン文字転写: text.
    """
    code = args.name.partition("-")[2]
    if code == "*-Latn":
        return f"ラテン文字転写: {args[2]}" if args[2] else None
    if not code.endswith("-short"):
        return lang_label(args)
    code = code.removesuffix("-short")
    name = labels_of("ja").name(code)
    label = _SHORT.get(code, name)
    if not label or not args[1]:
        return args[1] or None
    return f"[[{name}|{label}]]: {args[1]}" if name else f"{label}: {args[1]}"


def reading(args: Arguments) -> str | None:
    """`{{読み仮名|漢字|かんじ|more}}`: 漢字（かんじ、more）."""
    inside = "、".join(value for value in args.positional()[1:4] if value)
    return f"{args[1]}（{inside}）" if args[1] and inside else args[1] or inside or None


def era(args: Arguments) -> str | None:
    """`{{和暦|2010}}`: 平成22年."""
    year = args[1].rstrip("年")
    if not year.isdecimal() or len(year) > 4:
        return args[1] or None
    for first, name in _ERAS:
        if int(year) >= first:
            count = int(year) - first + 1
            return f"{name}{'元' if count == 1 else count}年"
    return f"{year}年"


def write_date(values: list[str]) -> str:
    """年月日 after year, month and day, as far as they are given."""
    values = [month_number(value) if place == 1 else value for place, value in enumerate(values)]
    return "".join(f"{value}{mark}" for value, mark in zip(values, "年月日", strict=False) if value)


def date(args: Arguments) -> str | None:
    """`{{生年月日と年齢|1950|3|5}}`: 1950年3月5日; the age of today is left out."""
    values = args.positional()[:3]
    return write_date(values) if len(values) > 1 else args[1] or None


def death(args: Arguments) -> str | None:
    """`{{死亡年月日と没年齢|1920|1|2|1999|3|5}}`: 1999年3月5日（79歳没）."""
    values = args.positional()[:6]
    years = full_years(values)
    return write_date(values[3:]) + (f"（{years}歳没）" if years is not None else "") or None


def age_at_death(args: Arguments) -> str | None:
    """`{{没年齢|1920|1|2|1999|3|5}}`: 79歳没."""
    years = full_years(args.positional()[:6])
    return None if years is None else f"{years}歳没"


def full_years(values: list[str]) -> int | None:
    """Full years between two dates, three numbers each."""
    if len(values) < 6 or not all(value.isdecimal() and len(value) < 5 for value in values):
        return None
    born, died = ([int(value) for value in half] for half in (values[:3], values[3:]))
    return died[0] - born[0] - (died[1:] < born[1:])


def definitions(args: Arguments) -> str | None:
    """`{{dl2|term|meaning|term|meaning}}`: a list of definitions."""
    values = args.positional()
    lines: list[str] = []
    for term, meaning in zip(values[::2], [*values[1::2], ""], strict=False):
        lines += [f";{term}"] if term else []
        lines += [meaning if meaning[0] in "*#:;" else f":{meaning}"] if meaning else []
    return "\n".join(("<div>", *lines, "</div>")) if lines else None
