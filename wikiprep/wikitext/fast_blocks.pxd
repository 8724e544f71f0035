"""Types of `blocks.py`, where Cython compiles it."""

cimport cython

from wikiprep.compiled.fast_pairs cimport find_pair


cdef class BlockReader:
    cdef object _extraction, _page, _flags, _joins, _nesting
    cdef Py_ssize_t _written_captions, _waiting_captions, _next_target, _resolved_blocks
    cdef list _targets, _kept_targets, _sections, _lines, _blocks
    cdef tuple _path

    @cython.locals(
        at=Py_ssize_t,
        end=Py_ssize_t,
        size=Py_ssize_t,
        quotes=Py_ssize_t,
        line=str,
        lines=list,
        nested=bint,
        special=bint,
        quoted=bint,
    )
    cpdef read(self, str text)

    @cython.locals(first=str, depth=Py_ssize_t)
    cdef _read_special_line(self, str line)

    cdef _read_part(self, str text)

    @cython.locals(first=str)
    cdef _read_line(self, str line, bint quoted)

    cdef _skip_preformatted(self, str line)

    cdef _leave_out(self, str text, str reason)

    cdef _resolve_targets(self)

    @cython.locals(level=Py_ssize_t, inside=str, sections=list)
    cdef bint _read_heading(self, str line) except -1

    @cython.locals(depth=Py_ssize_t, size=Py_ssize_t, colon=Py_ssize_t, last=str, rest=str)
    cdef _read_item(self, str line)

    @cython.locals(lines=list, text=str)
    cdef _flush(self)

    cdef _write_captions(self)

    cdef _add_block(self, str kind, Py_ssize_t depth, str text)

    cdef str _close(self, str text)


@cython.locals(out=list, spaced=bint, part=str)
cdef str _without_nothing(str text)


@cython.locals(size=Py_ssize_t, left=Py_ssize_t)
cdef Py_ssize_t _heading_level(str line) except -1


@cython.locals(at=Py_ssize_t, open_=Py_ssize_t, last=Py_ssize_t)
cdef Py_ssize_t _colon_place(str text) except -2
