"""One filler and one check for every table of options."""

from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wikiprep.errors import UsageError
from wikiprep.options.option_fields import check_all, fill_options, names_of, option, required, take_options
from wikiprep.options.toml import to_toml


@dataclass(frozen=True, kw_only=True)
class Some:
    count: int = option(3, "A number.", minimum=1, maximum=9)
    share: float = option(0.5, "A share.", minimum=0, maximum=1)
    kind: str = option("a", "A kind.", choices=("a", "b"))
    name: str | None = option(None, "A name.")
    on: bool = option(False, "A switch.")
    auto: bool | str = option("auto", "A switch, or auto.", choices=("auto",))
    sizes: tuple[int, ...] = option((1, 2), "Sizes.")
    files: tuple[str, ...] = option((), "Files.", path=True)


@dataclass(frozen=True, kw_only=True)
class Sized:
    rows: int = required("Rows.", minimum=1)

    def __post_init__(self) -> None:
        check_all(self, "model")


def test_values_are_put_in_place_as_the_types_that_the_fields_have() -> None:
    made = fill_options(Some(), {"share": 1, "sizes": [4], "auto": True, "name": "x"}, "some")
    assert made == Some(share=1.0, sizes=(4,), auto=True, name="x")
    assert isinstance(made.share, float) and made.sizes == (4,)


@pytest.mark.parametrize(
    ("given_", "problem", "hint"),
    [
        ({"counts": 1}, r"unknown option 'counts' in \[some\]", "did you mean 'count'"),
        ({"count": 0}, r"\[some\] count = 0 is too small", "the least is 1"),
        ({"count": 10}, "too large", "the most is 9"),
        ({"count": 1.0}, "wrong type", "it takes a whole number"),
        ({"count": True}, "wrong type", "it takes a whole number"),
        ({"share": float("nan")}, "too small", "the least is 0"),
        ({"share": "x"}, "wrong type", "it takes a number"),
        ({"kind": "c"}, "kind = 'c' is not known", "it takes a or b"),
        ({"kind": 1}, "wrong type", "it takes a or b"),
        ({"name": ""}, "is empty", "leave it out"),
        ({"name": 4}, "wrong type", "it takes a string or nothing"),
        ({"on": "yes"}, "wrong type", "it takes true or false"),
        ({"auto": "yes"}, "not known", "it takes auto or true or false"),
        ({"sizes": 3}, "wrong type", "it takes a list of whole numbers"),
        ({"sizes": [1, True]}, "wrong type", "it takes a list of whole numbers"),
        ({"files": [""]}, "wrong type", "it takes a list of file names"),
    ],
)
def test_what_cannot_be_is_refused_with_the_way_out(given_: dict[str, object], problem: str, hint: str) -> None:
    with pytest.raises(UsageError, match=problem) as caught:
        fill_options(Some(), given_, "some", where="my.toml")
    assert str(caught.value).startswith("my.toml: ")
    assert hint in (caught.value.hint or "")


def test_a_table_of_two_dataclasses_knows_the_names_of_both() -> None:
    table: dict[str, object] = {"count": 2, "rows": 5}
    assert take_options(Some(), table, "model") == Some(count=2)
    assert table == {"rows": 5}
    assert fill_options(Sized(rows=1), table, "model", beside=names_of(Some())) == Sized(rows=5)
    with pytest.raises(UsageError) as caught:
        fill_options(Sized(rows=1), {"cuont": 1}, "model", beside=names_of(Some()))
    assert "'count'" in (caught.value.hint or "")


def test_a_dataclass_can_check_itself() -> None:
    with pytest.raises(UsageError, match=r"\[model\] rows = 0 is too small"):
        Sized(rows=0)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            "count": st.integers(1, 9),
            "share": st.floats(0, 1),
            "kind": st.sampled_from("ab"),
            "name": st.text(min_size=1),
            "on": st.booleans(),
            "sizes": st.lists(st.integers(-9, 9)),
        },
    )
)
@example({"name": "".join(map(chr, range(0xA1)))})
def test_what_is_written_is_read_back(table: dict[str, object]) -> None:
    import tomllib

    text = "\n".join(f"{name} = {to_toml(value)}" for name, value in table.items())
    assert fill_options(Some(), tomllib.loads(text), "some") == fill_options(Some(), table, "some")
