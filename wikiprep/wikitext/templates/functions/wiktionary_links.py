"""Wiktionary's templates that name a word of a language: `{{l|lv|burts}}`, `{{m|…}}`, `{{t|…}}`, `{{der|…}}`.

The English Wiktionary's documentation of each (Template:link and others) is the source. As its modules do, a link leads
to the entry without the marks that dictionaries add to a spelling (`ENTRY`), and to the section of its language.
"""

import re
import unicodedata

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.language_names import language_name
from wikiprep.wikitext.templates.functions.wiktionary_modifiers import add_qualifiers, modifiers, word_of

# Combining marks that no entry's title has, by language: lengths, stresses, tones, vowels.
_LATIN, _STRESS, _TONES = "\u0304\u0306\u0308", "\u0300\u0301", "\u0300\u0301\u0304\u030f\u0311"
_ARABIC = "\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0670\u0640"
_HEBREW = "".join(map(chr, (*range(0x591, 0x5BE), 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7)))
ENTRY = {
    "la": _LATIN,
    "ang": "\u0304\u0307",
    "grc": "\u0304\u0306",
    **dict.fromkeys(("goh", "osx", "odt"), "\u0302\u0304"),
    **dict.fromkeys(("ru", "be", "bg", "mk", "rue", "uk", "orv"), _STRESS),
    **dict.fromkeys(("sh", "hr", "sr", "bs"), _TONES),
    **dict.fromkeys(("sl", "lt"), "\u0300\u0301\u0303\u0304\u0311\u030f"),
    **dict.fromkeys(("ar", "fa", "ur", "ota", "ps", "arz"), _ARABIC),
    "he": _HEBREW,
}
_PARTS_OF = str.maketrans("", "", "^")  # a mark of the transliteration
_CODE = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,4}){0,2}|[A-Z]{2}\.")


def entry_of(code: str, term: str) -> str:
    """The title of the page of a word as it is written in a text of that language."""
    marks = ENTRY.get(code)
    if marks is None:
        return term
    letters = "".join(c for c in unicodedata.normalize("NFD", term) if c not in marks)
    return unicodedata.normalize("NFC", letters)


def link_word(code: str, term: str, alt: str, wiki: str) -> str:
    """A link to the entry of `term`, shown as `alt`; what holds links of its own stays."""
    label = (alt or term).translate(_PARTS_OF)
    if "[[" in label or not term or term == "-":
        return label if label != "-" else ""
    page, _, anchor = term.translate(_PARTS_OF).partition("#")
    page = entry_of(code, page)
    if label.startswith("*") and (name := language_name(code, wiki)):
        page = f"Reconstruction:{name}/{page.lstrip('*')}"
    elif ":" in page or not page:
        return label
    section = anchor or (language_name(code, wiki) if wiki == "en" and not page.startswith("Recon") else "")
    return f"[[{page}#{section}|{label}]]" if section else f"[[{page}|{label}]]"


def term(args: Arguments, code: str, first: int, *, genders: str = "", mark: str = "") -> str:
    """The word whose arguments begin at `first` (word, spelling, meaning), with what stands behind it in brackets.

    `mark` follows the word at once, as the sign of another Wiktionary's entry does.
    """
    raw_word, inline = modifiers(args[first])
    word = link_word(code, raw_word, args[first + 1] or args["alt"] or inline.get("alt", ""), args.language)
    annotation = annotation_of(
        args, args[first + 2] or args.first("t", "gloss") or inline.get("t", ""), tr=inline.get("tr", "")
    )
    return add_qualifiers(word + mark + _genders(args, genders) + annotation if word else annotation.strip(), inline)


def annotation_of(args: Arguments, meaning: str, number: str = "", tr: str = "") -> str:
    """` (transliteration, “meaning”, part of speech, literally “…”)`; `tr`: where no argument gives one."""
    ts, pos, lit = (args[key + number] for key in ("ts", "pos", "lit"))
    tr = args["tr" + number] or tr
    parts = [f"''{tr}''" if tr and tr != "-" else "", f"/{ts}/" if ts else "", f"“{meaning}”" if meaning else ""]
    parts += [pos, f"literally “{lit}”" if lit else ""]
    inside = ", ".join(part for part in parts if part)
    return f" ({inside})" if inside else ""


_GENDERS = {"p": "pl", "s": "sg", "d": "du", "an": "anim", "in": "inan", "pr": "pers", "mf": "m or f"}


def _genders(args: Arguments, genders: str) -> str:
    codes = genders or ", ".join(value for value in (args["g"], args["g2"], args["g3"]) if value)
    return " " + gender(codes) if codes else ""


def gender(code: str) -> str:
    """`m-p` is "m pl"."""
    return re.sub(r"[a-z]+", lambda match: _GENDERS.get(match[0], match[0]), code.replace("-", " "))


def link(args: Arguments) -> str | None:
    """`{{l|lv|burts|spelling|meaning}}`, `{{m|…}}`."""
    return term(args, args[1], 2) or None


def link_by_name(args: Arguments) -> str | None:
    """`{{l/en|word|spelling}}`: the language is in the template's name."""
    return term(args, args.name.partition("/")[2], 1) or None


def old_term(args: Arguments) -> str | None:
    """`{{term|word|spelling|meaning|lang=la}}`, until 2016."""
    if _CODE.fullmatch(args[1]) and args[2] and not args["lang"]:
        return link(args)
    return term(args, args["lang"], 1) or None


def translation(args: Arguments) -> str | None:
    """`{{t|fr|mot|m}}`; `{{t+|fr|mot|m}}` has a link to the entry in the French Wiktionary behind it."""
    code = args[1]
    word, inline = modifiers(args[2])
    if not code or not word:
        return None
    genders = ", ".join(value for raw in args.positional()[2:6] if (value := word_of(raw)))
    mark = f" [[:{code}:{word}|({code})]]" if "+" in args.name and "[[" not in word else ""
    link_text = link_word(code, word, args["alt"] or inline.get("alt", ""), args.language)
    annotation = annotation_of(args, inline.get("t", ""), tr=inline.get("tr", ""))
    return add_qualifiers(link_text + mark + (f" {gender(genders)}" if genders else "") + annotation, inline)


def cognate(args: Arguments) -> str | None:
    """`{{cog|de|Haus||house}}`: the language, and its word."""
    return _of_language(args, args[1], 2)


def derived(args: Arguments) -> str | None:
    """`{{der|en|la|lectiō|alt|meaning}}`, `{{inh|…}}`, `{{bor|…}}`: the language it comes from, and its word.

    `{{bor+|…}}`, `{{lbor|…}}` and others say how (unless `notext=`).
    """
    lead = "" if args["notext"] else _HOW.get(args.name, "")
    if lead and args["nocap"]:
        lead = lead[0].lower() + lead[1:]
    term_text = _of_language(args, args[2], 3)
    return lead + term_text if term_text else None


def borrowing(args: Arguments) -> str | None:
    """`{{borrowing|la|lectiō|lang=en}}`, until 2017; today `{{borrowed|en|la|lectiō}}`."""
    if args["lang"]:
        term_text = _of_language(args, args[1], 2)
        return f"Borrowing from {term_text}" if term_text else None
    return derived(args)


_HOW = {
    **dict.fromkeys(("Bor+", "Borrowed+"), "Borrowed from "),
    **dict.fromkeys(("Inh+", "Inherited+"), "Inherited from "),
    **dict.fromkeys(("Der+", "Derived+"), "Derived from "),
    **dict.fromkeys(("Lbor", "Learned borrowing"), "Learned borrowing from "),
    **dict.fromkeys(("Slbor", "Semi-learned borrowing"), "Semi-learned borrowing from "),
    **dict.fromkeys(("Ubor", "Unadapted borrowing"), "Unadapted borrowing from "),
    **dict.fromkeys(("Obor", "Orthographic borrowing"), "Orthographic borrowing from "),
    **dict.fromkeys(("Cal", "Clq", "Calque"), "Calque of "),
    **dict.fromkeys(("Pcal", "Pclq", "Partial calque"), "Partial calque of "),
    **dict.fromkeys(("Sl", "Semantic loan"), "Semantic loan from "),
}


def _of_language(args: Arguments, code: str, first: int) -> str | None:
    name = language_name(code, args.language)
    word = term(args, code, first) if args[first] != "-" else ""
    return " ".join(part for part in (name, word) if part) or None


def language(args: Arguments) -> str | None:
    """`{{etyl|la|en}}`, `{{T|en}}` in French: the name of the language."""
    name = language_name(args[1], args.language)
    return (name[:1].upper() + name[1:] if args.name == "T" else name) or None


def descendant(args: Arguments) -> str | None:
    """`{{desc|fr|mot}}`: French: mot."""
    name = language_name(args[1], args.language)
    word = term(args, args[1], 2)
    return f"{name}: {word}" if name and word else name or word or None


def words(args: Arguments) -> list[str]:
    """The words of a list of one language, linked: `{{syn|en|a|b}}`, or `{{der3|lang=en|a|b}}` until 2018."""
    values = args.positional()
    code = args["lang"]
    if not code and values:
        code, *values = values
    items = []
    for number, raw in enumerate(values, 1):
        value, inline = modifiers(raw)
        if value:
            tr = args[f"tr{number}"] or inline.get("tr", "")
            meaning = args.first(f"t{number}", f"gloss{number}") or inline.get("t", "")
            alt = args[f"alt{number}"] or inline.get("alt", "")
            link_text = link_word(code, value.removeprefix("Thesaurus:"), alt, args.language)
            inside = ", ".join(part for part in (f"''{tr}''" if tr else "", f"“{meaning}”" if meaning else "") if part)
            items.append(add_qualifiers(link_text + (f" ({inside})" if inside else ""), inline))
    return items


def related(args: Arguments) -> str | None:
    """`{{syn|en|a|b}}`: Synonyms: a, b."""
    items, name = words(args), _RELATIONS.get(args.name, "Synonym")
    return f"{name}{'s' if len(items) > 1 else ''}: {', '.join(items)}" if items else None


_RELATIONS = {
    **dict.fromkeys(("Ant", "Antonyms", "Antonym"), "Antonym"),
    **dict.fromkeys(("Hyper", "Hypernyms"), "Hypernym"),
    **dict.fromkeys(("Hypo", "Hyponyms"), "Hyponym"),
    **dict.fromkeys(("Mero", "Mer", "Meronyms"), "Meronym"),
    **dict.fromkeys(("Holo", "Hol", "Holonyms"), "Holonym"),
    **dict.fromkeys(("Cot", "Coo", "Coordinate terms"), "Coordinate term"),
    **dict.fromkeys(("Homophones", "Homophone", "Hmp"), "Homophone"),
}


def columns(args: Arguments) -> str | None:
    """`{{col3|en|a|b|c}}`: a list."""
    items = words(args)
    return "<div>" + "".join(f"\n* {word}" for word in items) + "\n</div>" if items else None
