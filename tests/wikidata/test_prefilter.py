"""The byte filter skips no item that has a page in the chosen wikis, however its JSON is written."""

import bz2
import json
from typing import Any

import orjson
import pytest
from entity_dumps import compact, item, prop, statement
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from wikiprep.wikidata.lines import Undecodable, core, decode
from wikiprep.wikidata.read_range import Prefilter

WIKIS = ("enwiki", "be_x_oldwiki")
FILTER = Prefilter(WIKIS)

titles = st.one_of(
    st.text(max_size=12),
    st.sampled_from(['"enwiki":{', '","sitelinks":{}}', '\\"sitelinks\\":', 'a,"sitelinks":[]}', "enwiki", "\\"]),
)
sites = st.sampled_from(["enwiki", "dewiki", "enwikiquote", "be_x_oldwiki", "simplewiki", "sitelinks"])
links = st.one_of(
    st.just([]),
    st.just({}),
    st.dictionaries(sites, titles, max_size=4).map(
        lambda d: {s: {"site": s, "title": t, "badges": ["Q17437796"] if len(t) % 2 else []} for s, t in d.items()}
    ),
)
# What can stand anywhere, keys named like the ones the filter looks for among it.
values = st.recursive(
    st.one_of(st.none(), st.integers(), titles),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["sitelinks", "enwiki", "a", "type", '","sitelinks":']), inner, max_size=3),
    ),
    max_leaves=6,
)
entities = st.fixed_dictionaries(
    {"type": st.sampled_from(["item", "property", "lexeme"]), "id": st.sampled_from(["Q1", "P5", "L7"])},
    optional={"labels": values, "claims": values, "sitelinks": links, "lastrevid": st.integers(0, 9), "x": values},
)


def escaped(text: str, every: int) -> str:
    """The JSON `text` with each `every`-th letter inside its strings written as an escape."""
    out, inside, skip, n = [], False, 0, 0
    for i, c in enumerate(text):
        if skip:
            skip -= 1
        elif c == "\\":
            skip = 5 if text[i + 1] == "u" else 1
        elif c == '"':
            inside = not inside
        elif inside and c.isascii() and c.isalpha():
            n += 1
            if n % every == 0:
                out.append(f"\\u{ord(c):04x}")
                continue
        out.append(c)
    return "".join(out)


@st.composite
def written(draw: st.DrawFn, entity: st.SearchStrategy[dict[str, Any]]) -> bytes:
    """JSON of an entity: compact or spaced, fields in any order, characters escaped or not."""
    found = draw(entity)
    if draw(st.booleans()):
        found = {key: found[key] for key in draw(st.permutations(list(found)))}
    separators = draw(st.sampled_from([(",", ":"), (", ", ": "), (" ,", " :")]))
    text = json.dumps(found, separators=separators, ensure_ascii=draw(st.booleans()))
    every = draw(st.sampled_from([0, 0, 0, 1, 3]))
    return (escaped(text, every) if every else text).encode("utf-8", "replace")


@given(written(entities))
@settings(max_examples=400, deadline=None)
@example(b'{"type":"item","id":"Q1","sitelinks":{"enwik\\u0069":{"site":"enwiki","title":"A","badges":[]}}}')
@example(b'{"type":"item","id":"Q1","sitelinks":{"enwiki":{"site":"enwiki"}},"x":{"a":1,"sitelinks":{}}}')
@example(b'{"type":"item","id":"Q1","sitelink\\u0073":{"enwiki":{"title":"A"}},"x":{"a":1,"sitelinks":[]}}')
@example(b'{"type":"item","id":"Q1","a":1,"sitelinks" : {"enwiki" : {"site" : "enwiki"}}}')
def test_what_is_skipped_has_no_page_in_the_chosen_wikis(line: bytes) -> None:
    number = FILTER.skipped(line)
    if number is not None:
        found = orjson.loads(line)
        assert found["type"] == "item"
        assert found["id"] == f"Q{number}"
        assert not set(WIKIS) & set(found.get("sitelinks") or {})


@given(links, st.integers(1, 10**9), st.booleans())
@settings(max_examples=100, deadline=None)
def test_the_dumps_own_form_is_skipped_exactly_where_it_can_be(made: Any, number: int, revision: bool) -> None:
    # "sitelinks" is no wiki, and } no letter of a title: both have the line decoded.
    assume("sitelinks" not in made and not any("}" in link["title"] for link in dict(made).values()))
    entity = item(number, statement("P31", "Q5")) | {"sitelinks": made}
    if revision:
        entity |= {"modified": "2026-01-02T03:04:05Z"}
    else:
        del entity["lastrevid"]
    wanted = None if set(WIKIS) & set(made) else number
    assert FILTER.skipped(compact(entity)) == wanted


def test_properties_and_strange_items_are_decoded() -> None:
    for entity in (prop(31, statement("P279", "Q5")), item(5) | {"type": "lexeme"}, item(5) | {"id": "X5"}):
        assert FILTER.skipped(compact(entity)) is None
    entity = item(5, statement("P31", "Q5"))
    assert FILTER.skipped(compact(entity)) == 5
    assert FILTER.skipped(json.dumps(entity).encode()) is None
    assert FILTER.skipped(compact({"pageid": 1, "ns": 0, "title": "Q5"} | entity)) == 5


@pytest.mark.parametrize("name", ["items-20-array.json.bz2", "items-100-enwiki.json.bz2"])
def test_real_items(shared_data: Any, name: str) -> None:
    data = bz2.decompress((shared_data / "wikidata" / name).read_bytes())
    lines = [core(line) for line in data.split(b"\n")]
    skipped = 0
    for line in filter(None, lines):
        found = decode(line)
        assert not isinstance(found, Undecodable)
        for wiki in ("enwiki", "dewiki", "frwiki", "zh_yuewiki", "gotwiki"):
            number = Prefilter([wiki]).skipped(line)
            skipped += number is not None
            assert number is None or wiki not in found[0]["sitelinks"]
            if name.startswith("items-20"):  # compact: never decoded in vain
                assert (number is None) == (wiki in found[0]["sitelinks"])
    assert (skipped > 0) == name.startswith("items-20")
