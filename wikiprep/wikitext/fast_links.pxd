"""Types of `links.py`, where Cython compiles it."""

cimport cython

from wikiprep.compiled.fast_pairs cimport find_pair


cdef class LinkReader:
    cdef object _site, _subpages, _words, _trail, _before_prefix
    cdef dict _meanings
    cdef str _stops
    cdef Py_UCS4 _last_letter

    @cython.locals(raw=str)
    cpdef meaning(self, raw)

    @cython.locals(
        at=Py_ssize_t,
        start=Py_ssize_t,
        stop=Py_ssize_t,
        end=Py_ssize_t,
        bar=Py_ssize_t,
        behind=Py_ssize_t,
        size=Py_ssize_t,
        found=Py_ssize_t,
        reason=str,
        inside=str,
        raw=str,
        label=str,
        tail=str,
        title=str,
        out=list,
        open_links=list,
        targets=list,
    )
    cpdef str read(self, str text, page, counts, bint captions)

    @cython.locals(last=Py_ssize_t, start=Py_ssize_t, before=str, reason=str)
    cdef Py_ssize_t _show(
        self,
        str raw,
        str label,
        meaning,
        str text,
        Py_ssize_t at,
        Py_ssize_t stop,
        list out,
        str title,
        list targets,
        counts,
    ) except -1

    @cython.locals(reason=str, label=str, bar=bint, bracket=bint)
    cdef Py_ssize_t _leave_out(
        self,
        str raw,
        str inside,
        meaning,
        str text,
        Py_ssize_t at,
        Py_ssize_t stop,
        list out,
        page,
        counts,
        bint nested,
        bint captions,
    ) except -1
