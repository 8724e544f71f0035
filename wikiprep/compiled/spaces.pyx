# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Fast path of `with_plain_spaces`: one pass where Python's searches for each kind of white space in turn."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from wikiprep.compiled.characters cimport (
    NOTHING,
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_KIND,
    in_SPACES,
    unit,
)


def plain_spaces(str text not None):
    """The text with each white space but line ends as U+0020, behind NOTHING where a line starts with it."""
    cdef int kind = PyUnicode_KIND(text)
    if kind == PyUnicode_1BYTE_KIND:
        return _replace(text, <unsigned char*> PyUnicode_DATA(text))
    if kind == PyUnicode_2BYTE_KIND:
        return _replace(text, <unsigned short*> PyUnicode_DATA(text))
    return _replace(text, <unsigned int*> PyUnicode_DATA(text))


cdef str _replace(str text, unit* data):
    cdef Py_ssize_t size = len(text), at = 0, start = 0, length = 0
    cdef unit* out
    while at < size and not in_SPACES(data[at]):
        at += 1
    if at == size:
        return text
    out = <unit*> malloc((size + size // 2 + 1) * sizeof(unit))  # "\n\t" becomes three
    if out == NULL:
        raise MemoryError
    try:
        while at < size:
            memcpy(out + length, data + start, (at - start) * sizeof(unit))
            length += at - start
            if at > 0 and data[at - 1] == c"\n":
                out[length] = NOTHING
                length += 1
            out[length] = c" "
            length += 1
            at += 1
            start = at
            while at < size and not in_SPACES(data[at]):
                at += 1
        memcpy(out + length, data + start, (size - start) * sizeof(unit))
        return PyUnicode_FromKindAndData(sizeof(unit), out, length + size - start)
    finally:
        free(out)
