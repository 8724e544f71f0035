"""What the French and the German Wiktionary have of their own: etymologies, examples, labels, translations."""

from wikiprep.wikitext.templates.arguments import Arguments
from wikiprep.wikitext.templates.functions.language_names import language_name
from wikiprep.wikitext.templates.functions.wiktionary_links import link_word


def french_etymology(args: Arguments) -> str | None:
    """`{{étyl|la|fr|mot=liber|sens=livre}}`: latin liber (« livre »)."""
    name, word = language_name(args[1], "fr"), args.first("mot", 3)
    link_text = link_word(args[1], word, args["dif"], "fr") if word else ""
    tr, meaning = args.first("tr", 4), args.first("sens", 5)
    parts = [
        name,
        f"''{link_text}''" if link_text else "",
        f", ''{tr}''" if tr else "",
        f"(« {meaning} »)" if meaning else "",
    ]
    return " ".join(part for part in parts if part).replace(" ,", ",") or None


def french_compound(args: Arguments) -> str | None:
    """`{{composé de|porte|avion|lang=fr}}`: composé de porte et avion."""
    parts = [
        link_word("", word, "", "fr") + (f" (« {args[f'sens{n}']} »)" if args[f"sens{n}"] else "")
        for n, word in enumerate(args.positional(), 1)
        if word
    ]
    text = " et ".join(part for part in (", ".join(parts[:-1]), parts[-1] if parts else "") if part)
    return f"{'Composé' if args['m'] else 'composé'} de {text}" if parts else None


def french_example(args: Arguments) -> str | None:
    """`{{exemple|texte|sens=…|source=…}}`: texte — (source)."""
    text = args.first(1, "texte")
    meaning, source = args.first("sens", 2), args["source"]
    parts = [f"''{text}''" if text else "", meaning, f"— ({source})" if source else ""]
    return " ".join(part for part in parts if part) or None


def named_gender(args: Arguments) -> str | None:
    """`{{m}}` in French is "masculin", in German "m"."""
    name = args.name[:1].lower() + args.name[1:]
    return _FRENCH.get(name, name) if args.language == "fr" else name


_FRENCH = {
    "m": "masculin",
    "f": "féminin",
    "n": "neutre",
    "c": "commun",
    "mf": "masculin et féminin identiques",
    "mf ?": "masculin ou féminin",
}


def german_translation(args: Arguments) -> str | None:
    """`{{Ü|en|word}}`, `{{Üt|ru|слово|slovo}}`: the word, linked, with its transliteration."""
    if not args[2]:
        return None
    word = link_word("", args[2], args[4] if args.name.startswith("Üt") else args[3], "de")
    return word + (f" (''{args[3]}'')" if args.name.startswith("Üt") and args[3] else "")


def german_label(args: Arguments) -> str | None:
    """`{{K|ugs.|trans.}}`: ugs., trans.:"""
    values = [value for value in args.positional() if value]
    return f"''{', '.join(values)}:''" if values else None
