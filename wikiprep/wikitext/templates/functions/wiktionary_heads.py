"""The line of a Wiktionary entry that names the word and its forms: `{{head|la|verb}}`, `{{fr-noun|m}}`, `{{en-noun}}`.

Of single languages' own templates the word and its gender are shown, since their forms are computed by modules. Those
of English are few and computed here, as Module:en-headword of the English Wiktionary has them: `+` stands for the
regular form, `++` for the one that doubles the last letter. Of arguments in its larger notations
(`go<goes,,went,gone> down`) the word alone is shown.
"""

from collections.abc import Iterable

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.wiktionary import plain_text
from wikiprep.wikitext.templates.functions.wiktionary_links import gender
from wikiprep.wikitext.templates.functions.wiktionary_modifiers import word_of

_GENDERS = frozenset(
    ("m", "f", "n", "c", "mf", "m-p", "f-p", "n-p", "c-p", "m-s", "f-s", "n-s", "mp", "fp", "m-an", "m-in", "m-pr")
)


def title_of(args: Arguments) -> str:
    return plain_text(args["head"] or args.title)


def headword_line(args: Arguments, forms: list[tuple[str, str]], genders: str = "") -> str | None:
    """The word, its gender, and forms as (what, form) in brackets."""
    word = title_of(args)
    if not word:
        return None
    parts = [f"''{what}'' '''{form}'''".strip() if form else f"''{what}''" for what, form in forms]
    line = f"'''{word}'''" + (f" {gender(genders)}" if genders else "")
    return line + (f" ({', '.join(parts)})" if parts else "")


def head(args: Arguments) -> str | None:
    """`{{head|fr|noun|plural|mots|g=m}}`: mot m (plural mots)."""
    values = args.positional()[2:]
    forms = [
        (what, plain_text(word_of(form))) for what, form in zip(values[::2], [*values[1::2], ""], strict=False) if what
    ]
    if args["tr"] and args["tr"] != "-":
        forms = [(args["tr"], ""), *forms]
    return headword_line(args, forms, ", ".join(value for value in (args["g"], args["g2"]) if value))


def of_language(args: Arguments) -> str | None:
    """`{{fr-noun|m}}`: the word, and the gender where the first argument is one."""
    first = word_of(args[1])
    return headword_line(args, [], args["g"] or (first if first in _GENDERS else ""))


_VOWELS = "aeiou"
_BETWEEN_LETTERS = " -'\u2019"
_PROPER = frozenset(("en-proper noun", "en-proper-noun", "en-prop"))


def _readable(values: Iterable[str], *signs: str) -> bool:
    """Whether each value is a form as it is written, or one of the signs."""
    return all(
        value in ("", "+", "++", *signs)
        or (any(map(str.isalpha, value)) and all(c.isalpha() or c in _BETWEEN_LETTERS for c in value))
        for value in values
    )


def _consonant_and_y(word: str) -> bool:
    return word.endswith("y") and word[-2:-1].lower() not in _VOWELS


def plural(word: str) -> str:
    """The regular plural of an English noun, and third person of a verb."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word[:-1] + "ies" if _consonant_and_y(word) else word + "s"


def _noun_form(word: str, value: str) -> str:
    if value in ("s", "es", "'s", "\u2019s"):
        return word + value
    return {"+": plural(word), "++": word + word[-1:] + "es"}.get(value, value)


def english_noun(args: Arguments) -> str | None:
    """`{{en-noun}}`, `{{en-noun|es}}`, `{{en-noun|-}}`, `{{en-noun|~|mice}}`; of a proper noun only plurals given."""
    word = title_of(args)
    values = [plain_text(value) for value in args.positional() if value]
    countable = values.pop(0) if values[:1] in (["-"], ["~"], ["?"], ["!"]) else ""
    proper = args.name.lower() in _PROPER
    none_known = not values and (countable in ("?", "!") or (proper and countable != "~"))
    if none_known or not _readable(values):
        return headword_line(args, [])
    if countable == "-" and not values:
        return headword_line(args, [("uncountable", "")])
    if len(values) == 2 and values[1] in ("s", "es", "ies") and values[0] not in ("s", "es", "+", "++"):
        values = [values[0] + values[1]]  # a stem and its ending, until 2021
    first = {"-": "usually uncountable", "~": "countable ''and'' uncountable"}.get(countable)
    forms = _alternatives("plural", [_noun_form(word, value) for value in values or ["+"]])
    return headword_line(args, [*([(first, "")] if first else []), *forms])


def english_pronoun(args: Arguments) -> str | None:
    """`{{en-pron|desc=third-person}}`: the word, and what is said of it."""
    return headword_line(args, [(args["desc"], "")] if args["desc"] else [])


def _alternatives(what: str, forms: list[str]) -> list[tuple[str, str]]:
    """Forms that an "or" joins are one."""
    return [(what, "''' ''or'' '''".join(dict.fromkeys(forms)))]


def english_verb(args: Arguments) -> str | None:
    """`{{en-verb}}`, `{{en-verb|++}}`, `{{en-verb|third|ing|past|participle}}`, `{{en-verb|stem|t|ed}}`."""
    word = title_of(args)
    values = [plain_text(value) for value in args.positional()]
    if not _readable(values, "*", "-"):
        return headword_line(args, [])
    regular = _regular_forms(word)
    third, ing, past, participle = _verb_forms(word, values, regular)
    forms = [("third-person singular simple present", third), ("present participle", ing)]
    if participle and participle != past:
        forms += [("simple past", past), ("past participle", participle)]
    else:
        forms.append(("simple past and past participle", past))
    return headword_line(args, [(what, form) for what, form in forms if form and form != "-"])


def _regular_forms(word: str) -> tuple[str, str, str]:
    """Third person, present participle and past."""
    stem = word[:-1] if word.endswith("e") and not word.endswith(("ee", "oe", "ye")) else word
    past = word[:-1] + "ied" if _consonant_and_y(word) else word.removesuffix("e") + "ed"
    return plural(word), stem + "ing", past


def _doubled_forms(word: str) -> tuple[str, str, str]:
    """As `_regular_forms`, with the last letter doubled."""
    base = word + word[-1:]
    return base + "es" if word.endswith(("s", "z")) else plural(word), base + "ing", base + "ed"


def _verb_forms(word: str, values: list[str], regular: tuple[str, str, str]) -> tuple[str, str, str, str]:
    third, ing, past = regular
    if not values or values in ([""], ["*"], ["+"]):
        return third, ing, past, ""
    if len(values) == 1:
        value = values[0]
        if value == "++":
            return *_doubled_forms(word), ""
        if value in ("s", "es"):
            return word + value, ing, past, ""
        if value == "d":
            return third, word + "ing", word + "d", ""
        if not (value.endswith("s") and value.startswith(word)):  # else the third person: `{{en-verb|goes}}`
            return third, value + "ing", value + "ed", ""  # a stem: `{{en-verb|tak}}`
    elif len(values) == 3 and values[2] in ("ed", "ing", "es"):  # `{{en-verb|admi|t|ed}}`, until 2021
        base = values[0] + values[1]
        return base + "es" if values[2] == "es" else third, base + "ing", base + "ed", ""
    elif len(values) == 2 and values[1] in ("ed", "d", "ing", "es"):
        return third, values[0] + "ing", values[0] + ("d" if values[1] == "d" else "ed"), ""
    first, second, third_value, fourth, *_ = [*values, "", "", "", ""]
    doubled = _doubled_forms(word)
    forms = [
        {"": usual, "*": usual, "+": usual, "++": doubled_form}.get(value, value)
        for value, usual, doubled_form in zip((first, second, third_value), regular, doubled, strict=True)
    ]
    participle = {"*": forms[2], "+": forms[2], "++": doubled[2]}.get(fourth, fourth)
    return forms[0], forms[1], forms[2], participle


def english_adjective(args: Arguments) -> str | None:
    """`{{en-adj}}`, `{{en-adj|er}}`, `{{en-adj|er|more}}`, `{{en-adj|better|best}}`, `{{en-adj|-}}`; adverbs alike."""
    word = title_of(args)
    values = [plain_text(value) for value in args.positional() if value]
    superlative = plain_text(args["sup"])
    sign = values.pop(0) if values[:1] in (["-"], ["?"]) else ""
    if (sign == "?" and not values) or not _readable([*values, superlative]):
        return headword_line(args, [])
    if sign and not values:
        return headword_line(args, [("not comparable", "")])
    if len(values) == 2 and values[1] == "er" and values[0] not in ("er", "r", "more", "+", "++"):
        pairs = [(values[0] + "er", values[0] + "est")]  # `{{en-adj|happi|er}}`, until 2021
    elif len(values) == 2 and values[1] not in ("more", "+", "++") and not values[1].endswith("er"):
        pairs = [(_comparison_forms(word, values[0])[0], values[1])]
    else:
        pairs = [_comparison_forms(word, value) for value in values or ["more"]]
    if superlative:
        pairs[0] = (pairs[0][0], _comparison_forms(word, superlative)[1] if superlative in ("+", "++") else superlative)
    first = [("not generally comparable", "")] if sign == "-" else []
    comparatives, superlatives = ([pair[i] for pair in pairs] for i in (0, 1))
    forms = [*_alternatives("comparative", comparatives), *_alternatives("superlative", superlatives)]
    return headword_line(args, [*first, *forms])


def _comparison_forms(word: str, value: str) -> tuple[str, str]:
    """Comparative and superlative that an argument stands for."""
    if value in ("more", "+"):
        return f"more {word}", f"most {word}"
    if value in ("er", "r", "++"):
        stem = word[:-1] + "i" if _consonant_and_y(word) else word.removesuffix("e")
        stem = word + word[-1:] if value == "++" else stem
        return stem + "er", stem + "est"
    return value, value.removesuffix("er") + "est" if value.endswith("er") else f"most {word}"
