"""Lines of a text file as text, with their numbers; blank ones are left out but counted."""

from collections.abc import Iterator
from pathlib import Path

from wikiprep.errors import WikiprepError
from wikiprep.textlines import read_lines


def text_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Raises WikiprepError, with file and line, for what is not UTF-8."""
    for number, line in read_lines(path):
        try:
            yield number, line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise WikiprepError(
                f"{path}:{number}: not UTF-8 ({error.reason})", "convert the file: iconv -f ISO-8859-1 -t UTF-8"
            ) from error
