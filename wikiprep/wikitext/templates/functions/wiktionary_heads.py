"""The line of a Wiktionary entry that names the word and its forms: `{{head|la|verb}}`, `{{en-noun}}`, `{{fr-noun|m}}`.

English ones follow Module:en-headword; of other languages' own templates the word and its gender are shown, since their
forms are computed by modules.
"""

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.wiktionary import plain
from wikiprep.wikitext.templates.functions.wiktionary_links import gender
from wikiprep.wikitext.templates.functions.wiktionary_modifiers import word_of

_VOWELS = "aeiou"
_GENDERS = frozenset(
    ("m", "f", "n", "c", "mf", "m-p", "f-p", "n-p", "c-p", "m-s", "f-s", "n-s", "mp", "fp", "m-an", "m-in", "m-pr")
)


def _title(args: Arguments) -> str:
    return plain(args["head"] or args.title)


def _line(args: Arguments, forms: list[tuple[str, str]], genders: str = "") -> str | None:
    """The word, its gender, and forms as (what, form) in brackets."""
    word = _title(args)
    if not word:
        return None
    parts = [f"''{what}'' '''{form}'''".strip() if form else f"''{what}''" for what, form in forms]
    shown = f"'''{word}'''" + (f" {gender(genders)}" if genders else "")
    return shown + (f" ({', '.join(parts)})" if parts else "")


def head(args: Arguments) -> str | None:
    """`{{head|fr|noun|plural|mots|g=m}}`: mot m (plural mots)."""
    values = args.positional()[2:]
    forms = [(what, plain(word_of(form))) for what, form in zip(values[::2], [*values[1::2], ""], strict=False) if what]
    if args["tr"] and args["tr"] != "-":
        forms = [(args["tr"], ""), *forms]
    return _line(args, forms, ", ".join(value for value in (args["g"], args["g2"]) if value))


def of_language(args: Arguments) -> str | None:
    """`{{fr-noun|m}}`: the word, and the gender where the first argument is one."""
    first = word_of(args[1])
    return _line(args, [], args["g"] or (first if first in _GENDERS else ""))


def plural(word: str) -> str:
    """The regular plural of an English noun."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return word[:-1] + "ies"
    return word + "s"


def english_noun(args: Arguments) -> str | None:
    """`{{en-noun}}`, `{{en-noun|es}}`, `{{en-noun|-}}`, `{{en-noun|~|mice}}`."""
    word = _title(args)
    values = [plain(value) for value in args.positional() if value]
    uncountable = values[:1] == ["-"]
    both = values[:1] == ["~"]
    if values[:1] in (["-"], ["~"], ["?"], ["!"], ["+"]):
        unknown = values[0] in "?!"
        values = values[1:]
        if unknown and not values:
            return _line(args, [])
    if uncountable and not values:
        return _line(args, [("uncountable", "")])
    given = [word + value if value in ("s", "es") else plural(word) if value == "+" else value for value in values]
    if len(values) == 2 and values[1] in ("s", "es", "ies"):  # a stem and its ending, until 2021
        given = [values[0] + values[1]]
    forms = [("plural" if not i else "or", form) for i, form in enumerate(given or [plural(word)])]
    first = [("usually uncountable", "")] if uncountable else [("countable ''and'' uncountable", "")] if both else []
    return _line(args, _joined([*first, *forms]))


def _joined(forms: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Forms that an "or" joins are one."""
    out: list[tuple[str, str]] = []
    for what, form in forms:
        if what == "or" and out:
            out[-1] = (out[-1][0], f"{out[-1][1]}''' ''or'' '''{form}")
        else:
            out.append((what, form))
    return out


def english_verb(args: Arguments) -> str | None:
    """`{{en-verb}}`, `{{en-verb|third|ing|past|participle}}`, `{{en-verb|stem|t|ed}}`."""
    word = _title(args)
    values = [plain(value) for value in args.positional()]
    stem = word[:-1] if word.endswith("e") and not word.endswith(("ee", "oe", "ye")) else word
    past = stem + "ed"
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        past = word[:-1] + "ied"
    third, ing, participle = plural(word), stem + "ing", ""
    if len(values) == 1 and values[0] and values[0] not in ("es", "*"):  # a stem: `{{en-verb|tak}}`
        ing, past = values[0] + "ing", values[0] + "ed"
    elif len(values) == 3 and values[2] in ("ed", "ing", "es"):  # `{{en-verb|admi|t|ed}}`, until 2021
        base = values[0] + values[1]
        ing, past = base + "ing", base + "ed"
        third = base + "es" if values[2] == "es" else third
    elif len(values) == 2 and values[1] in ("ed", "d", "ing", "es"):
        ing, past = values[0] + "ing", values[0] + ("d" if values[1] == "d" else "ed")
    elif len(values) >= 3:
        third, ing, past = values[0] or third, values[1] or ing, values[2] or past
        participle = values[3] if len(values) > 3 else ""
    forms = [("third-person singular simple present", third), ("present participle", ing)]
    if participle and participle != past:
        forms += [("simple past", past), ("past participle", participle)]
    else:
        forms.append(("simple past and past participle", past))
    return _line(args, forms)


def english_adjective(args: Arguments) -> str | None:
    """`{{en-adj}}`, `{{en-adj|er}}`, `{{en-adj|better|best}}`, `{{en-adj|-}}`; adverbs alike."""
    word = _title(args)
    values = [plain(value) for value in args.positional() if value]
    if values == ["-"]:
        return _line(args, [("not comparable", "")])
    if values[:1] == ["?"]:
        return _line(args, [])
    first = values[0] if values and values[0] != "-" else "more"
    best = args["sup"] or (values[1] if len(values) > 1 and values[1] not in ("er", "more") else "")
    if first in ("er", "r"):
        stem = word[:-1] + "i" if word.endswith("y") else word.removesuffix("e")
        comparative, superlative = stem + "er", stem + "est"
    elif first == "more":
        comparative, superlative = f"more {word}", f"most {word}"
    else:
        comparative = first
        superlative = first.removesuffix("er") + "est" if first.endswith("er") else f"most {word}"
        if len(values) > 1 and values[1] == "er":  # `{{en-adj|happi|er}}`
            comparative, superlative = first + "er", first + "est"
    return _line(args, [("comparative", comparative), ("superlative", best or superlative)])
