# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""One pass over a text for a handful of characters that pages seldom hold; callers say which, and what becomes of them.

The text is looked through by many characters at a time: loops without branches, of which compilers make vectors.
"""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from wikiprep.compiled.memory cimport (
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_KIND,
    unit,
)

cdef enum:
    CHUNK = 128
    MOST = 16  # ranges; what is beyond is looked for as one
    NEAR = 0x08  # characters so near to each other are looked for as one range, where most texts have none between
    FAR = 0x100  # ... from here on; below, texts have others between


cdef struct Chosen:
    int ranges
    unsigned int[MOST] first
    unsigned int[MOST] last
    bint runs  # of U+0020 are looked for too


cdef class _Task:
    """What is done to a text."""

    cdef str characters
    cdef Chosen chosen
    cdef bint look, spaces


def has_any(str text not None, str characters not None):
    """Whether one of the characters is in the text."""
    return _do(text, _task(characters, look=True)) is None


def without_any(str text not None, str characters not None):
    """The text without those characters."""
    return _do(text, _task(characters))


def single_spaces(str text not None, str spaces not None):
    """The text with each run of `spaces` and U+0020 as one U+0020."""
    cdef _Task task = _task(spaces)
    task.spaces = task.chosen.runs = True
    return _do(text, task)


cdef _Task _task(str characters, bint look=False):
    cdef _Task task = _Task()
    cdef Chosen* chosen = &task.chosen
    cdef unsigned int c
    cdef bint near
    task.characters, task.look, task.spaces = characters, look, False
    chosen.ranges, chosen.runs = 0, False
    for c in sorted(map(ord, characters)):
        near = chosen.ranges > 0 and c - chosen.last[chosen.ranges - 1] <= (NEAR if c >= FAR else 1)
        if near or chosen.ranges == MOST:
            chosen.last[chosen.ranges - 1] = c
            continue
        chosen.first[chosen.ranges] = chosen.last[chosen.ranges] = c
        chosen.ranges += 1
    return task


cdef str _do(str text, _Task task):
    cdef int kind = PyUnicode_KIND(text)
    if kind == PyUnicode_1BYTE_KIND:
        return _pass(text, <unsigned char*> PyUnicode_DATA(text), task)
    if kind == PyUnicode_2BYTE_KIND:
        return _pass(text, <unsigned short*> PyUnicode_DATA(text), task)
    return _pass(text, <unsigned int*> PyUnicode_DATA(text), task)


cdef str _pass(str text, unit* data, _Task task):
    """The text as it is to be; of a look alone None if there is something."""
    cdef Py_ssize_t size = len(text), at, start = 0, length = 0
    cdef unit* out
    at = _next(data, 0, size, task)
    if at == size:
        return text
    if task.look:
        return None
    out = <unit*> malloc(size * sizeof(unit))
    if out == NULL:
        raise MemoryError
    try:
        while at < size:
            memcpy(out + length, data + start, (at - start) * sizeof(unit))
            length += at - start
            if not task.spaces:
                at += 1
            else:
                if length == 0 or out[length - 1] != c" ":
                    out[length] = c" "
                    length += 1
                while at < size and (data[at] == c" " or _is(data[at], task.characters)):
                    at += 1
            start = at
            at = _next(data, at, size, task)
        memcpy(out + length, data + start, (size - start) * sizeof(unit))
        return PyUnicode_FromKindAndData(sizeof(unit), out, length + size - start)
    finally:
        free(out)


cdef inline bint _is(unit c, str characters) noexcept:
    return <Py_UCS4> c in characters


cdef Py_ssize_t _next(unit* data, Py_ssize_t at, Py_ssize_t size, _Task task) noexcept:
    """Where the next of the characters is, or of two U+0020 the first; `size` if none is."""
    cdef Py_ssize_t end
    cdef Chosen* chosen = &task.chosen
    while at < size:
        while at + CHUNK <= size and not _may_be(data + at, chosen):
            at += CHUNK
        end = min(at + CHUNK, size)
        while at < end:
            if _near(data[at], chosen) and _is(data[at], task.characters):
                return at
            if chosen.runs and (data[at] == c" ") & (data[at + 1] == c" "):
                return at
            at += 1
    return size


cdef inline bint _near(unit c, Chosen* chosen) noexcept:
    cdef int i
    for i in range(chosen.ranges):
        if chosen.first[i] <= c <= chosen.last[i]:
            return True
    return False


cdef inline bint _may_be(unit* data, Chosen* chosen) noexcept:
    """Whether one of so many characters asks for a look."""
    cdef unit bits = 0, found = 0, first, width
    cdef int i, n
    for i in range(CHUNK):
        bits |= data[i]
    for n in range(chosen.ranges):
        if chosen.first[n] > bits:  # greater than all of them
            break
        first = chosen.first[n]
        width = min(chosen.last[n], <unsigned int> <unit> -1) - first
        for i in range(CHUNK):
            found |= <unit> (<unit> (data[i] - first) <= width)
    if chosen.runs:
        for i in range(CHUNK):
            found |= <unit> (((data[i] ^ 32) | (data[i + 1] ^ 32)) == 0)
    return found != 0
