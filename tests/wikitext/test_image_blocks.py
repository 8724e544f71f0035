"""An image with a frame or a place divides its line, any other does not, whatever else it says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.dump.site import Site
from wikiprep.languages.wikitext_words import words
from wikiprep.wikitext.captions import is_block
from wikiprep.wikitext.extract import extract

EN = Site.for_language("en")
BLOCK = ("thumb", "thumbnail", "frame", "framed", "left", "right", "center", "none", " left ", "thumb=Other.jpg")
LINE = ("frameless", "border", "200px", "upright", "upright=1.2", "alt=left", "link=thumb", "middle", "Thumb", "")
CAPTIONS = ("a [[b|thumb]] c", "it left", "[[left]]", "''none''", "a <ref>thumb</ref>", "{{thumb|left}} c")


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from((*BLOCK, *LINE, *CAPTIONS)), max_size=5), st.booleans())
def test_whatever_else_it_says(parts: list[str], captions: bool) -> None:
    text = f"one [[x]] [[{'|'.join(['File:A.jpg', *parts])}]] two [[y]]"
    result = extract(text, "Page", EN, captions=captions)
    own = [p.text for p in result.paragraphs if p.kind != "caption"]
    assert own == (["one x", "two y"] if set(parts) & set(BLOCK) else ["one x two y"])
    assert [k.target for p in result.paragraphs if p.kind != "caption" for k in p.links] == ["X", "Y"]
    assert result.links["found"] == sum(n for reason, n in result.links.items() if reason != "found")


@pytest.mark.parametrize("code", ["en", "de", "ja", "fa", "sr", "zh-yue", "is"])
def test_english_works_on_every_wiki(code: str) -> None:
    assert is_block("File:A.jpg|c|thumb", words(code))
    assert not is_block("thumb", words(code))  # the file's name
