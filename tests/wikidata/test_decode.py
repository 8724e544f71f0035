"""Lines with and without commas and brackets, whole arrays, and lines that are broken in every way asked for."""

import orjson
import pytest

from wikiprep.wikidata.lines import Undecodable, core, decode

A, B = b'{"id":"Q1","x":[1]}', b'{"id":"Q2"}'


@pytest.mark.parametrize(
    ("line", "ids"),
    [
        (A, ["Q1"]),
        (A + b",", ["Q1"]),
        (A + b",\r", ["Q1"]),
        (b"  " + A + b" , ", ["Q1"]),
        (b"," + A, ["Q1"]),
        (A + b",,", ["Q1"]),
        (b"[" + A + b",", ["Q1"]),
        (A + b"]", ["Q1"]),
        (b"[" + A + b"]", ["Q1"]),
        (b"[" + A + b"," + B + b"]", ["Q1", "Q2"]),
        (A + b"," + B, ["Q1", "Q2"]),
        (b"[[" + A + b"]]", ["Q1"]),
        (b"[" + A + b",]", ["Q1"]),
    ],
)
def test_entities_with_what_may_stand_around_them(line: bytes, ids: list[str]) -> None:
    found = decode(core(line))
    assert not isinstance(found, Undecodable), found
    assert [e["id"] for e in found] == ids


@pytest.mark.parametrize("line", [b"", b" \r", b"[", b"]", b"],", b"][", b"[]", b" ] , [ "])
def test_brackets_alone_are_no_entities(line: bytes) -> None:
    assert core(line) == b""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (A[:9], "cut line"),
        (A[5:], "cut line"),
        (b'{"id":"Q1","x":[', "cut line"),
        (b'{"id":"Q1","x":[1]', "cut line"),
        (A[:-1] + b",}", "not JSON"),
        (b'{"id":"Q1\0"}', "NUL byte"),
        (b"\0\0\0", "NUL byte"),
        (b'{"id":"\\ud800"}', "not JSON"),
        (b'{"id":"\xed\xa0\x80"}', "not JSON"),
        (b'{"id":"\xff"}', "not JSON"),
        (b'"text"', "cut line"),
        (b"{}{}", "not JSON"),
        (b'{"a":1},2,{"b":1}', "not an object"),
        (b'{"a":' + b"[" * 3000 + b"]" * 3000 + b"}", "not JSON"),
        (b"{'id': 'Q1'}", "not JSON"),
    ],
)
def test_broken_lines_have_a_reason(line: bytes, reason: str) -> None:
    found = decode(core(line))
    assert isinstance(found, Undecodable)
    assert found.reason == reason
    found.detail.encode()  # can be written to a file
    assert orjson.dumps(found.detail)
