"""Parser functions whose answer is a matter of language: `#time`, `#timel`, `#language`, `plural`.

Dates that are not given are the revision's, and local time is UTC. Where nothing is known that the answer needs, it is
None.
"""

import re
from datetime import UTC, datetime
from decimal import Decimal

from wikiprep.languages.language import is_language
from wikiprep.languages.language_codes import bcp47, own_name
from wikiprep.languages.locale_data import plural_form
from wikiprep.wikitext.templates.date_formats import format_date
from wikiprep.wikitext.templates.date_input import read_date
from wikiprep.wikitext.templates.function_context import Expand, PageContext, part_of
from wikiprep.wikitext.templates.functions.language_names import labels_of
from wikiprep.wikitext.templates.numbers import plain_number

# Where the revision's date is not known: what is the same at both depends on no day.
_ANY_DAYS = (datetime(2004, 2, 5, 6, 7, 8, tzinfo=UTC), datetime(1999, 11, 30, 23, 59, 58, tzinfo=UTC))
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?")
_EXPLICIT = re.compile(r"\d=")


def time(parts: list[str], page: PageContext, expand: Expand) -> str | None:
    """`{{#time:j F Y|2001-02-03|de}}`: 3 Februar 2001. `#timel` is the same, as no wiki's own time zone is known."""
    form, date_text, code = (part_of(parts, which, expand) for which in range(3))
    language = code if is_language(code) else page.language
    texts = set()
    for now in _ANY_DAYS if page.date is None else (page.date,):
        moment = read_date(date_text, now)
        texts.add(None if moment is None else format_date(form, moment, language))
    return texts.pop() if len(texts) == 1 else None


def language(parts: list[str], page: PageContext, expand: Expand) -> str:
    """`{{#language:de}}`: Deutsch. In another language by the tables of `{{lang}}`, where they have it in full."""
    code, other = (part_of(parts, which, expand).lower() for which in range(2))
    if other != code and is_language(other) and (name := labels_of(other).full_name(code)):
        return name
    return own_name(code) or bcp47(code)


def plural(parts: list[str], page: PageContext, expand: Expand) -> str:
    """`{{plural:3|page|pages}}`: pages. `0=none` is the form of just that number."""
    number = _php_number(plain_number(part_of(parts, 0, expand), page.language))
    forms = []
    for part in parts[1:]:
        form = expand(part).strip()
        if _EXPLICIT.search(form):
            exact, _, value = form.partition("=")
            if exact == number:
                return value
        else:
            forms.append(form)
    return forms[min(plural_form(number, page.language), len(forms) - 1)] if forms else ""


def _php_number(text: str) -> str:
    """A number as PHP reads and writes it; what is none is 0."""
    if text.isdecimal() and text.isascii():
        return str(min(int(text[:20]), 2**63 - 1))
    match = _NUMBER.match(text)
    decimal_text = f"{Decimal(repr(float(match[0]))):f}" if match and abs(float(match[0])) < 1e15 else "0"
    return decimal_text.removesuffix(".0")
