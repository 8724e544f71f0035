"""What somebody may have meant by a name that is none: for the hints of errors."""

from collections.abc import Iterable

_MAX_NAMES = 3


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """Up to three of `names` that are close to `name` whatever the case, the closest first; often none."""
    from difflib import get_close_matches  # only errors need it

    by_form: dict[str, str] = {}
    for it in names:
        by_form.setdefault(it.casefold(), it)
    return [by_form[form] for form in get_close_matches(name.casefold(), by_form, _MAX_NAMES)]


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The question as words, "did you mean 'a' or 'b'?", and "" where nothing is near."""
    quoted_names = [repr(it) for it in nearest(name, names)]
    return f"did you mean {' or '.join(quoted_names)}?" if quoted_names else ""


def names_hint(what: str, name: str, names: Iterable[str]) -> str:
    """A hint: what is near, and all of them: "did you mean 'luke'? presets are luke, spot"."""
    names = list(names)
    return " ".join(part for part in (did_you_mean(name, names), f"{what} are {', '.join(names)}") if part)
