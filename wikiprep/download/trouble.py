"""What can go wrong with a server, by what is done about it. None of these leaves the room `download/`."""


class TryAgain(Exception):
    """The same server may give it later: a cut, a stall, an answer that says to wait. `wait`: seconds it asked for."""

    def __init__(self, reason: str, wait: float = 0.0, *, unreachable: bool = False) -> None:
        super().__init__(reason)
        self.wait = wait
        self.unreachable = unreachable


class NextServer(Exception):
    """This server does not give it, however often it is asked: absent, forbidden, or not what it should be."""


class Absent(NextServer):
    """There is nothing at that address."""


class Stopped(Exception):
    """The user ended the command, or another file's failure did."""
