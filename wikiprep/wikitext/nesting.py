"""What a block stands in: HTML lists, their items, quotations, as their tags open and close along a page.

The innermost item or quotation gives a block its kind, as on the rendered page. `<li>`, `<dt>` and `<dd>` need no
closing tag and no list around them. Of lists and quotations that are never closed a browser would make the rest of the
page: here lists end at the next blank line or heading, quotations at the next heading. All of it is linear.
"""

from typing import Literal

from wikiprep.wikitext.article import ParagraphKind
from wikiprep.wikitext.control_marks import (
    DEFINITION,
    ITEM,
    ITEM_CLOSE,
    LIST_CLOSE,
    LIST_OPEN,
    LIST_TAG,
    QUOTE_CLOSE,
    QUOTE_OPEN,
    TERM,
)

MAX_DEPTH = 100  # of lists; nobody writes a tenth of it
_ITEMS: dict[str, ParagraphKind] = {ITEM: "list_item", TERM: "term", DEFINITION: "definition"}
_Element = Literal["list", "item", "quote"]


class Nesting:
    """What is open at a place of the page.

    `kind` and `depth` are those of a block there, `lists` is how many of them are open, `opened` everything that is.
    """

    def __init__(self, text: str) -> None:
        """`text`: the page with its marks, to see whether all that opens is closed."""
        self.kind: ParagraphKind = "prose"
        self.depth = 0
        self.lists = 0
        self._quotes = 0
        # What is open, and the kind of a block before it opened.
        self.opened: list[tuple[_Element, ParagraphKind]] = []
        tags = LIST_TAG.findall(text)
        list_opens, list_closes = tags.count(LIST_OPEN), tags.count(LIST_CLOSE)
        self._forgotten_list = list_opens > list_closes
        self._forgotten_quote = text.count(QUOTE_OPEN) - list_opens > text.count(QUOTE_CLOSE) - list_closes

    def mark(self, mark: str) -> None:
        """Goes past a mark of a tag."""
        open_, kind = self.opened, self.kind
        if mark == LIST_OPEN:
            self.lists += 1
            open_.append(("list", kind))
        elif mark == QUOTE_OPEN:
            self._quotes += 1
            open_.append(("quote", kind))
            self.kind = "quote"
        elif mark == LIST_CLOSE:
            self._close("list", self.lists)
        elif mark == QUOTE_CLOSE:
            self._close("quote", self._quotes)
        else:
            if open_ and open_[-1][0] == "item":
                self._pop()
            if mark != ITEM_CLOSE:
                open_.append(("item", self.kind))
                self.kind = _ITEMS[mark]
            elif open_ and open_[-1][0] == "quote" and open_[-2:-1] and open_[-2][0] == "item":
                self._pop()  # a quotation that its item closes
                self._pop()
        self._set_depth()

    def enter_line(self, kind: ParagraphKind, lists: int) -> int:
        """Into the item that a line of wikitext is; give the answer to `leave_line` at its end."""
        self.lists += lists
        self.opened.append(("item", self.kind))
        self.kind = kind
        self._set_depth()
        return len(self.opened)

    def leave_line(self, place: int, lists: int) -> None:
        """Out of it again; what the line opened and did not close stays open."""
        self.lists = max(0, self.lists - lists)
        if len(self.opened) >= place:
            # Where a tag closed the item and another opened something in its stead, that ends with the line too.
            element, kind = self.opened.pop(place - 1)
            self._uncount(element)
            if len(self.opened) >= place:
                self.opened[place - 1] = (self.opened[place - 1][0], kind)
            else:
                self.kind = kind
        self._set_depth()

    def blank_line(self) -> None:
        """Ends items that stand in no list, and lists where one is never closed."""
        if self.opened and (self._forgotten_list or not self.lists):
            self._end("list")

    def heading(self) -> None:
        """Ends what `blank_line` does, and quotations where one is never closed."""
        self.blank_line()
        if self.opened and self._forgotten_quote:
            self._end("quote")

    def _end(self, element: _Element) -> None:
        """Everything that is open but quotations, or those too."""
        while self.opened and (element == "quote" or self.opened[-1][0] != "quote"):
            self._pop()
        self._set_depth()

    def _close(self, element: _Element, count: int) -> None:
        """The innermost of these, and what stands open in it; nothing where none is open."""
        while count and self.opened and self._pop() != element:
            pass

    def _pop(self) -> _Element:
        element, self.kind = self.opened.pop()
        self._uncount(element)
        return element

    def _uncount(self, element: _Element) -> None:
        if element == "list":
            self.lists = max(0, self.lists - 1)
        elif element == "quote":
            self._quotes -= 1

    def _set_depth(self) -> None:
        if self.kind == "quote":
            self.depth = self._quotes
        else:
            self.depth = 0 if self.kind == "prose" else min(max(1, self.lists), MAX_DEPTH)
