"""Ids of examples: the benchmark's own, each once. Predictions are matched by them."""

from wikiprep.errors import WikiprepError


class UniqueIds:
    """Takes the ids of a file."""

    def __init__(self) -> None:
        self._places: dict[str, str] = {}

    def take(self, name: str, place: str) -> str:
        """The id again. Raises WikiprepError, with both places, for one that was there before."""
        if name in self._places:
            raise WikiprepError(
                f"{place.removesuffix(':')}: id {name!r} was there before ({self._places[name].removesuffix(':')})",
                "each example has an id of its own: is the file two in one?",
            )
        self._places[name] = place
        return name
