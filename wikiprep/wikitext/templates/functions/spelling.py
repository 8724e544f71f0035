"""Numbers in English words, as `{{convert|…|spell=in}}` and `{{spellnum}}` write them."""

import re

_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_GROUPS = ("", "thousand", "million", "billion", "trillion", "quadrillion", "quintillion", "sextillion")
_PARTS = {
    2: "half",
    3: "third",
    4: "quarter",
    5: "fifth",
    6: "sixth",
    8: "eighth",
    9: "ninth",
    10: "tenth",
    16: "sixteenth",
}
_NUMBER = re.compile(r"([-−+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?")


def _below_thousand(value: int, joint: str) -> str:
    hundreds, rest = divmod(value, 100)
    words: list[str] = []
    if hundreds:
        words.append(f"{_ONES[hundreds]} hundred")
    if rest:
        if hundreds and joint:
            words.append(joint)
        tens, ones = divmod(rest, 10)
        small = _ONES[rest] if rest < 20 else _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
        words.append(small)
    return " ".join(words)


def spell_integer(value: int, *, us: bool = False) -> str | None:
    """A number from 0 to 10**24 in words ("one hundred and five"; American: "one hundred five"); None beyond."""
    if value == 0:
        return _ONES[0]
    if not 0 < value < 10**24:
        return None
    joint = "" if us else "and"
    words: list[str] = []
    for i in range(len(_GROUPS) - 1, -1, -1):
        group = value // 1000**i % 1000
        if not group:
            continue
        if i == 0 and words and group < 100 and joint:
            words.append(joint)
        words.append(" ".join(part for part in (_below_thousand(group, joint), _GROUPS[i]) if part))
    return " ".join(words)


def spell_number(text: str, *, us: bool = False) -> str | None:
    """A decimal number in words: "nine point eight", "negative three"; None where it is none or too large."""
    match = _NUMBER.fullmatch(text.replace(",", ""))
    if match is None or len(text) > 40 or not (match[2] or match[3]):
        return None
    sign, digits, rest, power = match.groups()
    if power:
        shift = int(power)
        if abs(shift) > 30:
            return None
        digits, rest = (digits or "") + (rest or "").ljust(shift, "0")[: max(shift, 0)], (rest or "")[max(shift, 0) :]
        if shift < 0:
            padded = digits.rjust(1 - shift, "0")
            digits, rest = padded[:shift], padded[shift:] + rest
    words = spell_integer(int(digits or "0"), us=us)
    if words is None:
        return None
    if rest:
        words += " point " + " ".join(_ONES[int(digit)] for digit in rest)
    return f"negative {words}" if sign in ("-", "−") and sign else words


def spell_fraction(wholes: str, above: str, below: str, *, us: bool = False) -> str | None:
    """A fraction in words: "two and a half", "three-quarters"; None where its parts have no name here."""
    count, part = int(above), int(below)
    name = "fourth" if us and part == 4 else _PARTS.get(part)
    if name is None or not 0 < count < 20:
        return None
    plural = "halves" if part == 2 else name + "s"
    part_words = f"{_ONES[count]}-{name if count == 1 else plural}"
    if not wholes or not int(wholes.lstrip("-−+") or 0):
        return f"negative {part_words}" if wholes[:1] in ("-", "−") else part_words
    first = spell_number(wholes, us=us)
    if first is None:
        return None
    return f"{first} and a{'n' if part == 8 else ''} {name}" if count == 1 else f"{first} and {part_words}"
