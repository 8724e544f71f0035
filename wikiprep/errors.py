"""Errors meant for the person who runs the build: one line that says what, where, and the way out.

`cli/main.py` prints them without a traceback. Anything else that escapes is a bug and keeps its traceback.
"""


class WikiprepError(Exception):
    """The build cannot go on: `what` names the file and the place, `hint` the way out. Exit code 1."""

    exit_code = 1
    what: str
    hint: str

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what, hint)
        self.what = what
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.what}\n  {self.hint}" if self.hint else self.what


class UsageError(WikiprepError):
    """The command or the configuration asks for something that cannot be. Exit code 2."""

    exit_code = 2


def no_folder(corpus: str) -> UsageError:
    """Of a corpus that is not there at all, whatever was looked for in it."""
    return UsageError(f"{corpus}: no such folder", "give the folder of a corpus that wikiprep made")
