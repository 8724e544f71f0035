"""What the fast paths share: the marks of marks.py as C constants (a test holds the two together), units of text."""

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

cdef enum:
    LINK = 1
    END = 2
    PLACEHOLDER = 3
    NOTHING = 4
    BREAK = 5
    QUOTE_OPEN = 6
    QUOTE_CLOSE = 7
    CAPTION = 8
    TAG = 127
    MAX_DEPTH = 100

# A code point as a string holds it: one, two or four bytes wide, by the widest of the string.
ctypedef fused unit:
    unsigned char
    unsigned short
    unsigned int
