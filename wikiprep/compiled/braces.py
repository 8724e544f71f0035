# cython: boundscheck=False
"""Which `{{` belongs to which `}}`: Python code that Cython compiles too, with the types of `fast_braces.pxd`.

MediaWiki's rule: the longest of 3 or 2 braces that both ends have; the rest stays open. One pass over the brace runs
with a stack, so nesting depth costs memory but no time.
"""

# (start, end, width): `text[start:end]` is a whole template (width 2) or argument (width 3), braces included.
Span = tuple[int, int, int]


def outermost(text: str) -> tuple[list[Span], list[tuple[int, int]]]:
    """(spans that lie in no other, in order; open brace runs that nothing closes as (position, count))."""
    stack: list[tuple[int, int]] = []
    spans: list[Span] = []
    last = -1  # where the last of `spans` starts
    size = len(text)
    # The next of either kind. One character is found thirty times faster than two, or than one of two by `re`.
    opening, closing = text.find("{"), text.find("}")
    while opening >= 0 or closing >= 0:
        if 0 <= opening < closing or closing < 0:
            end = opening + 1
            while end < size and text[end] == "{":
                end += 1
            if end - opening > 1:
                stack.append((opening, end - opening))
            opening = text.find("{", end)
            continue
        at, end = closing, closing + 1
        while end < size and text[end] == "}":
            end += 1
        closing = text.find("}", end)
        while end - at >= 2 and stack:
            start, count = stack.pop()
            if count != 2:  # seldom
                width = min(count, end - at, 3)
                count -= width
                if count >= 2:
                    stack.append((start, count))
                start += count
            else:
                width = 2
            at += width
            while last > start:
                spans.pop()
                last = spans[-1][0] if spans else -1
            spans.append((start, at, width))
            last = start
    return spans, stack
