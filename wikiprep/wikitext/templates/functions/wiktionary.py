"""Wiktionary's templates around a word: labels, pronunciations, how it is made, what form it is, quotations.

The English Wiktionary's documentation of each is the source; older names and orders of arguments (the language as
`lang=`) are known too.
"""

import re

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.wiktionary_links import annotation_of, link_word, term
from wikiprep.wikitext.templates.functions.wiktionary_modifiers import add_qualifiers, modifiers, word_of

_CODE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,4})*")
_LANGUAGE_OF_NAME = re.compile(r"([A-Za-z]{2,3})-")
_CONSONANT = re.compile(r"(?:[^aeiou]|eu|ukr|uni|one)", re.IGNORECASE)  # begins a word with "a" before it
_JOINING = frozenset(("_", "and", "or", "&", "by", "with", "also", "/", ";"))
_WRITTEN = re.compile(r"\[\[:?(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")


def _without_code(args: Arguments) -> list[str]:
    """The unnamed values behind the language's code, which stands first where it is not `lang=`."""
    values = args.positional()
    return values if args["lang"] or not values or not _CODE.fullmatch(values[0]) else values[1:]


def label(args: Arguments) -> str | None:
    """`{{lb|en|transitive|_|or|informal}}`, `{{context|transitive|lang=en}}`: (transitive or informal)."""
    values = args.positional()
    if args.name not in ("Context", "Cx") or not args["lang"]:
        values = values[1:] if not args["lang"] else values
    return _labels(values)


def _labels(values: list[str]) -> str | None:
    text, joining = "", True
    for value in values:
        if value in _JOINING:
            text += "" if value == "_" else f" {value}"
            joining = True
        elif value:
            text += (" " if joining else ", ") + value
            joining = False
    text = text.strip()
    return f"({text})" if text else None


def qualifier(args: Arguments) -> str | None:
    """`{{q|a|b}}`: (a, b)."""
    return _labels(args.positional())


def accent(args: Arguments) -> str | None:
    """`{{a|en|RP|US}}`, `{{a|RP}}` until 2023: (RP, US)."""
    return _labels(_without_code(args))


def sense(args: Arguments) -> str | None:
    """`{{s|a|b}}`: (a, b):"""
    labels = _labels(args.positional())
    return labels and f"{labels}:"


def pronunciation(args: Arguments) -> str | None:
    """`{{IPA|en|/x/|[y]}}`, `{{IPA|/x/|lang=en}}`: IPA: /x/, [y]."""
    sounds = [modifiers(value) for value in _without_code(args) if value]
    texts = [add_qualifiers(_plain_brackets(sound), inline) for sound, inline in sounds if sound]
    return f"IPA: {', '.join(texts)}" if texts else None


def _plain_brackets(text: str) -> str:
    return text.replace("[", "&#91;").replace("]", "&#93;")


def rhymes(args: Arguments) -> str | None:
    """`{{rhymes|en|ɪk}}`: Rhymes: -ɪk."""
    values = [value for raw in _without_code(args) if (value := word_of(raw))]
    return "Rhymes: " + ", ".join(f"-{value}" for value in values) if values else None


def hyphenation(args: Arguments) -> str | None:
    """`{{hyphenation|en|dic|tio|na|ry}}`: Hyphenation: dic‧tio‧na‧ry."""
    parts = [value for raw in _without_code(args) if (value := word_of(raw))]
    return f"Hyphenation: {'‧'.join(parts)}" if parts else None


def definition_date(args: Arguments) -> str | None:
    """`{{defdate|from 15th c.}}`: in square brackets, [from 15th c.]."""
    return f"&#91;{args[1]}{'–' + args[2] if args[2] else ''}&#93;" if args[1] else None


def affix(args: Arguments) -> str | None:
    """`{{af|en|un-|do}}`, `{{suffix|en|do|ing}}`, `{{compound|…}}`: do + -ing."""
    code, parts = args["lang"], args.positional()
    if not code and parts:
        code, *parts = parts
    affixes = []
    for number, raw in enumerate(parts, 1):
        part, inline = modifiers(raw)
        alt = args[f"alt{number}"] or inline.get("alt", "")
        if not part and not alt:
            continue
        name = args.name
        hyphen_behind = (name in ("Prefix", "Pre") and number < len(parts)) or (
            name in ("Confix", "Con") and number == 1
        )
        hyphen_before = (name in ("Suffix", "Suf") and number > 1) or (
            name in ("Confix", "Con") and number > 1 and number == len(parts)
        )
        if hyphen_behind and not part.endswith("-"):
            part, alt = part + "-", alt and f"{alt}-"
        if hyphen_before and not part.startswith("-"):
            part, alt = "-" + part, alt and f"-{alt}"
        meaning = args.first(f"t{number}", f"gloss{number}") or inline.get("t", "")
        annotation = annotation_of(args, meaning, str(number), inline.get("tr", ""))
        affixes.append(add_qualifiers(link_word(code, part, alt, args.language) + annotation, inline))
    if not affixes:
        return None
    lead = {"Blend": "Blend of ", "Univerbation": "Univerbation of ", "Univ": "Univerbation of "}.get(args.name, "")
    return ("" if args["notext"] else lead) + " + ".join(affixes)


def form_of(args: Arguments) -> str | None:
    """`{{plural of|en|cat}}`, `{{plural of|cat|lang=en}}`: plural of cat. What is said is the template's name."""
    name = _LANGUAGE_OF_NAME.sub("", args.name)
    return _form_line(args, _FORMS.get(args.name, name[:1].lower() + name[1:]))


def shown_form(args: Arguments) -> str | None:
    """`{{clipping|en|automobile}}`: Clipping of automobile."""
    name = _FORMS.get(args.name, args.name)
    return _form_line(args, "" if args["notext"] else f"{name} of" if args["lang"] or args[2] else name)


def _form_line(args: Arguments, description: str) -> str | None:
    code = args["lang"] or _code_of_name(args.name)
    word = term(args, code or args[1], 1 if code else 2)
    return f"{description} {word}".strip() if word else None


def _code_of_name(name: str) -> str:
    """The language of `en-past of`, whose first argument is the word; "" for templates of any language."""
    match = _LANGUAGE_OF_NAME.match(name)
    return match[1].lower() if match else ""


_FORMS = {
    **dict.fromkeys(("Alt form", "Altform", "Alternative form of", "Alternate form of"), "alternative form of"),
    **dict.fromkeys(("Alt sp", "Altsp", "Alternative spelling of", "Altspell"), "alternative spelling of"),
    **dict.fromkeys(("Alt case", "Altcaps", "Alternative case form of"), "alternative letter-case form of"),
    **dict.fromkeys(("Abbr of", "Abbreviation of"), "abbreviation of"),
    **dict.fromkeys(("Init of", "Initialism of"), "initialism of"),
    **dict.fromkeys(("Syn of", "Synonym of"), "synonym of"),
    **dict.fromkeys(("Obs form", "Obsolete form of"), "obsolete form of"),
    **dict.fromkeys(("Obs sp", "Obsolete spelling of"), "obsolete spelling of"),
    **dict.fromkeys(("Missp", "Misspelling of"), "misspelling of"),
    **dict.fromkeys(("Dim of", "Diminutive of"), "diminutive of"),
    **dict.fromkeys(("Romanization of", "Rom of"), "romanization of"),
    **dict.fromkeys(("Clipping of", "Clip of"), "clipping of"),
    **dict.fromkeys(("Stand sp", "Standard spelling of"), "standard spelling of"),
    **dict.fromkeys(("Female equivalent of", "Femeq"), "female equivalent of"),
    **dict.fromkeys(("En-past of",), "simple past tense and past participle of"),
    **dict.fromkeys(("En-third-person singular of",), "third-person singular simple present indicative form of"),
    **dict.fromkeys(("En-ing form of",), "present participle and gerund of"),
    **dict.fromkeys(("En-archaic second-person singular of",), "archaic second-person singular of"),
    **dict.fromkeys(("Clipping",), "Clipping"),
    **dict.fromkeys(("Back-form", "Back-formation", "Bf"), "Back-formation from"),
}
_TAGS = {
    "1": "first-person",
    "2": "second-person",
    "3": "third-person",
    "s": "singular",
    "p": "plural",
    "d": "dual",
    "pres": "present",
    "past": "past",
    "impf": "imperfect",
    "imperf": "imperfect",
    "fut": "future",
    "perf": "perfect",
    "plup": "pluperfect",
    "pret": "preterite",
    "futp": "future perfect",
    "cond": "conditional",
    "ind": "indicative",
    "indc": "indicative",
    "sub": "subjunctive",
    "subj": "subjunctive",
    "imp": "imperative",
    "impr": "imperative",
    "inf": "infinitive",
    "part": "participle",
    "ptcp": "participle",
    "ger": "gerund",
    "act": "active",
    "actv": "active",
    "pass": "passive",
    "pasv": "passive",
    "mid": "middle",
    "m": "masculine",
    "f": "feminine",
    "n": "neuter",
    "c": "common",
    "mf": "masculine/feminine",
    "nom": "nominative",
    "gen": "genitive",
    "dat": "dative",
    "acc": "accusative",
    "voc": "vocative",
    "abl": "ablative",
    "loc": "locative",
    "ins": "instrumental",
    "par": "partitive",
    "ess": "essive",
    "comp": "comparative",
    "comd": "comparative",
    "sup": "superlative",
    "supd": "superlative",
    "pos": "positive",
    "def": "definite",
    "indef": "indefinite",
    "str": "strong",
    "wk": "weak",
    "mix": "mixed",
    "poss": "possessive",
    ";": "and",
    "and": "and",
}


def inflection(args: Arguments) -> str | None:
    """`{{infl of|la|amō||1|s|pres|act|ind}}`: first-person singular present active indicative of amō."""
    old = bool(args["lang"])
    code, first = (args["lang"], 1) if old else (args[1], 2)
    raw_word, inline = modifiers(args[first])
    word = link_word(code, raw_word, args[first + 1] or inline.get("alt", ""), args.language)
    tags = args.positional()[first + 1 :]
    tag_names = ["/".join(_TAGS.get(part, part) for part in tag.split("//")) for tag in tags if tag]
    if not word:
        return None
    annotation = annotation_of(args, args.first("t", "gloss") or inline.get("t", ""), tr=inline.get("tr", ""))
    return f"{' '.join(tag_names) or 'inflection'} of {word}{annotation}"


def example(args: Arguments) -> str | None:
    """`{{ux|fr|texte|translation}}`, `{{usex|texte|lang=fr|t=…}}`: texte ― translation."""
    old = bool(args["lang"])
    text = args.first(1) if old else args[2]
    meaning = args.first("t", "translation") or (args[2] if old else args[3])
    parts = [text, args.first("tr"), meaning]
    return " ― ".join(part for part in parts if part and part != "-") or None


def quotation(args: Arguments) -> str | None:
    """`{{quote-book|en|year=1999|author=…|title=…|passage=…}}`: 1999, author, title: passage."""
    year = args.first("year", "date")
    author = args.first("author", "by") or " ".join(part for part in (args["first"], args["last"]) if part)
    title, work = args["title"], args.first("work", "journal", "newspaper", "magazine", "site")
    chapter = args.first("chapter", "article", "entry")
    chapter_text = f"chapter {chapter}" if chapter.isdecimal() else f"“{chapter}”" if chapter else ""
    titles = [f"“{title}”", work] if title and work else [title or work]
    source = ", ".join(part for part in (year, author, chapter_text, *titles) if part)
    text = args.first("passage", "text", "quote")
    meaning = args.first("t", "translation")
    quoted_text = " ― ".join(part for part in (text, meaning) if part)
    return ": ".join(part for part in (source, quoted_text) if part) or None


def surname_or_name(args: Arguments) -> str | None:
    """`{{given name|en|male}}`, `{{surname|en}}`: A male given name."""
    kinds = [value for raw in _without_code(args) if (value := word_of(raw))]
    kind = " ".join(kinds[:1])
    name = "given name" if args.name.lower().startswith("given") else "surname"
    description = f"{kind} {name}".strip()
    return f"{args['A'] or ('A' if _CONSONANT.match(plain_text(description)) else 'An')} {description}"


def plain_text(text: str) -> str:
    """The words of a text with links."""
    return _WRITTEN.sub(r"\1", text)
