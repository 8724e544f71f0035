# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Short cut of `LinkReader.read`: links to known pages whose labels and surroundings ask for no rule."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from wikiprep.compiled.characters cimport (
    END,
    LINK,
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_KIND,
    PyUnicode_Substring,
    Py_UNICODE_ISPRINTABLE,
    Py_UNICODE_ISSPACE,
    unit,
)


cdef struct Place:
    Py_ssize_t at  # of `[[`; -1 behind the last link
    Py_ssize_t size  # of the text


cdef class _Rules:
    """What stays the same for all links of a page."""

    cdef dict known
    cdef object meaning, trail
    cdef str own
    cdef list targets
    cdef bint nested


def plain_links(str text, Py_ssize_t at, dict known, meaning, trail, str own, list targets, bint nested):
    """(what the text from `at`, a `[[`, shows up to the next link that needs rules; where that is or -1; links read).

    `known` has targets as written -> Meaning, `meaning(target)` adds one; `trail` matches what joins on to a link;
    `own` is the page's title; `nested` says that a `[[` before waits for its `]]`. Targets of the links that are read
    are appended to `targets`.
    """
    cdef int kind = PyUnicode_KIND(text)
    cdef _Rules rules = _Rules()
    rules.known, rules.meaning, rules.trail, rules.own = known, meaning, trail, own
    rules.targets, rules.nested = targets, nested
    if kind == PyUnicode_1BYTE_KIND:
        return _read(text, <unsigned char*> PyUnicode_DATA(text), at, rules)
    if kind == PyUnicode_2BYTE_KIND:
        return _read(text, <unsigned short*> PyUnicode_DATA(text), at, rules)
    return _read(text, <unsigned int*> PyUnicode_DATA(text), at, rules)


cdef tuple _read(str text, unit* data, Py_ssize_t at, _Rules rules):
    cdef Place place
    cdef Py_ssize_t count = 0, length = 0, written
    # A link is shorter without its brackets, so what is written never outgrows what is read.
    cdef unit* out
    place.at, place.size = at, len(text)
    out = <unit*> malloc((place.size - at + 1) * sizeof(unit))
    if out == NULL:
        raise MemoryError
    try:
        while place.at >= 0:
            written = _link(text, data, &place, out + length, rules)
            if written < 0:
                break
            length += written
            count += 1
        return PyUnicode_FromKindAndData(sizeof(unit), out, length), place.at, count
    finally:
        free(out)


cdef Py_ssize_t _link(str text, unit* data, Place* place, unit* out, _Rules rules) except -2:
    """Writes one link and the text up to the next; how much was written, -1 (and nothing) if it needs rules."""
    cdef Py_ssize_t start = place.at + 2, at = start, bar = -1, end, tail, shown_size, joined = 0
    cdef unit c
    cdef bint blank = True  # the label, so far
    cdef str raw, shown
    cdef tuple meaning
    while True:
        c = data[at]
        if c < 32 or c >= 127:
            if at >= place.size or not Py_UNICODE_ISPRINTABLE(c):
                return -1
        elif c == c"]":
            if data[at + 1] == c"]":
                break
        elif c == c"[":
            if data[at + 1] == c"[":
                return -1
        elif bar < 0:
            if c == c"|":
                bar = at
                at += 1
                continue
        elif c == c"'" and data[at + 1] == c"'":
            return -1
        if blank and c != c" " and bar >= 0 and not Py_UNICODE_ISSPACE(c):
            blank = False
        at += 1
    if bar >= 0 and blank:
        return -1
    raw = PyUnicode_Substring(text, start, bar if bar >= 0 else at)
    meaning = <tuple> rules.known.get(raw)
    if meaning is None:
        meaning = <tuple> rules.meaning(raw)
    shown = <str> meaning[4]
    if not shown or meaning[1] == rules.own:
        return -1
    end = at
    tail = at = end + 2
    # Where the next `[[` is.
    while at < place.size and not (data[at] == c"[" and data[at + 1] == c"["):
        if rules.nested and data[at] == c"]" and data[at + 1] == c"]":
            return -1
        at += 1
    if at > tail and not _stops_trail(data[tail]):
        if data[tail] == c"]":
            return -1
        match = rules.trail(PyUnicode_Substring(text, tail, at))
        if match is not None:
            joined = match.end()
    out[0] = LINK
    if bar >= 0:
        shown_size = end - bar - 1
        memcpy(out + 1, data + bar + 1, shown_size * sizeof(unit))
    else:
        shown_size = len(shown)
        if shown_size > end - start or not _copy(shown, out + 1):
            return -1
    memcpy(out + 1 + shown_size, data + tail, joined * sizeof(unit))
    out[1 + shown_size + joined] = END
    memcpy(out + 2 + shown_size + joined, data + tail + joined, (at - tail - joined) * sizeof(unit))
    rules.targets.append(meaning)
    place.at = at if at < place.size else -1
    return 2 + shown_size + at - tail


cdef bint _stops_trail(Py_UCS4 c):
    """Whether this starts no link trail in any language: the commonest, all others ask `joins`."""
    return c in u"* .,;:)(\n\"|/?!<\x03\x04、。（）・「」"


cdef bint _copy(str text, unit* out):
    """Copies a text of characters as wide, or narrower; False if it has a wider one."""
    cdef Py_ssize_t i
    cdef Py_UCS4 c
    if PyUnicode_KIND(text) == sizeof(unit):
        memcpy(out, PyUnicode_DATA(text), len(text) * sizeof(unit))
        return True
    for i in range(len(text)):
        c = text[i]
        if <Py_UCS4> <unit> c != c:
            return False
        out[i] = <unit> c
    return True
