# cython: boundscheck=False
"""Footnotes in wikitext, `<ref>…</ref>` and `<ref/>`: Python code that Cython compiles too (`fast_notes.pxd`).

As in MediaWiki a tag ends at the first `>`, and a note at the first `</ref>`, whatever stands between.
"""

from wikiprep.compiled.characters import NOTHING

# Start, end of the opening tag, end; whether another note's tag is in it.
Note = tuple[int, int, int, bool]


def find_notes(text: str) -> list[Note]:
    """Where the notes of a text stand, in order."""
    notes: list[Note] = []
    size = len(text)
    closes = True  # a `</ref>` may follow
    at = text.find("<")
    while at >= 0:
        if not _opens(text, at, size):
            at = text.find("<", at + 1)
            continue
        end = tag_end = text.find(">", at + 4) + 1
        if not end:
            break
        nested = False
        if text[end - 2] != "/":
            inner = text.find("<", end) if closes else -1
            while inner >= 0:
                end = _behind_closing(text, inner, size)
                if end:
                    break
                nested = nested or _opens(text, inner, size)
                inner = text.find("<", inner + 1)
            if inner < 0:
                closes = False
                at = text.find("<", tag_end)
                continue
        notes.append((at, tag_end, end, nested))
        at = text.find("<", end)
    return notes


def _opens(text: str, at: int, size: int) -> bool:
    """Whether the `<` there begins a note's tag."""
    if at + 4 >= size or text[at + 1] not in "rR" or text[at + 2] not in "eE" or text[at + 3] not in "fF":
        return False
    behind = text[at + 4]
    return behind == ">" or behind.isspace() or (behind == "/" and at + 5 < size and text[at + 5] == ">")


def _behind_closing(text: str, at: int, size: int) -> int:
    """The end of the `</ref>` that begins with the `<` there; 0 if none does."""
    if at + 5 >= size or text[at + 1] != "/" or text[at + 2] not in "rR":
        return 0
    if text[at + 3] not in "eE" or text[at + 4] not in "fF":
        return 0
    at += 5
    while at < size and text[at].isspace():
        at += 1
    return at + 1 if at < size and text[at] == ">" else 0


def cut_notes(text: str) -> tuple[str, int, int, int]:
    """(the text with NOTHING for each note, how many there were, how many hold another's tag, how many `[[` in all)."""
    notes = find_notes(text)
    if not notes:
        return text, 0, 0, 0
    out: list[str] = []
    last = holding = links = 0
    for start, _, end, nested in notes:
        out.append(text[last:start])
        last = end
        holding += nested
        at = text.find("[", start, end)  # a note ends with `>`
        while at >= 0:
            if text[at + 1] == "[":
                links += 1
                at += 1
            at = text.find("[", at + 1, end)
    out.append(text[last:])
    return NOTHING.join(out), len(notes), holding, links


def close_up(text: str, closing: str) -> str:
    """The text without a space before NOTHING where white space, its end or one of `closing` is next behind."""
    out: list[str] = []
    last = 0
    size = len(text)
    at = text.find(NOTHING)
    while at >= 0:
        behind = at + 1
        following = text.find(NOTHING, behind)
        while following == behind:
            behind += 1
            following = text.find(NOTHING, behind)
        if at and text[at - 1] == " " and (behind == size or text[behind] in closing or text[behind].isspace()):
            out.append(text[last : at - 1])
            last = at
        at = following
    if not last:
        return text
    out.append(text[last:])
    return "".join(out)
