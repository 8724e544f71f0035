"""Words in other languages: `{{lang-fr|…}}`, `{{langx|fr|…}}` and what other wikis call them.

What a wiki puts before the words is in data/languages/LANGUAGE.txt: for English "[[French language|French]]: ", for
Japanese "[[フランス語]]: ", for Russian "[[Французский язык|фр.]] ".
"""

import re

from wikiprep.wikitext.control_marks import shield
from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.language_names import labels_of

_LATIN = re.compile(r"[^\W\d_]")
_QUALIFIED = re.compile(r"\s*\([^()]*\)")


def lang(args: Arguments) -> str | None:
    """`{{lang|fr|mot}}`: the words; of a language that is only reconstructed, an asterisk before them.

    The asterisk is as Module:Lang has it (`proto=no`: without).
    """
    text = args.first("text", 2)
    return _star(args.first(1, "code"), text, args) or None


def proto_indo_european(args: Arguments) -> str | None:
    """`{{PIE|ḱwṓ}}`: *ḱwṓ."""
    return _star("ine-x-proto", args[1], args) or None


def _star(code: str, text: str, args: Arguments) -> str:
    bare = text.lstrip("'[")
    if not text or not code.lower().endswith("-x-proto") or args["proto"] == "no" or bare.startswith("*"):
        return text
    return shield("*") + text  # (at a line's start it would begin a list)


def lang_label(args: Arguments) -> str | None:
    """`{{lang-fr|text|transliteration|translation}}`; the language's code is in the template's name."""
    code = args.name.partition("-")[2]
    return _add_label(code, args.first(1, "text"), args.first(2, "translit"), args.first(3, "lit", "translation"), args)


def langx(args: Arguments) -> str | None:
    """`{{langx|fr|text|transliteration|translation}}`."""
    meaning = args.first(4, "lit", "translation")
    return _add_label(args[1] or args["code"], args.first(2, "text"), args.first(3, "translit"), meaning, args)


def lang_named(args: Arguments) -> str | None:
    """`{{langue avec nom|en|English|text}}`, `{{LangWithName|en|English|text}}`: the label is given."""
    return f"{args[2]}: {args[3]}" if args[2] and args[3] else args.first(3, 2)


def _add_label(code: str, text: str, romanized: str, meaning: str, args: Arguments) -> str | None:
    if not text:
        return None
    labels = labels_of(args.language)
    label = args["label"]
    bare = label == "none"
    unlinked = args.first("link", "links").lower() == "no"
    before = ""
    if label and not bare:
        before = f"{label}: "
    elif not bare:
        before = labels.label(code, linked=not unlinked)
    text = before + text
    if args.language != "en":
        return text + (f", {romanized}" if romanized and labels.romanized else f" {romanized}" if romanized else "")
    if romanized:
        text += f", {'' if bare else _romanization_label(code, unlinked)}{romanized}"
    if meaning:
        lead = "" if bare else "lit. " if unlinked else "[[Literal translation|lit.]] "
        text += f", {lead}'{meaning}'"
    return text


def _romanization_label(code: str, unlinked: bool) -> str:
    name = _QUALIFIED.sub("", labels_of("en").name(code))
    if name in _ROMANIZATIONS and not unlinked:
        return f"[[Romanization of {name}|romanized]]: "
    return "romanized: "


# Languages with an article "Romanization of …" on the English Wikipedia.
_ROMANIZATIONS = frozenset(
    (
        *("Arabic", "Armenian", "Belarusian", "Bengali", "Bulgarian", "Burmese", "Chinese", "Georgian", "Greek"),
        *("Ancient Greek", "Hebrew", "Japanese", "Kazakh", "Khmer", "Korean", "Kyrgyz", "Lao", "Macedonian"),
        *("Malayalam", "Persian", "Russian", "Serbian", "Telugu", "Thai", "Ukrainian", "Urdu"),
    )
)


def lang_rus(args: Arguments) -> str | None:
    """`{{lang-rus|Москва|r=Moskva|p=…}}`: Russian with its own order; the pronunciation is left out."""
    text, romanized = args.first(1, "text"), args.first(2, "r", "translit")
    return _add_label("ru", text, romanized, args.first("lit", "translation"), args)


def proto(args: Arguments) -> str | None:
    """`{{proto|germanic|dagaz}}`: Proto-Germanic *dagaz."""
    name, word = args[1], args[2]
    if not name or not word:
        return name or None
    return f"Proto-{name[:1].upper()}{name[1:]} *{word.lstrip('*')}"


def glossed_lines(args: Arguments) -> str | None:
    """`{{interlinear|ich sehe|1SG see|'I see'}}`: each line as a line of text; one alone within its sentence."""
    lines = [line.replace("{", "").replace("}", "") for line in args.positional() if line]
    if len(lines) < 2:
        return lines[0] if lines else None
    shown = "\n\n".join(line for line in (args["top"], *lines, args["bottom"]) if line)
    return f"<div>\n{shown}\n</div>"


def etymology(args: Arguments) -> str | None:
    """`{{etymology|la|per centum|by a hundred}}`: from Latin per centum 'by a hundred'; three arguments a source."""
    values = args.positional()
    sources = []
    for i in range(0, len(values), 3):
        code, word, meaning = (*values[i : i + 3], "", "")[:3]
        label = labels_of(args.language).label(code).removesuffix(": ").strip() or code if code else ""
        parts = (label, word, f"'{meaning}'" if meaning else "")
        sources.append(" ".join(part for part in parts if part))
    return "from " + " and ".join(source for source in sources if source) if any(sources) else None
