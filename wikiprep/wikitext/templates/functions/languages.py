"""Words in other languages: `{{lang-fr|…}}`, `{{langx|fr|…}}`, `{{zh|…}}`, `{{nihongo|…}}`."""

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.language_names import NAMES


def lang_label(args: Arguments) -> str | None:
    """`{{lang-fr|text|transliteration|translation}}`; the language's code is in the template's name."""
    return _labelled(
        args.name.partition("-")[2], args[1] or args["text"], args.first(2, "translit"), args.first(3, "lit"), args
    )


def langx(args: Arguments) -> str | None:
    """`{{langx|fr|text|transliteration|translation}}`."""
    return _labelled(args[1], args[2] or args["text"], args.first(3, "translit"), args.first(4, "lit"), args)


def _labelled(code: str, text: str, romanized: str, meaning: str, args: Arguments) -> str | None:
    if not text:
        return None
    name = NAMES.get(code.lower()) or NAMES.get(code.lower().partition("-")[0])
    if name and args["label"] != "none":
        article = name if name.endswith("language") or " " in name else f"{name} language"
        text = f"[[{article}|{name}]]: {text}"
    if romanized:
        text += f", romanized: {romanized}"
    if meaning:
        text += f", lit. '{meaning}'"
    return text


_CHINESE = (
    ("c", "Chinese"),
    ("s", "simplified Chinese"),
    ("t", "traditional Chinese"),
    ("p", "pinyin"),
    ("w", "Wade–Giles"),
    ("j", "Jyutping"),
    ("cy", "Cantonese Yale"),
    ("poj", "Pe̍h-ōe-jī"),
)


def zh(args: Arguments) -> str | None:
    """`{{zh|s=…|t=…|p=…}}`, labelled and joined by semicolons; without labels where `labels=no`."""
    labels = args["labels"].lower() != "no"
    order = _CHINESE
    if args["first"].startswith("t"):
        order = (_CHINESE[0], _CHINESE[2], _CHINESE[1], *_CHINESE[3:])
    parts = [f"{name}: {args[key]}" if labels else args[key] for key, name in order if args[key]]
    if args["l"]:
        parts.append(f"lit. '{args['l']}'" if labels else f"'{args['l']}'")
    return "; ".join(parts) or None


def nihongo(args: Arguments) -> str | None:
    """`{{nihongo|English|kanji|romaji|extra|more}}`: English (kanji, romaji, extra) more."""
    english, kanji, romaji, extra, more = args[1], args[2], args[3], args.first("extra", 4), args.first("extra2", 5)
    if romaji:
        romaji = f"''{romaji}''"
    if not english:
        english, romaji = romaji, ""
    inside = ", ".join(part for part in (kanji, romaji, extra) if part)
    text = f"{english} ({inside})" if english and inside else english or inside
    return f"{text} {more}".strip() or None
