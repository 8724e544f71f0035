"""Bold and italic marks, line by line, as MediaWiki's `Parser::doQuotes` reads them."""

import re

_RUN = re.compile(r"''+")


def strip_quotes(line: str) -> str:
    """The line without bold and italic marks; apostrophes that are text stay.

    Of four apostrophes the first is text, of more than five all but five. If both bold and italic marks are odd in
    number, one bold mark is an apostrophe and an italic mark: the first after a one-letter word, else after a longer
    word, else after a space. Which one decides only where the apostrophe stands.
    """
    parts = line.split("''")
    if len(parts) & 1 and not any(part[:1] in ("", "'") for part in parts[1:-1]) and parts[-1][:1] != "'":
        return "".join(parts)  # all runs are of two, and even in number: nearly always
    if "''''" not in line:  # runs of 2 and 3 alone
        threes = line.count("'''")
        if are_marks(line.count("''") - threes, threes):
            return line.replace("'''", "").replace("''", "")
    runs = _RUN.findall(line)
    bold = italic = 0
    plain = True
    for run in runs:
        length = len(run)
        if length == 2:
            italic += 1
        elif length == 3:
            bold += 1
        elif length == 5:
            bold += 1
            italic += 1
        else:
            plain = False
            bold += 1
            italic += length > 4
    balanced = are_marks(italic, bold)
    if plain and balanced:
        return _RUN.sub("", line)
    return _rebuild(line, not balanced)


def _rebuild(line: str, unbalanced: bool) -> str:
    parts: list[str] = []
    lengths: list[int] = []
    last = 0
    for match in _RUN.finditer(line):
        text, length = line[last : match.start()], len(match[0])
        if length == 4:
            text, length = text + "'", 3
        elif length > 5:
            text, length = text + "'" * (length - 5), 5
        parts.append(text)
        lengths.append(length)
        last = match.end()
    if unbalanced:
        index = _misread_bold(parts, lengths)
        if index >= 0:
            parts[index] += "'"
    parts.append(line[last:])
    return "".join(parts)


def _misread_bold(parts: list[str], lengths: list[int]) -> int:
    word = space = -1
    for i, (before, length) in enumerate(zip(parts, lengths, strict=True)):
        if length != 3:
            continue
        if before[-1:] == " ":
            if space < 0:
                space = i
        elif before[-2:-1] == " ":
            return i
        elif word < 0:
            word = i
    return word if word >= 0 else space


def are_marks(italic: int, bold: int) -> bool:
    """Whether all of a line's runs of two apostrophes (italic) and of three (bold) are marks.

    If both are odd in number, one of the bold ones is an apostrophe and an italic mark.
    """
    return not (italic & 1 and bold & 1)


def is_unclosed(pairs: int) -> bool:
    """Whether a mark stays open at the end of a line that holds so many pairs of apostrophes."""
    return pairs & 1 == 1
