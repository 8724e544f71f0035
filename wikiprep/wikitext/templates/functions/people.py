"""What stands behind a person's name: letters of honours, years of a marriage."""

import functools
import re
from pathlib import Path

from wikiprep.wikitext.templates.arguments import Arguments

_LISTS = Path(__file__).parent.parent / "data" / "lists"
_YEAR = re.compile(r"(?<!\d)\d{3,4}(?!\d)")
_MARKED = re.compile(r"[A-Z]{2,}[dflhwt]")  # two honours of the same letters are told apart by one more
_ENDS = {
    **dict.fromkeys(("div", "div.", "divorce", "divorced"), "div."),
    **dict.fromkeys(("w", "w.", "wid", "wid.", "widow", "widowed", "widower"), "wid."),
    **dict.fromkeys(("d", "d.", "died", "death", "her death", "his death", "their death"), "died"),
    **dict.fromkeys(("ann", "ann.", "annul", "annulled", "annulment"), "ann."),
    **dict.fromkeys(("sep", "sep.", "separated", "separation"), "sep."),
}


@functools.cache
def _honours() -> dict[str, dict[str, str]]:
    """Country -> letters -> article."""
    honours: dict[str, dict[str, str]] = {}
    for line in (_LISTS / "post_nominals.txt").read_text(encoding="utf-8").splitlines():
        left, equals, article = line.partition(" = ")
        if equals and not line.startswith("#"):
            countries, _, letters = left.partition(": ")
            for country in countries.split():
                honours.setdefault(country, {}).update(dict.fromkeys(letters.split(), article))
    return honours


def post_nominals(args: Arguments) -> str | None:
    """`{{post-nominals|country=GBR|KBE|FRS}}`: KBE FRS, each linked; Canadian ones without a country."""
    if given := args.first("unlinked", "list", "post-noms"):
        return given
    known = _honours().get(args["country"].upper() or "CAN", {})
    shown = [_honour(letters, known) for letters in args.positional() if letters]
    return (", " if args.first("sep", "commas") else " ").join(shown) or None


def _honour(letters: str, known: dict[str, str]) -> str:
    article = known.get(letters)
    label = letters[:-1] if _MARKED.fullmatch(letters) and (article or letters[:-1] in known) else letters
    return f"[[{article}|{label}]]" if article else label


def marriage(args: Arguments) -> str | None:
    """`{{marriage|Ann Lee|1 May 1950|1960|reason=div}}`: Ann Lee (m. 1950; div. 1960)."""
    spouse, first, last = args.first(1, "spouse"), _year(args[2]), _year(args[3])
    reason = args.first("reason", "end")
    end = _ENDS.get(reason.lower(), reason)
    if first and last:
        years = f"m. {first}; {end} {last}" if end else f"m. {first}–{last}"
    elif first:
        years = f"m. {first}" + (f"; {end}" if end else "")
    else:
        years = f"{end} {last}".strip()
    return f"{spouse} ({years})".strip() if years else spouse or None


def _year(date: str) -> str:
    """The year of a date; all of what has none."""
    match = _YEAR.search(date)
    return match[0] if match else date
