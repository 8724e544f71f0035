"""Facts about languages and wikis that a dump does not hold itself: data files and their readers."""

from wikiprep.languages.language import Language, language

__all__ = ["Language", "language"]
