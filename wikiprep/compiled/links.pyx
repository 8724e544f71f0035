# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Fast path of `LinkReader.read`: links to known pages whose labels and surroundings ask for no rule."""

from libc.stdlib cimport free, realloc
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


cdef struct Shown:
    void* out
    Py_ssize_t length  # of what is written, in characters
    Py_ssize_t room


cdef class _Rules:
    """What stays the same for all links of a page."""

    cdef dict known
    cdef object meaning, trail
    cdef str stops, own
    cdef list targets
    cdef bint nested


def plain_links(
    str text not None,
    Py_ssize_t at,
    dict known not None,
    meaning,
    trail,
    str stops not None,
    str own,
    list targets not None,
    bint nested,
):
    """(what the text from `at`, a `[[`, shows up to the next link that needs rules; where that is or -1; links read).

    `known` has targets as written -> Meaning, `meaning(target)` adds one; `trail` matches what joins on to a link, and
    does not where one of `stops` is; `own` is the page's title; `nested` says that a `[[` before waits for its `]]`. Targets of the links that are read
    are appended to `targets`. Raises IndexError if no two characters are at `at`.
    """
    cdef int kind = PyUnicode_KIND(text)
    if at < 0 or at > len(text) - 2:
        raise IndexError(at)
    cdef _Rules rules = _Rules()
    rules.known, rules.meaning, rules.trail, rules.stops = known, meaning, trail, stops
    rules.own, rules.targets, rules.nested = own, targets, nested
    if kind == PyUnicode_1BYTE_KIND:
        return _read(text, <unsigned char*> PyUnicode_DATA(text), at, rules)
    if kind == PyUnicode_2BYTE_KIND:
        return _read(text, <unsigned short*> PyUnicode_DATA(text), at, rules)
    return _read(text, <unsigned int*> PyUnicode_DATA(text), at, rules)


cdef tuple _read(str text, unit* data, Py_ssize_t at, _Rules rules):
    cdef Place place
    cdef Shown shown
    cdef Py_ssize_t count = 0
    place.at, place.size = at, len(text)
    shown.out, shown.length, shown.room = NULL, 0, 0
    try:
        while place.at >= 0 and _link(text, data, &place, &shown, rules):
            count += 1
        return PyUnicode_FromKindAndData(sizeof(unit), shown.out, shown.length), place.at, count
    finally:
        free(shown.out)


cdef bint _link(str text, unit* data, Place* place, Shown* written, _Rules rules) except -1:
    """Writes one link and the text up to the next; False (and nothing is written) if it needs rules."""
    cdef Py_ssize_t start = place.at + 2, at = start, bar = -1, end, tail, shown_size, joined = 0
    cdef unit c
    cdef unit* out
    cdef bint blank = True  # the label, so far
    cdef str raw, shown
    cdef tuple meaning
    while True:
        c = data[at]
        if c < 32 or c >= 127:
            if at >= place.size or not Py_UNICODE_ISPRINTABLE(c):
                return False
        elif c == c"]":
            if data[at + 1] == c"]":
                break
        elif c == c"[":
            if data[at + 1] == c"[":
                return False
        elif bar < 0:
            if c == c"|":
                bar = at
                at += 1
                continue
        elif c == c"'" and data[at + 1] == c"'":
            return False
        if blank and c != c" " and bar >= 0 and not Py_UNICODE_ISSPACE(c):
            blank = False
        at += 1
    if bar >= 0 and blank:
        return False
    raw = PyUnicode_Substring(text, start, bar if bar >= 0 else at)
    meaning = <tuple> rules.known.get(raw)  # (reason, title, fragment, prefix, shown)
    if meaning is None:
        meaning = <tuple> rules.meaning(raw)
    shown = <str> meaning[4]
    if not shown or meaning[1] == rules.own:
        return False
    end = at
    tail = at = end + 2
    # Where the next `[[` is.
    while at < place.size and not (data[at] == c"[" and data[at + 1] == c"["):
        if rules.nested and data[at] == c"]" and data[at + 1] == c"]":
            return False
        at += 1
    if at > tail and <Py_UCS4> data[tail] not in rules.stops:
        if data[tail] == c"]":
            return False
        match = rules.trail(PyUnicode_Substring(text, tail, at))
        if match is not None:
            joined = match.end()
    shown_size = end - bar - 1 if bar >= 0 else len(shown)
    _make_room(written, 2 + shown_size + at - tail, sizeof(unit))
    out = <unit*> written.out + written.length
    out[0] = LINK
    if bar >= 0:
        memcpy(out + 1, data + bar + 1, shown_size * sizeof(unit))
    elif not _copy(shown, out + 1):
        return False
    memcpy(out + 1 + shown_size, data + tail, joined * sizeof(unit))
    out[1 + shown_size + joined] = END
    memcpy(out + 2 + shown_size + joined, data + tail + joined, (at - tail - joined) * sizeof(unit))
    rules.targets.append(meaning)
    place.at = at if at < place.size else -1
    written.length += 2 + shown_size + at - tail
    return True


cdef int _make_room(Shown* written, Py_ssize_t size, size_t width) except -1:
    """For so many characters more. It grows: room for the rest of a page at each link that needs rules was slow."""
    cdef Py_ssize_t room
    cdef void* out
    if written.length + size > written.room:
        room = 2 * written.room + size + 256
        out = realloc(written.out, room * width)
        if out == NULL:
            raise MemoryError
        written.out, written.room = out, room
    return 0


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
