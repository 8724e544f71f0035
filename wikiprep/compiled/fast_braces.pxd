"""Types of `braces.py`, where Cython compiles it."""

cimport cython


@cython.locals(
    stack=list,
    spans=list,
    last=Py_ssize_t,
    size=Py_ssize_t,
    opening=Py_ssize_t,
    closing=Py_ssize_t,
    at=Py_ssize_t,
    end=Py_ssize_t,
    start=Py_ssize_t,
    count=Py_ssize_t,
    width=Py_ssize_t,
)
cpdef tuple outermost(str text)
