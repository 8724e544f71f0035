"""Types of `link_marks.py`, where Cython compiles it."""

cimport cython


@cython.locals(
    plain=list,
    counts=list,
    starts=list,
    ends=list,
    base=Py_ssize_t,
    at=Py_ssize_t,
    end=Py_ssize_t,
    count=Py_ssize_t,
    text=str,
)
cpdef tuple split_marks(list texts)
