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
    """(the text with NOTHING for each note, how many there were, how many hold another's tag, how many `[[` in all)."""
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
    cdef Py_ssize_t size = len(text), at = 0, last = 0, end, length = 0, notes = 0, holding = 0, links = 0
    cdef unit* out = NULL
    cdef bint closes = True  # a `</ref>` may follow
    cdef bint nested
    try:
        while at < size:
            if data[at] != c"<" or not _is_name(data, at + 1, size):
                at += 1
                continue
            end = at + 4
            while end < size and data[end] != c">":
                end += 1
            if end == size:
                break
            end += 1
            nested = False
            if data[end - 2] != c"/":
                if closes:
                    closes = _to_closing(data, &end, size, &nested)
                if not closes:
                    at = end
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
            holding += nested
            while at < end - 1:
                if data[at] == c"[" and data[at + 1] == c"[":
                    links += 1
                    at += 1
                at += 1
            at = last = end
        if not notes:
            return text, 0, 0, 0
        memcpy(out + length, data + last, (size - last) * sizeof(unit))
        return PyUnicode_FromKindAndData(sizeof(unit), out, length + size - last), notes, holding, links
    finally:
        free(out)


cdef bint _is_ref(unit* at) noexcept:
    # Each is looked at only if the one before is a letter, so not beyond the zero that ends the text.
    return (at[0] == c"r" or at[0] == c"R") and (at[1] == c"e" or at[1] == c"E") and (at[2] == c"f" or at[2] == c"F")


cdef bint _is_name(unit* data, Py_ssize_t at, Py_ssize_t size) noexcept:
    """Whether the name of a note's tag stands there, whole."""
    if not _is_ref(data + at):
        return False
    at += 3
    return data[at] == c">" or (data[at] == c"/" and data[at + 1] == c">") or (
        Py_UNICODE_ISSPACE(data[at]) and at < size
    )


cdef bint _to_closing(unit* data, Py_ssize_t* end, Py_ssize_t size, bint* nested) noexcept:
    """Puts `end` behind the first `</ref>` after it; False if there is none. `nested`: `<ref` stands before."""
    cdef Py_ssize_t at = end[0], after
    while at < size:
        if data[at] == c"<":
            if data[at + 1] == c"/" and _is_ref(data + at + 2):
                after = at + 5
                while after < size and Py_UNICODE_ISSPACE(data[after]):
                    after += 1
                if data[after] == c">":
                    end[0] = after + 1
                    return True
            elif not nested[0] and _is_name(data, at + 1, size):
                nested[0] = True
        at += 1
    return False
