# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Fast path of `read_spans`: texts whose marks come in pairs around mentions without space at their ends."""

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
    Py_UNICODE_ISSPACE,
    unit,
)


def split_marks(texts):
    """(texts without marks, links a text, where each link starts, where it ends), None if a text is not so plain.

    Places are code points of all texts joined by one character.
    """
    cdef list plain = [], counts = [], starts = [], ends = []
    cdef Py_ssize_t at = 0, count
    cdef str text
    cdef int kind
    for text in texts:
        kind = PyUnicode_KIND(text)
        if kind == PyUnicode_1BYTE_KIND:
            count = _split(text, <unsigned char*> PyUnicode_DATA(text), at, plain, starts, ends)
        elif kind == PyUnicode_2BYTE_KIND:
            count = _split(text, <unsigned short*> PyUnicode_DATA(text), at, plain, starts, ends)
        else:
            count = _split(text, <unsigned int*> PyUnicode_DATA(text), at, plain, starts, ends)
        if count < 0:
            return None
        counts.append(count)
        at += len(text) - 2 * count + 1
    return plain, counts, starts, ends


cdef Py_ssize_t _split(
    str text, unit* data, Py_ssize_t base, list plain, list starts, list ends
) except -2:
    """Appends the text and its links, of which it returns the number; -1 if it is not plain."""
    cdef Py_ssize_t size = len(text), at = 0, start, length = 0, links = 0, marks = 0
    cdef unit* out = NULL
    try:
        while True:
            start = at
            while at < size and not LINK <= data[at] <= END:
                at += 1
            if at == size and marks == 0:
                plain.append(text)
                return 0
            if out == NULL:
                out = <unit*> malloc(size * sizeof(unit))
                if out == NULL:
                    raise MemoryError
            if marks & 1 and (at == start or Py_UNICODE_ISSPACE(data[start]) or Py_UNICODE_ISSPACE(data[at - 1])):
                return -1
            memcpy(out + length, data + start, (at - start) * sizeof(unit))
            length += at - start
            if at == size:
                break
            (ends if marks & 1 else starts).append(base + length)
            links += data[at] == LINK
            marks += 1
            at += 1
        if 2 * links != marks:
            return -1
        plain.append(PyUnicode_FromKindAndData(sizeof(unit), out, length))
        return links
    finally:
        free(out)
