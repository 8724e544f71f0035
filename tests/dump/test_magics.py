"""The magics of bz2 blocks, at any bit."""

from hypothesis import given
from hypothesis import strategies as st

from wikiprep.dump.bz2_blocks import BLOCK, END, find_magics


def bit_by_bit(data: bytes) -> list[tuple[int, int]]:
    digits = "".join(f"{byte:08b}" for byte in data)
    found = [(at, int(digits[at : at + 48], 2)) for at in range(len(digits) - 47)]
    return [(at, value) for at, value in found if value in (BLOCK, END)]


pieces = st.one_of(
    st.text("01", max_size=40),
    st.sampled_from([f"{BLOCK:048b}", f"{END:048b}", f"{BLOCK:048b}"[:47], f"{END:048b}"[1:]]),
)


@given(st.lists(pieces, max_size=6), st.integers(0, 7))
def test_every_magic_is_found_at_its_bit_and_nothing_else(parts, shift):
    digits = "0" * shift + "".join(parts)
    digits += "0" * (-len(digits) % 8)
    data = int(digits or "0", 2).to_bytes(len(digits) // 8, "big")
    assert find_magics(data) == bit_by_bit(data)
