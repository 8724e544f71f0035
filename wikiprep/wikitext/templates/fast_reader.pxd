"""Types of `reader.py`, where Cython compiles it."""

cimport cython

from wikiprep.wikitext.templates.fast_arguments cimport given_words


cdef class _Page:
    cdef object _context, _chooser, _titles, _templates, _flags, _lost_words
    cdef dict _names, _silent_names, _calls
    cdef bint _drop
    cdef Py_ssize_t _unknown_calls, _steps, _depth, _room, _work, _definition_room

    @cython.locals(
        out=list,
        start=Py_ssize_t,
        end=Py_ssize_t,
        last=Py_ssize_t,
        links_inside=Py_ssize_t,
        lost_links=Py_ssize_t,
        output=str,
        result=str,
    )
    cpdef str read(self, str text, links)

    cdef _spans(self, str body)

    @cython.locals(
        start=Py_ssize_t,
        end=Py_ssize_t,
        width=Py_ssize_t,
        at=Py_ssize_t,
        function=bint,
        body=str,
        raw=str,
        bar=str,
        rest=str,
        name_text=str,
        output=str,
    )
    cdef str _show(self, str text, span, frame)

    @cython.locals(words=Py_ssize_t)
    cdef str _drop_call(self, str name, frame, str raw_arguments, bint known)

    cdef str _render(self, choice, str raw_arguments, expand, frame)

    cdef str _invoke(self, call, str raw_arguments, frame, expand)

    cdef str _argument(self, str inside, frame)

    cdef str _name_with_colon(self, str raw)
