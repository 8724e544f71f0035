"""Whether a title lies in namespace 0, by the wiki's own namespaces."""

from wikiprep.dump.titles import TitleRules


class MainNamespace:
    """A callable for full normalised titles. Only a title with a colon can be elsewhere, so most cost one search."""

    def __init__(self, titles: TitleRules) -> None:
        self._titles = titles
        self._known: dict[str, bool] = {}  # by what stands before the colon

    def __call__(self, title: str) -> bool:
        """True for "2001: A Space Odyssey", False for "Category:Films"."""
        prefix, colon, _ = title.partition(":")
        if not colon:
            return True
        known = self._known.get(prefix)
        if known is None:
            target = self._titles.parse(f"{prefix}:X")
            known = self._known[prefix] = target.kind == "page" and target.namespace == 0
        return known
