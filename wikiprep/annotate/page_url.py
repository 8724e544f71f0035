"""The address of a page on its wiki, from the address of the main page that a dump's header gives."""

from urllib.parse import quote

# What MediaWiki leaves as it is in the addresses that it makes (wfUrlencode in GlobalFunctions.php).
_PLAIN = "-_.~;@$!*(),/:"


class PageUrls:
    """Addresses of pages; `base` is siteinfo's, as https://en.wikipedia.org/wiki/Main_Page. None without one."""

    def __init__(self, base: str | None) -> None:
        base = f"https:{base}" if base and base.startswith("//") else base or ""
        self._query = "title=" in base
        if "/wiki/" in base:
            self._before = base[: base.index("/wiki/") + len("/wiki/")]
        elif self._query:
            self._before = base[: base.rindex("title=") + len("title=")]
        else:
            scheme, slashes, rest = base.partition("://")
            self._before = f"{scheme}{slashes}{rest.rpartition('/')[0]}/" if slashes and "/" in rest else ""

    def of(self, title: str) -> str | None:
        """The address of the page with that full title: "AC/DC" ends in AC/DC, "What?" in What%3F."""
        if not self._before:
            return None
        return self._before + quote(title.replace(" ", "_"), safe="-_.~" if self._query else _PLAIN)
