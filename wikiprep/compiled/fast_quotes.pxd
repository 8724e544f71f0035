"""Types of `quotes.py`, where Cython compiles it."""


cpdef bint are_marks(Py_ssize_t italic, Py_ssize_t bold) noexcept

cpdef bint is_unclosed(Py_ssize_t runs) noexcept
