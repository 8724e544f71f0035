"""What compiled modules share: units of text, and behind this text what hatch_build.py makes of characters.py."""

cdef extern from "Python.h":
    enum:
        PyUnicode_1BYTE_KIND
        PyUnicode_2BYTE_KIND
        PyUnicode_4BYTE_KIND
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    str PyUnicode_FromKindAndData(int kind, const void* buffer, Py_ssize_t size)
    str PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)
    bint Py_UNICODE_ISSPACE(Py_UCS4 character)
    bint Py_UNICODE_ISPRINTABLE(Py_UCS4 character)

# A code point as a string holds it: one, two or four bytes wide, by the widest of the string.
ctypedef fused unit:
    unsigned char
    unsigned short
    unsigned int
