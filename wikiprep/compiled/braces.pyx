# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Fast path of `outermost`: the same pairing of braces, character by character."""

from libc.stdlib cimport free, realloc

from wikiprep.compiled.characters cimport (
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_KIND,
    unit,
)

cdef struct Run:
    Py_ssize_t start
    Py_ssize_t count


cdef struct Pair:
    Py_ssize_t start
    Py_ssize_t end
    int width


def pair_braces(str text not None):
    """(outermost templates and arguments as (start, end, width), open runs as (start, count)), in order."""
    cdef int kind = PyUnicode_KIND(text)
    if kind == PyUnicode_1BYTE_KIND:
        return _pair(text, <unsigned char*> PyUnicode_DATA(text))
    if kind == PyUnicode_2BYTE_KIND:
        return _pair(text, <unsigned short*> PyUnicode_DATA(text))
    return _pair(text, <unsigned int*> PyUnicode_DATA(text))


cdef tuple _pair(str text, unit* data):
    cdef Py_ssize_t size = len(text), at = 0, start, i
    cdef Py_ssize_t open = 0, open_room = 0, pairs = 0, pairs_room = 0
    cdef int width
    cdef Run* stack = NULL
    cdef Pair* found = NULL
    try:
        while at < size:
            if data[at] != c"{" and data[at] != c"}":
                at += 1
                continue
            start = at
            if data[at] == c"{":
                while at < size and data[at] == c"{":
                    at += 1
                if at - start > 1:
                    if open == open_room:
                        open_room = 2 * open_room + 64
                        stack = <Run*> _grown(stack, open_room * sizeof(Run))
                    stack[open].start, stack[open].count = start, at - start
                    open += 1
                continue
            while at < size and data[at] == c"}":
                at += 1
            while open and at - start >= 2:
                width = min(stack[open - 1].count, at - start, 3)
                stack[open - 1].count -= width
                i = stack[open - 1].start + stack[open - 1].count
                start += width
                if stack[open - 1].count < 2:
                    open -= 1
                while pairs and found[pairs - 1].start > i:
                    pairs -= 1
                if pairs == pairs_room:
                    pairs_room = 2 * pairs_room + 64
                    found = <Pair*> _grown(found, pairs_room * sizeof(Pair))
                found[pairs].start, found[pairs].end, found[pairs].width = i, start, width
                pairs += 1
        return (
            [(found[i].start, found[i].end, found[i].width) for i in range(pairs)],
            [(stack[i].start, stack[i].count) for i in range(open)],
        )
    finally:
        free(stack)
        free(found)


cdef void* _grown(void* room, size_t size) except NULL:
    cdef void* grown = realloc(room, size)
    if grown == NULL:
        raise MemoryError
    return grown
