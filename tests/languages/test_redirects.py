"""How pages of each language say that they redirect."""

import orjson
import pytest

from wikiprep.languages.language import DATA, language, redirect_target

CODES = [orjson.loads(line)["code"] for line in (DATA / "languages.jsonl").read_bytes().splitlines()]


@pytest.mark.parametrize("code", CODES)
def test_every_word_of_a_language(code: str) -> None:
    own = language(code)
    for word in own.redirect:
        for text in (f"{word} [[A]]", f"{word}:[[A]] {{{{x}}}}", f"\n{word}  [[A|b]]"):
            assert redirect_target(text, own) == "A", text


def test_case_does_not_count_but_a_dotted_capital_has_no_other() -> None:
    """As MediaWiki: in Turkish `İ` is neither `i` nor `I` (and its lower case is two characters long)."""
    turkish, german = language("tr"), language("de")
    assert redirect_target("#YÖNLENDİRME [[A]]", turkish) == "A"
    assert redirect_target("#yÖNLENDİRme [[A]]", turkish) == "A"
    assert redirect_target("#yönlendirme [[A]]", turkish) is None
    assert redirect_target("#YÖNLENDIRME [[A]]", turkish) is None
    assert redirect_target("#redirect [[A]]", turkish) == "A"
    assert redirect_target("#Weiterleitung [[A]]", german) == "A"


def test_what_is_no_redirect() -> None:
    german = language("de")
    assert redirect_target("x #REDIRECT [[A]]", german) is None
    assert redirect_target("#REDIRECT A", german) is None
    assert redirect_target("#YÖNLENDİRME [[A]]", german) is None
    assert redirect_target("#REDIRECT [[ ]]", german) == ""
    # What took the square of it would not come to an end.
    assert redirect_target("#REDIRECT" + " " * 1_000_000 + "A", german) is None
