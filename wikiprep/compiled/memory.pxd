"""How Python holds a text in memory, for loops in Cython over it."""

cdef extern from "Python.h":
    enum:
        PyUnicode_1BYTE_KIND
        PyUnicode_2BYTE_KIND
        PyUnicode_4BYTE_KIND
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    str PyUnicode_FromKindAndData(int kind, const void* buffer, Py_ssize_t size)

# A code point as a string holds it: one, two or four bytes wide, by the widest of the string.
ctypedef fused unit:
    unsigned char
    unsigned short
    unsigned int
