"""What an entity gives: quirks of empty maps, ranks, statements that are none, properties; against plain scripts."""

import bz2
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
from entity_dumps import item, prop, snak, statement
from hypothesis import given, settings
from hypothesis import strategies as st

from wikiprep.wikidata.item import BadEntity, Text, WikidataEntity, WikiSelection, read_entity
from wikiprep.wikidata.statements import ItemTriple, triples_of

WANTED = WikiSelection(("enwiki",), ("en",))


def entity(found: Any, counts: Counter[str] | None = None, wanted: WikiSelection = WANTED) -> WikidataEntity:
    made = read_entity(found, wanted, counts if counts is not None else Counter())
    assert isinstance(made, WikidataEntity), made
    return made


def closes(counts: Counter[str]) -> bool:
    parts = sum(n for key, n in counts.items() if key != "statements.read")
    return parts == counts["statements.read"]


def test_an_item() -> None:
    made = entity(item(42, statement("P31", "Q5"), statement("P19", "Q350"), title="Douglas_Adams"))
    assert (made.kind, made.number, made.sitelinks) == ("item", 42, (("enwiki", "Douglas Adams"),))
    assert made.label == Text("label 42", "en")
    assert made.triples == (ItemTriple(19, 350, 0), ItemTriple(31, 5, 0))
    assert made.instance_of == (5,)


@pytest.mark.parametrize("empty", [[], {}, None])
def test_empty_maps_are_nothing(empty: Any) -> None:
    fields = dict.fromkeys(("labels", "descriptions", "aliases", "claims"), empty)
    made = entity(item(1, title="A", **fields))
    assert (made.label, made.description, made.triples) == (None, None, ())
    assert made.sitelinks == (("enwiki", "A"),)
    assert entity(item(1) | {"sitelinks": empty}).sitelinks == ()
    assert entity(prop(31) | fields).label is None


def test_missing_maps_are_nothing() -> None:
    assert entity({"type": "item", "id": "Q1"}) == WikidataEntity("item", 1)
    assert entity({"type": "property", "id": "P1"}) == WikidataEntity("property", 1)
    assert entity({"id": "L1"}) == WikidataEntity("lexeme", 1)


def test_empty_qualifiers_and_references() -> None:
    made = statement("P31", "Q5") | {"qualifiers": [], "references": []}
    assert entity(item(1, made, title="A")).instance_of == (5,)


@pytest.mark.parametrize(
    ("statements", "kept", "counts"),
    [
        (
            [("Q1", "preferred"), ("Q2", "normal"), ("Q3", "deprecated")],
            [(1, 1)],
            {"deprecated": 1, "not best rank": 1},
        ),
        ([("Q2", "normal"), ("Q3", "deprecated")], [(2, 0)], {"deprecated": 1}),
        ([("Q3", "deprecated")], [], {"deprecated": 1}),
        ([("Q1", "preferred"), ("Q2", "preferred")], [(1, 1), (2, 1)], {}),
        ([("Q1", "normal"), ("Q1", "normal")], [(1, 0)], {"same triple again": 1}),
        ([("Q1", "normal"), ("Q1", "preferred")], [(1, 1)], {"not best rank": 1}),
    ],
)
def test_ranks(statements: list[tuple[str, str]], kept: list[tuple[int, int]], counts: dict[str, int]) -> None:
    found: Counter[str] = Counter()
    made = entity(item(9, *(statement("P31", q, rank) for q, rank in statements), title="A"), found)
    assert [(t.tail, t.rank) for t in made.triples] == kept
    assert {k.removeprefix("statements.dropped."): n for k, n in found.items() if "dropped" in k} == counts
    assert closes(found)


def test_a_preferred_no_value_pushes_normal_values_aside() -> None:
    found: Counter[str] = Counter()
    made = entity(
        item(
            9, statement("P40", "", "preferred", "novalue"), statement("P40", "Q2"), statement("P31", "Q5"), title="A"
        ),
        found,
    )
    assert made.triples == (ItemTriple(31, 5, 0),)
    assert found["statements.dropped.no value"] == found["statements.dropped.not best rank"] == 1
    assert closes(found)


def test_malformed_statements_are_counted_by_reason_and_the_rest_stays() -> None:
    no_datavalue = statement("P31", "Q5")
    del no_datavalue["mainsnak"]["datavalue"]
    wrong = statement("P31", "Q5")
    wrong["mainsnak"]["datavalue"]["value"] = "a string where an object is expected"
    claims = {
        "P31": [statement("P31", "Q5"), no_datavalue, wrong, "text", None, {}, statement("P31", "Q6", "best")],
        "P40": [statement("P40", "", kind="somevalue"), statement("P40", "", kind="novalue"), statement("P40", "x")],
        "P50": statement("P50", "Q7"),
        "P51": [statement("P51", "", kind="magic"), {"mainsnak": snak("P51", "Q8")}],
        "P52": [],
        "P53": None,
        "bad": [statement("P1", "Q9")],
    }
    huge = statement("P54", "Q5")
    huge["mainsnak"]["datavalue"]["value"] = {"entity-type": "item", "id": "Q99999999999"}
    old = statement("P55", "Q5")
    old["mainsnak"]["datavalue"]["value"] = {"entity-type": "item", "numeric-id": 10}
    to_property = statement("P56", "Q5")
    to_property["mainsnak"]["datavalue"]["value"] = {"entity-type": "property", "id": "P7"}
    claims |= {"P54": [huge], "P55": [old], "P56": [to_property]}
    found: Counter[str] = Counter()
    made = entity(item(1, title="A", claims=claims), found)
    assert [(t.property, t.tail) for t in made.triples] == [(31, 5), (50, 7), (51, 8), (55, 10)]
    assert {k.removeprefix("statements."): n for k, n in found.items()} == {
        "read": 17,
        "kept": 4,
        "dropped.some value": 1,
        "dropped.no value": 1,
        "dropped.not an item": 2,
        "rejected.no datavalue": 1,
        "rejected.entity is no object": 1,
        "rejected.not an object": 2,
        "rejected.no snak": 1,
        "rejected.unknown rank": 1,
        "rejected.unknown snak type": 1,
        "rejected.bad property": 1,
        "rejected.item id too large": 1,
    }
    assert closes(found)


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=4), st.sampled_from(["Q5", "P31", "value"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["P31", "mainsnak", "rank", "snaktype", "datavalue", "value", "type", "id", "en", "enwiki"]
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(["id", "type", "labels", "claims", "sitelinks", "descriptions"]), json_values))
@settings(max_examples=300, deadline=None)
def test_any_json_is_an_entity_or_a_reason(found: dict[str, Any]) -> None:
    for fields in (
        {},
        {"id": "Q1", "type": "item", "sitelinks": {"enwiki": {"title": "A"}}},
        {"id": "P1", "type": "property"},
    ):
        counts: Counter[str] = Counter()
        made = read_entity(found | fields, WANTED, counts)
        assert isinstance(made, WikidataEntity) or made.reason
        assert closes(counts)


@given(st.dictionaries(st.sampled_from(["P1", "P2", "x"]), json_values), json_values)
@settings(max_examples=200, deadline=None)
def test_any_claims_close(claims: dict[str, Any], other: Any) -> None:
    for found in (claims, other):
        counts: Counter[str] = Counter()
        triples_of(found, counts)
        assert closes(counts)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"id": None}, "no id"),
        ({"id": 5}, "bad id"),
        ({"id": "Q0"}, "bad id"),
        ({"id": "M5", "type": "mediainfo"}, "bad id"),
        ({"id": "Q5", "type": "lexeme"}, "unknown type"),
        ({"id": "Q5", "type": 7}, "unknown type"),
        ({"id": "Q99999999999"}, "id too large"),
    ],
)
def test_what_is_no_entity(fields: dict[str, Any], reason: str) -> None:
    made = read_entity(item(1, title="A") | fields, WANTED, Counter())
    assert isinstance(made, BadEntity)
    assert made.reason == reason


def test_language_fallback_is_told() -> None:
    labels = {"mul": {"language": "mul", "value": "M"}, "en": {"language": "en", "value": "E"}}
    german = WikiSelection(("dewiki",), ("de", "gsw"))
    assert entity(item(1, wiki="dewiki", title="A", labels=labels), wanted=german).label == Text("M", "mul")
    del labels["mul"]
    assert entity(item(1, wiki="dewiki", title="A", labels=labels), wanted=german).label == Text("E", "en")
    labels["gsw"] = {"language": "gsw", "value": "G"}
    assert entity(item(1, wiki="dewiki", title="A", labels=labels), wanted=german).label == Text("G", "gsw")


def test_disambiguations_and_lists() -> None:
    assert entity(item(1, statement("P31", "Q4167410"), title="A")).is_disambiguation
    assert entity(item(1, statement("P31", "Q22808320"), title="A")).is_disambiguation
    assert not entity(item(1, statement("P31", "Q4167410", "deprecated"), title="A")).is_disambiguation
    assert not entity(item(1, statement("P279", "Q4167410"), title="A")).is_disambiguation
    assert entity(item(1, statement("P31", "Q13406463"), title="A")).is_list


def test_a_property() -> None:
    inverse = statement("P1696", "Q1")
    inverse["mainsnak"]["datavalue"]["value"] = {"entity-type": "property", "numeric-id": 40, "id": "P40"}
    constraint = statement("P2302", "Q21503250", P2308=["Q5", "Q95074"], P2309=["Q21503252"])
    other = statement("P2302", "Q21510865", P2308=["Q7"])
    old = statement("P2302", "Q21503250", "deprecated", P2308=["Q8"])
    made = entity(prop(22, inverse, constraint, other, old, label="father"))
    assert made == WikidataEntity(
        "property",
        22,
        label=Text("father", "en"),
        datatype="wikibase-item",
        inverses=(40,),
        subject_types=(5, 95074),
    )


def _plain_truthy(claims: dict[str, Any]) -> set[tuple[str, str]]:
    """Another way to the same, for items as the real dump has them."""
    found = set()
    for key, group in claims.items():
        ranks = {s["rank"] for s in group}
        best = "preferred" if "preferred" in ranks else "normal"
        for s in group:
            value = s["mainsnak"].get("datavalue", {})
            if s["rank"] == best and value.get("type") == "wikibase-entityid" and value["value"]["id"].startswith("Q"):
                found.add((key, value["value"]["id"]))
    return found


@pytest.mark.parametrize(("name", "items"), [("items-100-enwiki.json.bz2", 100), ("items-20-array.json.bz2", 20)])
def test_real_items_give_what_a_plain_script_gives(shared_data: Path, name: str, items: int) -> None:
    data = bz2.decompress((shared_data / "wikidata" / name).read_bytes())
    found = orjson.loads(data.rstrip().removesuffix(b"]").rstrip(b",\n ") + b"]")
    assert len(found) == items
    counts: Counter[str] = Counter()
    for raw in found:
        made = entity(raw, counts)
        assert made.sitelinks == tuple((w, raw["sitelinks"][w]["title"]) for w in ["enwiki"] if w in raw["sitelinks"])
        if made.sitelinks:
            assert {(f"P{t.property}", f"Q{t.tail}") for t in made.triples} == _plain_truthy(raw["claims"])
    assert closes(counts)
    assert not [key for key in counts if "rejected" in key]
    assert counts["statements.kept"] > items
