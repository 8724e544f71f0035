"""Which notes count where the lists of a page stand; each of these was asked of MediaWiki as a number of links."""

import pytest

from wikiprep.wikitext.references import listed_notes

LIST, OTHER = "<references/>", '<references group="g"/>'


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("a<ref>1</ref>", []),
        (f"a<ref>1</ref>{LIST}", ["<ref>1</ref>"]),
        (f"{LIST}a<ref>1</ref>", []),
        (f"<ref>1</ref>{LIST}<ref>2</ref>{LIST}<ref>3</ref>", ["<ref>1</ref>", "<ref>2</ref>"]),
        (f"<ref group=g>1</ref><ref>2</ref>{OTHER}", ["<ref group=g>1</ref>"]),
        (f"<ref name=a>1</ref><ref name=a /><ref name='a'>2</ref>{LIST}", ["<ref name=a>1</ref>"]),
        (f"<ref name=a /><ref name=a>1</ref>{LIST}", ["<ref name=a>1</ref>"]),
        (f"<ref name=a group=g>1</ref><ref name=a>2</ref>{LIST}", ["<ref name=a>2</ref>"]),
        (f"<ref name=1>1</ref>{LIST}", []),  # an error there
        ("<ref name=a/><references><ref name=a>1</ref><ref name=b>2</ref></references>", ["<ref name=a>1</ref>"]),
        (
            '<ref name=a group=g /><references group="g"><ref name=a>1</ref></references>',
            ["<ref name=a>1</ref>"],
        ),
        ("<ref name=a>1</ref><references><ref name=a>2</ref></references>", ["<ref name=a>1</ref>"]),
        ("<references><ref>1</ref></references>", []),
    ],
)
def test_listed(text: str, notes: list[str]) -> None:
    assert listed_notes(text, all_listed=False) == notes


def test_a_list_that_is_not_seen() -> None:
    text = f"<ref>1</ref>{LIST}<ref>2</ref><ref group=g>3</ref><ref name=a>4</ref><ref name=a>4</ref>"
    assert listed_notes(text, all_listed=True) == [
        "<ref>1</ref>",
        "<ref>2</ref>",
        "<ref name=a>4</ref>",
        "<ref group=g>3</ref>",
    ]
