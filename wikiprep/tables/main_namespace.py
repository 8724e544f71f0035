"""Whether a title lies in namespace 0, by the wiki's own namespaces."""

from wikiprep.dump.titles import TitleRules


class MainNamespace:
    """A callable for full normalised titles. Only a title with a colon can be elsewhere, so most cost one search."""

    def __init__(self, titles: TitleRules) -> None:
        self._titles = titles
        self._main_by_prefix: dict[str, bool] = {}  # by what stands before the colon

    def __call__(self, title: str) -> bool:
        """True for "2001: A Space Odyssey", False for "Category:Films"."""
        prefix, colon, _ = title.partition(":")
        if not colon:
            return True
        is_main = self._main_by_prefix.get(prefix)
        if is_main is None:
            target = self._titles.parse(f"{prefix}:X")
            is_main = self._main_by_prefix[prefix] = target.kind == "page" and target.namespace == 0
        return is_main
