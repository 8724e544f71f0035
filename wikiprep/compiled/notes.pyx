# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Fast path of `strip_references`: `<ref>…</ref>` and `<ref/>`, by the same rules as its pattern, and spaces before them."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from wikiprep.compiled.characters cimport (
    NOTHING,
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_KIND,
    Py_UNICODE_ISSPACE,
    unit,
)


def cut_notes(str text not None):
    """(the text with NOTHING for each note, how many there were, how many `[[` in them)."""
    cdef int kind = PyUnicode_KIND(text)
    if kind == PyUnicode_1BYTE_KIND:
        return _cut(text, <unsigned char*> PyUnicode_DATA(text))
    if kind == PyUnicode_2BYTE_KIND:
        return _cut(text, <unsigned short*> PyUnicode_DATA(text))
    return _cut(text, <unsigned int*> PyUnicode_DATA(text))


def close_up(str text not None, str closing not None):
    """The text without a space before NOTHING where white space, its end or one of `closing` is next behind."""
    cdef int kind = PyUnicode_KIND(text)
    if kind == PyUnicode_1BYTE_KIND:
        return _close_up(text, <unsigned char*> PyUnicode_DATA(text), closing)
    if kind == PyUnicode_2BYTE_KIND:
        return _close_up(text, <unsigned short*> PyUnicode_DATA(text), closing)
    return _close_up(text, <unsigned int*> PyUnicode_DATA(text), closing)


cdef str _close_up(str text, unit* data, str closing):
    cdef Py_ssize_t size = len(text), at = 1, last = 0, length = 0, next
    cdef unit* out = NULL
    try:
        while at < size:
            if data[at] != NOTHING:
                at += 1
                continue
            next = at
            while next < size and data[next] == NOTHING:
                next += 1
            if data[at - 1] == c" " and (
                next == size or Py_UNICODE_ISSPACE(data[next]) or <Py_UCS4> data[next] in closing
            ):
                if out == NULL:
                    out = <unit*> malloc(size * sizeof(unit))
                    if out == NULL:
                        raise MemoryError
                memcpy(out + length, data + last, (at - 1 - last) * sizeof(unit))
                length += at - 1 - last
                last = at
            at = next
        if out == NULL:
            return text
        memcpy(out + length, data + last, (size - last) * sizeof(unit))
        return PyUnicode_FromKindAndData(sizeof(unit), out, length + size - last)
    finally:
        free(out)


cdef tuple _cut(str text, unit* data):
    cdef Py_ssize_t size = len(text), at = 0, last = 0, end, length = 0, notes = 0, links = 0
    cdef unit* out = NULL
    try:
        while at < size:
            if data[at] != c"<" or not _is_ref(data + at + 1):
                at += 1
                continue
            end = _note_end(data, at + 4, size)
            if end < 0:
                at += 4
                continue
            if out == NULL:
                out = <unit*> malloc(size * sizeof(unit))
                if out == NULL:
                    raise MemoryError
            memcpy(out + length, data + last, (at - last) * sizeof(unit))
            length += at - last
            out[length] = NOTHING
            length += 1
            notes += 1
            while at < end - 1:
                if data[at] == c"[" and data[at + 1] == c"[":
                    links += 1
                    at += 1
                at += 1
            at = last = end
        if not notes:
            return text, 0, 0
        memcpy(out + length, data + last, (size - last) * sizeof(unit))
        return PyUnicode_FromKindAndData(sizeof(unit), out, length + size - last), notes, links
    finally:
        free(out)


cdef bint _is_ref(unit* at) noexcept:
    # Each is looked at only if the one before is a letter, so not beyond the zero that ends the text.
    return (at[0] == c"r" or at[0] == c"R") and (at[1] == c"e" or at[1] == c"E") and (at[2] == c"f" or at[2] == c"F")


cdef bint _is_edge(unit* data, Py_ssize_t at, Py_ssize_t size) noexcept:
    """Whether the `<` there begins `<ref` or `</ref`."""
    cdef Py_ssize_t end = at + 4 + (data[at + 1] == c"/")
    return _is_ref(data + end - 3) and (
        data[end] == c">" or data[end] == c"/" or (Py_UNICODE_ISSPACE(data[end]) and end < size)
    )


cdef Py_ssize_t _note_end(unit* data, Py_ssize_t at, Py_ssize_t size) noexcept:
    """Where the note ends whose name ends at `at`; -1 if it is none."""
    cdef Py_ssize_t closed = -1
    if Py_UNICODE_ISSPACE(data[at]) and at < size:
        while at < size and data[at] != c">" and not (data[at] == c"<" and _is_edge(data, at, size)):
            at += 1
        if at == size or data[at] == c"<":
            return -1
        if data[at - 1] == c"/":
            closed = at + 1  # `<ref name="a"/>`, unless `</ref>` follows: then it ends there
    elif data[at] == c"/":
        return at + 2 if data[at + 1] == c">" else -1
    elif data[at] != c">":
        return -1
    at += 1
    while True:
        while at < size and data[at] != c"<":
            at += 1
        if at == size:
            return closed
        if _is_edge(data, at, size):
            break
        at += 1
    if data[at + 1] != c"/":
        return closed
    at += 5
    while at < size and Py_UNICODE_ISSPACE(data[at]):
        at += 1
    return at + 1 if at < size and data[at] == c">" else closed
