"""How numbers are written in a language: MediaWiki's `formatnum`."""

import re

# group separator, decimal mark; as in MediaWiki's messages (separatorTransformTable) and CLDR
_COMMA = (",", ".")
_POINTS = "de nl es it pt id tr el da hr sl sr sh bs is eo gl ca eu ro vi mk"
_SPACES = "ru uk pl cs sk sv fi no nb nn hu bg et lv lt be kk"
_STYLES = {
    **dict.fromkeys(_POINTS.split(), (".", ",")),
    **dict.fromkeys(_SPACES.split(), ("\xa0", ",")),
    "fr": ("\u202f", ","),
    "de-ch": ("’", "."),
}
_LATE = frozenset(("es", "pl", "pt", "bg"))  # four digits are not grouped
_MINUS = frozenset(("sv", "no", "nb", "nn", "fi", "et", "lt", "sl", "eu", "hr", "fa", "se", "gsw"))  # U+2212
_NUMBER = re.compile(r"([-−]?)(\d+)(\.\d+)?")


def group(digits: str, separator: str = ",") -> str:
    """A run of digits in groups of three."""
    head = len(digits) % 3 or 3
    return separator.join([digits[:head], *(digits[i : i + 3] for i in range(head, len(digits), 3))])


def format_number(text: str, language: str) -> str:
    """`text` with every number in it written as the language does."""
    separator, mark = _STYLES.get(language) or _STYLES.get(language.partition("-")[0]) or _COMMA

    def one(match: re.Match[str]) -> str:
        sign, whole, rest = match.groups()
        sign = "−" if sign and language in _MINUS else sign
        late = language in _LATE and len(whole) == 4
        return sign + (whole if late else group(whole, separator)) + (mark + rest[1:] if rest else "")

    return _NUMBER.sub(one, text)


def plain_number(text: str, language: str) -> str:
    """The other way: separators gone, a point as decimal mark (`formatnum:…|R`)."""
    separator, mark = _STYLES.get(language) or _COMMA
    return text.replace(separator, "").replace(mark, ".")
