"""Types of `notes.py`, where Cython compiles it."""

cimport cython


@cython.locals(
    notes=list,
    size=Py_ssize_t,
    closes=bint,
    nested=bint,
    at=Py_ssize_t,
    end=Py_ssize_t,
    tag_end=Py_ssize_t,
    inner=Py_ssize_t,
)
cpdef list find_notes(str text)

cdef bint _opens(str text, Py_ssize_t at, Py_ssize_t size) noexcept

cdef Py_ssize_t _behind_closing(str text, Py_ssize_t at, Py_ssize_t size) noexcept

@cython.locals(
    notes=list,
    out=list,
    last=Py_ssize_t,
    holding=Py_ssize_t,
    links=Py_ssize_t,
    start=Py_ssize_t,
    end=Py_ssize_t,
    nested=bint,
    at=Py_ssize_t,
)
cpdef tuple cut_notes(str text)

@cython.locals(
    out=list, last=Py_ssize_t, size=Py_ssize_t, at=Py_ssize_t, behind=Py_ssize_t, following=Py_ssize_t
)
cpdef str close_up(str text, str closing)
