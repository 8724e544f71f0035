# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Fast path of `blocks.wrap`: a bz2 block, which starts at any bit, as a stream of whole bytes."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.string cimport memcpy, memset

cdef enum:
    HEAD = 4  # bytes: BZh9
    TAIL = 80  # bits: the end's magic, 48, and the CRC, 32


def wrap_block(bytes data not None, Py_ssize_t start, Py_ssize_t end):
    """The bits [start, end) of `data` as a whole bz2 stream; None if they are not all there, or no block's."""
    cdef Py_ssize_t length = end - start, i, place
    cdef int shift = start & 7
    cdef const unsigned char* at = <const unsigned char*> PyBytes_AS_STRING(data) + (start >> 3)
    cdef unsigned char* out
    cdef unsigned char tail[10]
    if start < 0 or end > 8 * len(data) or length < TAIL:
        return None
    stream = PyBytes_FromStringAndSize(NULL, HEAD + (length + TAIL + 7 >> 3))
    out = <unsigned char*> PyBytes_AS_STRING(stream)
    memcpy(out, b"BZh9", HEAD)
    out += HEAD
    for i in range(length >> 3):
        # Behind the last byte of `data` stands a zero.
        out[i] = <unsigned char> (at[i] << shift | at[i + 1] >> 8 - shift)
    i = length >> 3
    memset(out + i, 0, (length + TAIL + 7 >> 3) - i)
    if length & 7:
        out[i] = <unsigned char> ((at[i] << shift | at[i + 1] >> 8 - shift) & (0xFF << 8 - (length & 7)))
    memcpy(tail, b"\x17\x72\x45\x38\x50\x90", 6)
    memcpy(tail + 6, out + 6, 4)  # the block's CRC, behind its magic, is that of a stream of one block
    for i in range(TAIL):
        place = length + i
        out[place >> 3] |= (tail[i >> 3] >> 7 - (i & 7) & 1) << 7 - (place & 7)
    return stream
