"""Types of `pairs.py`, where Cython compiles it."""

cimport cython


@cython.locals(last=Py_ssize_t)
cpdef Py_ssize_t find_pair(str text, str sign, Py_ssize_t at, Py_ssize_t stop) except -2
