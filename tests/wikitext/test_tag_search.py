"""A quick search finds what `in` finds."""

from hypothesis import given
from hypothesis import strategies as st

from wikiprep.wikitext.tags import seeker

WORDS = [("__",), ("{|",), ("<table", "<TABLE", "</table"), ("[[",)]


@given(st.lists(st.sampled_from([*"_{|<[/ü\n", "table", "TABLE", "中"])).map("".join))
def test_it_finds_what_is_there(text: str) -> None:
    for words in WORDS:
        found = seeker(*words)(text)
        places = [text.find(word) for word in words if word in text]
        assert (found.start() if found else None) == (min(places) if places else None)
