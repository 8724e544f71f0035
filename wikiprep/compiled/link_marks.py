# cython: boundscheck=False
"""Links' marks out of texts, and where they stood: Python code that Cython compiles too (`fast_link_marks.pxd`)."""

from wikiprep.compiled.characters import END, LINK


def split_marks(texts: list[str]) -> tuple[list[str], list[int], list[int], list[int]] | None:
    """(texts without marks, links a text, where each link starts, where it ends).

    Places are code points of all texts joined by one character. None if the marks of a text are not in pairs around
    mentions of one character or more without white space at their ends.
    """
    plain: list[str] = []
    counts: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    base = 0  # where the text begins, less the marks in it so far
    for text in texts:
        at, end = text.find(LINK), text.find(END)
        if at < 0 and end < 0:
            plain.append(text)
            counts.append(0)
            base += len(text) + 1
            continue
        count = 0
        while at >= 0:
            if end < at + 2 or text[at + 1].isspace() or text[end - 1].isspace():
                return None
            starts.append(base + at)
            base -= 2
            ends.append(base + end + 1)
            count += 1
            at = text.find(LINK, at + 1)
            if 0 <= at < end:
                return None
            end = text.find(END, end + 1)
        if end >= 0:
            return None
        plain.append(text.replace(LINK, "").replace(END, ""))
        counts.append(count)
        base += len(text) + 1
    return plain, counts, starts, ends
