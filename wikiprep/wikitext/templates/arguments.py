"""The arguments of one template call, rendered when they are asked for."""

from collections.abc import Callable

from wikiprep.wikitext.control_marks import NOTHING, PLACEHOLDER
from wikiprep.wikitext.template_calls import split_arguments

_UNSEEN = f"{PLACEHOLDER}{NOTHING} \n"


class Arguments:
    """What a template was given: `args[1]`, `args["name"]`; rendered and stripped, "" where there is none."""

    def __init__(
        self,
        body: str | None,
        expand: Callable[[str], str],
        name: str,
        language: str,
        parent: "Arguments | None" = None,
    ) -> None:
        """`body`: what stands after the name and its `|`, None without one; `expand` renders inner templates.

        `parent`: the call of the template in whose definition this one stands, where what is not given here is taken
        from there, as Lua modules do.
        """
        self.callers: frozenset[str] = frozenset()  # the names of the templates in whose definitions the call stands
        self._parent = parent
        self.name = name  # the template's own, canonical
        self.title = ""  # of the page
        self.language = language
        self._expand = expand
        self._body = body
        self._parts: dict[str, str] | None = None
        self._values: dict[str, str] = {}

    @property
    def _raw(self) -> dict[str, str]:
        """Split when first asked for: most templates are dropped without a look at what they were given."""
        if self._parts is None:  # (`cached_property` takes a lock, which costs more than the rest)
            self._parts = self._split()
        return self._parts

    def _split(self) -> dict[str, str]:
        raw: dict[str, str] = {}
        position = 0
        for part in split_arguments(self._body) if self._body is not None else ():
            key, equals, value = part.partition("=")
            if equals and "{{" not in key and "[[" not in key and "<" not in key:
                raw[key.strip()] = value
            else:
                position += 1
                raw[str(position)] = part
        if self._parent is not None:
            for key in self._parent._raw:
                if not raw.get(key, "").strip():
                    raw[key] = self._parent[key]
        return raw

    def __getitem__(self, key: int | str) -> str:
        name = str(key)
        value = self._values.get(name)
        if value is None:
            raw = self._raw.get(name, "")
            value = (self._expand(raw) if "{{" in raw else raw).strip()
            if value and not value.strip(_UNSEEN):
                value = ""  # nothing but dropped templates is no value
            self._values[name] = value
        return value

    def __contains__(self, key: int | str) -> bool:
        return str(key) in self._raw

    def first(self, *keys: int | str) -> str:
        """The first of these that is not empty, or ""."""
        return next((value for key in keys if (value := self[key])), "")

    def positional(self) -> list[str]:
        """The unnamed values from the first on, up to the first that is missing."""
        values: list[str] = []
        while str(len(values) + 1) in self._raw:
            values.append(self[len(values) + 1])
        return values

    def named(self) -> tuple[tuple[str, str], ...]:
        """The values with a name that is no number, in the order given."""
        return tuple([(name, self[name]) for name in self._raw if not name.isdecimal()])

    def unstripped(self) -> list[str]:
        """As `positional`, with the white space that stands around each value."""
        values: list[str] = []
        parts = self._raw
        while (raw := parts.get(str(len(values) + 1))) is not None:
            values.append(self._expand(raw) if "{{" in raw else raw)
        return values

    def on(self, key: int | str) -> bool:
        """Whether a switch is set: given and not one of the words for no."""
        return self[key].lower() not in ("", "no", "n", "off", "0", "false")


def given_words(body: str) -> int:
    """Words between spaces in the values of a call's arguments, names of arguments left out.

    The most that it can show of what it was given. Inner calls count with their names, links with both sides; nothing
    is rendered for it.
    """
    words = 0
    if body:
        for part in body.split("|"):
            words += len(part[part.find("=") + 1 :].split())
    return words
