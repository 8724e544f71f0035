# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""Fast path of `BlockReader.read`: paragraphs of plain lines, items of lists and headings that are one."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from wikiprep.compiled.characters cimport (
    BREAK,
    CAPTION,
    PLACEHOLDER,
    MAX_DEPTH,
    NOTHING,
    PyUnicode_1BYTE_KIND,
    PyUnicode_2BYTE_KIND,
    PyUnicode_DATA,
    PyUnicode_FromKindAndData,
    PyUnicode_KIND,
    TAG,
    in_ITEMS,
    in_STARTERS,
    unit,
)
from wikiprep.compiled.fast_quotes cimport are_marks, is_unclosed


cdef struct Line:
    Py_ssize_t end
    bint visible  # holds more than marks, spaces and quotes
    bint placeholder
    bint nothing
    bint stopped  # BREAK
    bint other  # a mark that asks for rules
    bint quotes
    bint free  # of marks and quotes
    bint strange_quotes  # runs that are not all of two and three apostrophes, or odd in number of both
    bint unclosed


cdef class BlockScanner:
    """What is plain of one page; `BlockReader` reads the rest and says where to go on.

    `blocks` grows by (section path, kind, depth, text with its marks), as `BlockReader` writes them; `flags` is a
    Counter. `close(text)` is the rule for texts with placeholders, `heading(line)` goes into the section that a line
    without marks begins and gives its path, None if it begins none; `kinds` says what an item is by its last mark.
    """

    cdef str text
    cdef list blocks
    cdef object flags, close, heading
    cdef dict kinds
    cdef tuple section
    cdef void* out
    cdef Py_ssize_t length  # of what is written of a block
    cdef bint placeholder

    def __cinit__(self, str text not None, list blocks not None, flags, close, heading, dict kinds not None):
        self.text = text
        self.blocks = blocks
        self.flags = flags
        self.close = close
        self.heading = heading
        self.kinds = kinds
        self.out = malloc((len(text) + 2) * PyUnicode_KIND(text))  # a block is no longer than its lines
        if self.out == NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.out)

    def read(self, Py_ssize_t at, tuple section):
        """Reads from `at`, the start of a line with no block before it open.

        Returns where the first line begins that it leaves to rules, with none open again; past the text at its end.
        Raises IndexError if `at` is negative.
        """
        cdef int kind = PyUnicode_KIND(self.text)
        if at < 0:
            raise IndexError(at)
        self.section = section
        self.length = 0
        self.placeholder = False
        if kind == PyUnicode_1BYTE_KIND:
            return _read(self, <unsigned char*> PyUnicode_DATA(self.text), at)
        if kind == PyUnicode_2BYTE_KIND:
            return _read(self, <unsigned short*> PyUnicode_DATA(self.text), at)
        return _read(self, <unsigned int*> PyUnicode_DATA(self.text), at)


cdef Py_ssize_t _read(BlockScanner page, unit* data, Py_ssize_t at) except -1:
    cdef Py_ssize_t size = len(page.text), start = at, depth, unclosed = 0
    cdef unit* first
    cdef Line line
    cdef bint open = False
    cdef tuple section
    while at <= size:
        if at == size or data[at] == c"\n":
            if open:
                _end(page, data, "prose", 0, unclosed)
                open = False
            at += 1
            continue
        _look(data, at, size, &line)
        if not line.visible and not line.quotes:
            if open and (line.placeholder or line.stopped or not line.nothing):
                _end(page, data, "prose", 0, unclosed)
                open = False
            at = line.end + 1
            continue
        if line.other or line.stopped or line.strange_quotes or not line.visible:
            return start if open else at
        first = data + at
        if first[0] == c"=" and line.free:
            section = page.heading(PyUnicode_FromKindAndData(sizeof(unit), first, line.end - at))
            if section is not None:
                if open:
                    _end(page, data, "prose", 0, unclosed)
                    open = False
                page.section = section
                at = line.end + 1
                continue
        if in_ITEMS(first[0]):
            if open:
                _end(page, data, "prose", 0, unclosed)
                open = False
            depth = 1
            while in_ITEMS(first[depth]):
                depth += 1
            if first[depth - 1] == c";" or depth >= MAX_DEPTH or first[depth] == c"'":
                return at
            _write(page, first + depth, data + line.end, line.quotes)
            _end(page, data, page.kinds[chr(first[depth - 1])], depth, line.unclosed)
        elif in_STARTERS(first[0]):
            return start if open else at
        else:
            if open:
                _space(page, data)
            else:
                open, start, unclosed = True, at, 0
            _write(page, first, data + line.end, line.quotes)
            unclosed += line.unclosed
        at = line.end + 1
    if open:
        _end(page, data, "prose", 0, unclosed)
    return at


cdef void _look(unit* data, Py_ssize_t at, Py_ssize_t size, Line* line) noexcept:
    """What the line at `at` holds."""
    cdef Py_ssize_t start
    cdef int twos = 0, threes = 0
    cdef bint marked = False  # with LINK or END
    cdef Line seen
    seen.visible = seen.placeholder = seen.nothing = seen.stopped = seen.other = seen.quotes = seen.strange_quotes = False
    while True:
        while data[at] == c" ":
            at += 1
        start = at
        while data[at] >= 32 and data[at] != c"'" and data[at] != TAG:
            at += 1
        if at > start:
            seen.visible = True
        if at == size or data[at] == c"\n":
            break
        if data[at] == c"'" and data[at + 1] == c"'":
            start = at
            while data[at] == c"'":
                at += 1
            seen.quotes = True
            if at - start == 2:
                twos += 1
            elif at - start == 3:
                threes += 1
            else:
                seen.strange_quotes = True
            continue
        if data[at] == NOTHING:
            seen.nothing = True
        elif data[at] == PLACEHOLDER:
            seen.placeholder = True
        elif data[at] == BREAK:
            seen.stopped = True
        else:
            seen.visible = True
            marked |= data[at] < 32
            if BREAK < data[at] <= CAPTION or data[at] == TAG:
                seen.other = True
        at += 1
    seen.end = at
    if not are_marks(twos, threes):
        seen.strange_quotes = True
    seen.unclosed = is_unclosed(twos + threes)
    seen.free = not (seen.placeholder or seen.nothing or seen.quotes or marked)
    line[0] = seen


cdef void _space(BlockScanner page, unit* data) noexcept:
    """A line end within a paragraph."""
    cdef unit* out = <unit*> page.out
    if page.length and out[page.length - 1] != c" ":
        out[page.length] = c" "
        page.length += 1


cdef void _write(BlockScanner page, unit* at, unit* end, bint quotes) noexcept:
    """Adds to the block, with single spaces, without NOTHING and quotes."""
    cdef unit* out = <unit*> page.out
    cdef Py_ssize_t length = page.length
    cdef unit* start
    while at < end:
        if at[0] == c" " and (length == 0 or out[length - 1] == c" "):
            at += 1
            continue
        start = at
        while at < end:
            if at[0] <= c"'" and (
                at[0] == c" " and at[1] == c" "
                or at[0] == NOTHING
                or at[0] == PLACEHOLDER
                or quotes and at[0] == c"'" and at[1] == c"'"
            ):
                break
            at += 1
        memcpy(out + length, start, (at - start) * sizeof(unit))
        length += at - start
        if at == end:
            break
        if at[0] == NOTHING:
            at += 1
        elif at[0] == c"'":
            while at[0] == c"'":
                at += 1
        else:
            if at[0] == PLACEHOLDER:
                page.placeholder = True
            out[length] = at[0]
            length += 1
            at += 1
    page.length = length


cdef bint _only_placeholders(unit* at, Py_ssize_t length) noexcept:
    cdef Py_ssize_t i
    for i in range(length):
        if at[i] != PLACEHOLDER and at[i] != c" ":
            return False
    return True


cdef int _end(BlockScanner page, unit* data, str kind, Py_ssize_t depth, Py_ssize_t unclosed) except -1:
    """Adds the block that is written to `blocks`."""
    cdef unit* out = <unit*> page.out
    cdef str text
    if page.length and out[page.length - 1] == c" ":
        page.length -= 1
    if page.placeholder and _only_placeholders(out, page.length):
        page.length = 0
    if page.length:
        text = PyUnicode_FromKindAndData(sizeof(unit), out, page.length)
        if page.placeholder:
            text = page.close(text)
        if text:
            page.blocks.append((page.section, kind, depth, text))
    page.length = 0
    page.placeholder = False
    if unclosed:
        page.flags["unclosed:quotes"] += unclosed
    return 0
