"""The console that shows a corpus on standard output."""

from typing import NoReturn

from rich.console import Console


class Terminal(Console):
    """A reader that has gone (`| head`) is told to the caller: BrokenPipeError."""

    def __init__(self, *, wrap: bool = False, markup: bool = True) -> None:
        """`wrap`: to the width of the terminal; else lines are as long as they are. `markup`: see rich."""
        super().__init__(highlight=False, soft_wrap=not wrap, markup=markup)

    def on_broken_pipe(self) -> NoReturn:
        """Called while the error is handled; rich itself would exit with code 1, which says that something failed."""
        raise BrokenPipeError
