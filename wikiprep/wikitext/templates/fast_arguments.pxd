"""Types of `arguments.py`, where Cython compiles it."""

cimport cython


cdef class Arguments:
    cdef public object callers
    cdef public str name, title
    cdef readonly str language
    cdef object _expand, _parent
    cdef str _body
    cdef dict _parts, _values

    @cython.locals(raw=dict, position=Py_ssize_t, part=str, key=str)
    cdef dict _split(self)


@cython.locals(words=Py_ssize_t, part=str)
cpdef Py_ssize_t given_words(str body) except -1
