"""Chinese, Japanese and Korean words with their readings, as the English Wikipedia gives them."""

from wikiprep.wikitext.templates.arguments import Arguments

_CHINESE = {
    "c": "[[Chinese language|Chinese]]",
    "s": "[[Simplified Chinese characters|simplified Chinese]]",
    "t": "[[Traditional Chinese characters|traditional Chinese]]",
    "p": "[[pinyin]]",
    "hp": "[[pinyin]]",
    "tp": "[[Tongyong Pinyin]]",
    "w": "[[Wade–Giles]]",
    "j": "[[Jyutping]]",
    "cy": "[[Yale romanization of Cantonese|Cantonese Yale]]",
    "y": "[[Yale romanization of Cantonese|Cantonese Yale]]",
    "sl": "[[Sidney Lau romanisation|Sidney Lau]]",
    "poj": "[[Pe̍h-ōe-jī]]",
    "zhu": "[[Bopomofo|Zhuyin Fuhao]]",
}


def _format_label(label: str, linked: bool) -> str:
    return label if linked else label.strip("[]").rpartition("|")[2]


def zh(args: Arguments) -> str | None:
    """`{{zh|s=…|t=…|p=…}}`, labelled and joined by semicolons; without labels where `labels=no`."""
    labels, linked = args["labels"].lower() != "no", args["links"].lower() != "no"
    order = list(_CHINESE)
    if "t" in args["first"].lower()[:3]:
        order[1], order[2] = order[2], order[1]
    parts: list[str] = []
    for key in order:
        if value := args[key]:
            parts.append(f"{_format_label(_CHINESE[key], linked)}: {value}" if labels else value)
    if not parts and (value := args.first(1, 2)):
        parts.append(value)
    for key, label in (("l", "[[Literal translation|lit.]]"), ("tr", "trans.")):
        if value := args[key]:
            parts.append(f"{_format_label(label, linked)} '{value}'" if labels else f"'{value}'")
    return "; ".join(parts) or None


def korean(args: Arguments) -> str | None:
    """`{{korean|hangul=…|hanja=…|rr=…|mr=…}}`."""
    labels, linked = args["labels"].lower() != "no", args.first("links", "link").lower() != "no"
    parts: list[str] = []
    for keys, label in (
        (("hangul", "1"), "[[Korean language|Korean]]"),
        (("hanja", "2"), "[[Hanja]]"),
        (("rr",), "[[Revised Romanization of Korean|RR]]"),
        (("mr",), "[[McCune–Reischauer|MR]]"),
    ):
        if value := args.first(*keys):
            parts.append(f"{_format_label(label, linked)}: {value}" if labels else value)
    if value := args.first("lit", "l"):
        parts.append(f"{_format_label('[[Literal translation|lit.]]', linked)} '{value}'" if labels else f"'{value}'")
    return "; ".join(parts) or None


def _in_brackets(first: str, inside: list[str], after: str) -> str | None:
    words = ", ".join(part for part in inside if part)
    text = f"{first} ({words})" if first and words else first or words
    return f"{text} {after}".strip() or None


def _japanese_parts(args: Arguments) -> tuple[str, str, str, str, str]:
    english, kanji, romaji, extra, after = args[1], args[2], args[3], args.first("extra", 4), args.first("extra2", 5)
    if args.on("lead"):
        kanji = f"[[Japanese language|Japanese]]: {kanji}" if kanji else ""
        romaji = f"[[Hepburn romanization|Hepburn]]: ''{romaji}''" if romaji else ""
    elif romaji:
        romaji = f"''{romaji}''"
    return english, kanji, romaji, extra, after


def nihongo(args: Arguments) -> str | None:
    """`{{nihongo|English|kanji|romaji|extra|more}}`: English (kanji, romaji, extra) more."""
    english, kanji, romaji, extra, after = _japanese_parts(args)
    if not english:
        english, romaji = romaji, ""
    return _in_brackets(english, [kanji, romaji, extra], after)


def nihongo3(args: Arguments) -> str | None:
    """`{{nihongo3|English|kanji|romaji|extra|more}}`: romaji (kanji, English, extra) more."""
    english, kanji, romaji, extra, after = _japanese_parts(args)
    return _in_brackets(romaji or english, [kanji, english if romaji else "", extra], after)


def nihongo_krt(args: Arguments) -> str | None:
    """`{{nihongo krt|English|kanji|romaji|extra|more}}`: kanji (romaji, English, extra) more."""
    english, kanji, romaji, extra, after = _japanese_parts(args)
    return _in_brackets(kanji or romaji, [romaji if kanji else "", english, extra], after)
