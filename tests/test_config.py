from dataclasses import fields, is_dataclass

import pytest

from wikiprep.config import COMPATS, PRESETS, Config, apply
from wikiprep.errors import UsageError


def test_every_option_has_its_help() -> None:
    for section in fields(Config):
        options = getattr(Config(), section.name)
        assert is_dataclass(options)
        for f in fields(options):
            assert f.metadata["help"].endswith("."), f.name


def test_every_preset_and_compat_applies() -> None:
    for sections in (*PRESETS.values(), *COMPATS.values()):
        apply(Config(), sections)


def test_values_are_put_in_place() -> None:
    config = apply(Config(), {"vocabulary": {"vocab_size": 10, "vocab_targets": "linked"}, "records": {"text": True}})
    assert config.vocabulary.vocab_size == 10
    assert config.records.text
    assert Config().vocabulary.vocab_size == 500_000


def test_an_integer_is_a_number() -> None:
    assert apply(Config(), {"input": {"range_mb": 4}}).input.range_mb == 4


@pytest.mark.parametrize(
    ("sections", "words"),
    [
        ({"nothing": {}}, r"unknown section \[nothing\]"),
        ({"records": {"txt": True}}, "unknown option 'txt'"),
        ({"records": {"text": "yes"}}, "wrong type"),
        ({"vocabulary": {"vocab_size": True}}, "wrong type"),
        ({"vocabulary": {"vocab_size": 3}}, "too small"),
        ({"vocabulary": {"vocab_size": 10**20}}, "too large"),
        ({"records": {"max_seq_length": 100_000}}, "too large"),
        ({"input": {"range_mb": float("nan")}}, "too small"),
        ({"input": {"range_mb": float("inf")}}, "too large"),
        ({"extract": {"max_page_mb": float("nan")}}, "too small"),
        ({"input": {"page_props": ""}}, "is empty"),
        ({"vocabulary": {"vocab_targets": "all"}}, "not known"),
        ({"records": {"compat": "luke-1999"}}, "not known"),
    ],
)
def test_what_cannot_be_is_refused(sections: dict[str, dict[str, object]], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        apply(Config(), sections)
    assert caught.value.hint
