"""The line of a Wiktionary entry that names the word and its forms: `{{head|la|verb}}`, `{{fr-noun|m}}`.

Of single languages' own templates the word and its gender are shown, since their forms are computed by modules;
those of English, whose forms are few, stand in `wiktionary_english`.
"""

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
