# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Fast paths of reading XML: its five named references, control characters, the end of a page."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memcpy

cdef extern from "string.h":
    void* memmem(const void* data, size_t size, const void* wanted, size_t length)


def find_bytes(bytes data not None, bytes wanted not None, Py_ssize_t at):
    """As `data.find(wanted, at)`; `at` is not negative."""
    cdef const char* start = PyBytes_AS_STRING(data)
    cdef const char* found
    if at < 0:
        raise IndexError(at)
    if at > len(data):
        return -1
    found = <const char*> memmem(start + at, len(data) - at, PyBytes_AS_STRING(wanted), len(wanted))
    return found - start if found != NULL else -1


def has_control(bytes raw not None):
    """Whether a control character other than tab, line feed and carriage return is in `raw`."""
    cdef const unsigned char* at = <const unsigned char*> PyBytes_AS_STRING(raw)
    cdef Py_ssize_t i
    cdef unsigned char found = 0
    for i in range(len(raw)):  # to the end without a branch: so the compiler takes many bytes at once
        found |= (at[i] < 32) & (at[i] != 9) & (at[i] != 10) & (at[i] != 13)
    return found != 0


def unescape_named(bytes raw not None):
    """`raw` with each of `&lt; &gt; &amp; &quot; &apos;` as its character; None if another `&` is in it."""
    cdef const char* at = PyBytes_AS_STRING(raw)
    cdef const char* end = at + len(raw)
    cdef const char* found
    cdef Py_ssize_t length = 0, skipped
    cdef char* out = <char*> malloc(len(raw) + 1)
    if out == NULL:
        raise MemoryError
    try:
        while True:
            found = <const char*> memchr(at, c"&", end - at)
            skipped = (found if found != NULL else end) - at
            memcpy(out + length, at, skipped)
            length += skipped
            if found == NULL:
                return PyBytes_FromStringAndSize(out, length)
            if end - found >= 4 and memcmp(found, b"&lt;", 4) == 0:
                out[length] = c"<"
                at = found + 4
            elif end - found >= 4 and memcmp(found, b"&gt;", 4) == 0:
                out[length] = c">"
                at = found + 4
            elif end - found >= 5 and memcmp(found, b"&amp;", 5) == 0:
                out[length] = c"&"
                at = found + 5
            elif end - found >= 6 and memcmp(found, b"&quot;", 6) == 0:
                out[length] = c'"'
                at = found + 6
            elif end - found >= 6 and memcmp(found, b"&apos;", 6) == 0:
                out[length] = c"'"
                at = found + 6
            else:
                return None
            length += 1
    finally:
        free(out)
