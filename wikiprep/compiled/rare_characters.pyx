# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Fast paths of `is_shielded` and `without_invisible`: one pass for a handful of characters that pages seldom hold."""

from libc.stdint cimport uint64_t
from libc.stdlib cimport free, malloc

from wikiprep.compiled.characters cimport (
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_KIND,
    unit,
)

cdef struct Chosen:
    unsigned int least
    unsigned int greatest
    uint64_t low_bits  # by the last six bits of each: most others are told apart by them


def has_any(str text not None, str characters not None):
    """Whether one of the characters is in the text."""
    return _first(text, characters) < len(text)


def without_any(str text not None, str characters not None):
    """The text without those characters."""
    cdef int kind = PyUnicode_KIND(text)
    if not has_any(text, characters):
        return text
    if kind == PyUnicode_1BYTE_KIND:
        return _without(<unsigned char*> PyUnicode_DATA(text), len(text), characters)
    if kind == PyUnicode_2BYTE_KIND:
        return _without(<unsigned short*> PyUnicode_DATA(text), len(text), characters)
    return _without(<unsigned int*> PyUnicode_DATA(text), len(text), characters)


cdef Chosen _chosen(str characters):
    cdef Chosen chosen
    cdef unsigned int c
    chosen.least, chosen.greatest, chosen.low_bits = 0x110000, 0, 0
    for c in map(ord, characters):
        chosen.least = min(chosen.least, c)
        chosen.greatest = max(chosen.greatest, c)
        chosen.low_bits |= <uint64_t> 1 << (c & 63)
    return chosen


cdef Py_ssize_t _first(str text, str characters):
    cdef int kind = PyUnicode_KIND(text)
    if kind == PyUnicode_1BYTE_KIND:
        return _find(<unsigned char*> PyUnicode_DATA(text), len(text), characters)
    if kind == PyUnicode_2BYTE_KIND:
        return _find(<unsigned short*> PyUnicode_DATA(text), len(text), characters)
    return _find(<unsigned int*> PyUnicode_DATA(text), len(text), characters)


cdef Py_ssize_t _find(unit* data, Py_ssize_t size, str characters):
    """Where the first of them is; `size` if none is."""
    cdef Chosen chosen = _chosen(characters)
    cdef Py_ssize_t at = 0
    cdef unsigned int c
    while at < size:
        c = data[at]
        if chosen.least <= c <= chosen.greatest and chosen.low_bits >> (c & 63) & 1 and <Py_UCS4> c in characters:
            return at
        at += 1
    return size


cdef str _without(unit* data, Py_ssize_t size, str characters):
    cdef Chosen chosen = _chosen(characters)
    cdef Py_ssize_t length = 0, i
    cdef unsigned int c
    cdef unit* out = <unit*> malloc(size * sizeof(unit))
    if out == NULL:
        raise MemoryError
    try:
        for i in range(size):
            c = data[i]
            if chosen.least <= c <= chosen.greatest and chosen.low_bits >> (c & 63) & 1 and <Py_UCS4> c in characters:
                continue
            out[length] = data[i]
            length += 1
        return PyUnicode_FromKindAndData(sizeof(unit), out, length)
    finally:
        free(out)
