import json
import pickle
from collections import Counter

import orjson
import pytest

from wikiprep.counts import Count, Equation, Reasons, declare_counts, in_json

READ, ARTICLE = Count("pages.read", "Pages."), Count("pages.article", "Articles.")
REJECTS = Reasons("rejects.", "Pages left out.", crash="Ended the worker.")
EQUATION = Equation("pages", READ, (ARTICLE, REJECTS))


def test_a_key_is_the_string_that_it_is_written_as() -> None:
    counts = Counter({READ: 2, REJECTS.of("crash"): 1})
    assert counts == {"pages.read": 2, "rejects.crash": 1} and counts["pages.read"] == 2
    assert READ.meaning == "Pages." and Count("x").meaning == ""


def test_keys_of_a_prefix_are_an_equation_s_part() -> None:
    counts = {READ: 6, ARTICLE: 3, REJECTS.of("crash"): 1, REJECTS.of("too large"): 2, Count("rejected"): 9}
    assert EQUATION.terms(counts) == {"pages.article": 3, "rejects.crash": 1, "rejects.too large": 2}
    assert EQUATION.closes(counts) and not EQUATION.closes(counts | {READ: 7})
    parts = {"pages.article": 3, "rejects.crash": 1, "rejects.too large": 2}
    assert EQUATION.of(counts).in_json() == {"name": "pages", "whole": "pages.read", "total": 6, "parts": parts}


def test_reasons_are_found_among_other_counts_also_of_a_file() -> None:
    counts = orjson.loads(orjson.dumps(in_json({READ: 6, REJECTS.of("crash"): 1, REJECTS.of("too large"): 2})))
    assert REJECTS.within(counts) == {"crash": 1, "too large": 2} and REJECTS.total(counts) == 3


def test_a_word_each() -> None:
    kinds = declare_counts("pages.", article="Articles.", redirect="Redirects.")
    assert kinds == {"article": "pages.article", "redirect": "pages.redirect"} and kinds["redirect"].meaning


def test_counts_go_through_json() -> None:
    counts = {READ: 1, REJECTS.of("crash"): 2}
    with pytest.raises(TypeError):  # so that no counts reach a file but through `in_json`
        orjson.dumps(counts)
    assert {type(key) for key in in_json(counts)} == {str}
    assert orjson.dumps(in_json(counts), option=orjson.OPT_SORT_KEYS) == b'{"pages.read":1,"rejects.crash":2}'
    assert orjson.dumps([READ]) == b'["pages.read"]' and json.dumps(counts) == '{"pages.read": 1, "rejects.crash": 2}'


def test_counts_travel_between_processes() -> None:
    counts, equation = pickle.loads(pickle.dumps((Counter({READ: 1}), EQUATION)))
    assert counts == {"pages.read": 1} and type(next(iter(counts))) is Count
    assert equation == EQUATION and not equation.parts[1].known  # commits are sent: no meaning goes along
    assert equation.terms({READ: 3, ARTICLE: 1, REJECTS.of("crash"): 2}) == {"pages.article": 1, "rejects.crash": 2}
