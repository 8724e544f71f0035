# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Fast path of `page_xml.unescape`: bytes whose only references are XML's five names."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memcpy


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
