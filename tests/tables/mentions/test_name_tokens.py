"""Tokens: stated cases, the rule for every character, and arrays against the loop."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simple_finder import kind, tokens

from wikiprep.tables.mentions.normalize import folded_name, normal_name
from wikiprep.tables.mentions.normalized_offsets import unsafe_characters
from wikiprep.tables.mentions.tokens import class_table, code_points, token_spans

MIXED = st.text(st.sampled_from("aZ9é .-'\n\u00a0\u0301\u0323\u200d\u200c\u00ad東京かナーกิแ서울ومصرक्ष😀👩𐍈=²Ⅷ〇"))


def split(text: str) -> list[str]:
    starts, ends = token_spans(class_table()[code_points(text)])
    return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("New York", "New|York"),
        ("U.S.", "U|.|S|."),
        ("C++, AC/DC", "C|+|+|,|AC|/|DC"),
        ("O'Neill", "O|'|Neill"),
        ("x² 3D Ⅷ", "x²|3D|Ⅷ"),
        ("東京Towerへ", "東|京|Tower|へ"),
        ("コーヒー", "コ|ー|ヒ|ー"),
        ("か\u3099", "か\u3099"),  # a voicing mark composes with what it follows
        ("กินข้าว", "กิ|น|ข้|า|ว"),
        ("ភាសាខ្មែរ", "ភា|សា|ខ្|មែ|រ"),
        ("서울은", "서울은"),
        ("ومصر والقاهرة", "ومصر|والقاهرة"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("हिन्दी", "हिन्दी"),
        ("cafe\u0301s", "cafe\u0301s"),
        ("\u0301a =\u0338b", "\u0301a|=\u0338|b"),
        ("a😀👩\u200d🚀b", "a|😀|👩\u200d|🚀|b"),
        ("𐍈𐌰 𝔘", "𐍈𐌰|𝔘"),
        ("soft\u00adhyphen", "soft\u00adhyphen"),
        ("a\u200eb", "a|\u200e|b"),
        ("", ""),
        (" \u3000\n", ""),
    ],
)
def test_stated_cases(text: str, expected: str) -> None:
    assert split(text) == (expected.split("|") if expected else [])


@settings(deadline=None)
@given(st.one_of(MIXED, st.text(st.characters(max_codepoint=0x1FFFF))))
def test_as_the_loop_says(text: str) -> None:
    assert split(text) == [text[start:end] for start, end in tokens(text)]


def test_the_class_of_every_character() -> None:
    names = ("space", "word", "single", "mark")
    table = class_table().tolist()
    wrong = [hex(code) for code in range(0x110000) if names[table[code]] != kind(chr(code))]
    assert wrong == []


def test_no_form_moves_a_border() -> None:
    changing = [code for code in range(0x30000) if unsafe_characters()[code] or chr(code).casefold() != chr(code)]
    assert len(changing) > 3000
    for character in map(chr, changing):
        for form in (normal_name, folded_name):
            for text in (character, f"a{character}b", f"東{character}", f"={character}"):
                assert [form(token) for token in split(text)] == split(form(text)), (hex(ord(character)), form)
