"""bz2 blocks: the quick decoder says what the standard library says, of sound blocks and damaged ones."""

import bz2
import io
import random

import pytest
from dumps import multistream, page, words

from wikiprep.dump import bz2_blocks as blocks

SAMPLES = [
    multistream([page(i, f"Title {i}", words(i, 250)) for i in range(1, 60)], 10),
    bz2.compress(b"a" * 3_000_000),  # unpacked far larger than a block
    bz2.compress(b"".join(b"%d%d " % (i, i * i) for i in range(40_000)), 1),  # several blocks of one stream
    bz2.compress(random.Random(1).randbytes(9_000)) + bz2.compress(b"") + bz2.compress(b"end"),
]


def pieces(data: bytes, start: int = 0) -> list[tuple[int, int, bytes | None, str]]:
    return [(p.start, p.end, p.data, p.problem) for p in blocks.read_pieces(io.BytesIO(data), start, len(data))]


@pytest.mark.parametrize("data", SAMPLES)
def test_every_sound_block_is_read_by_the_quick_decoder(data, monkeypatch):
    def unpack(*_: object) -> None:
        raise AssertionError("asked for a sound block")

    monkeypatch.setattr(blocks, "unpack", unpack)
    assert b"".join(p[2] for p in pieces(data)) == b"".join(map(bz2.decompress, streams(data)))


def streams(data: bytes) -> list[bytes]:
    found = []
    while data:
        unpacker = bz2.BZ2Decompressor()
        unpacker.decompress(data)
        found.append(data[: len(data) - len(unpacker.unused_data)])
        data = unpacker.unused_data
    return found


def test_damage_is_told_as_without_the_quick_decoder(monkeypatch, capfd):
    rng = random.Random(8)
    damaged = []
    for _ in range(150):
        data = bytearray(rng.choice(SAMPLES))
        at = rng.randrange(4, len(data))
        how = rng.randrange(4)
        if how == 0:
            data[at] ^= 1 << rng.randrange(8)
        elif how == 1:
            del data[at:]
        elif how == 2:
            data[at : at + rng.randrange(300)] = rng.randbytes(rng.randrange(300))
        else:  # the header of a block, its tables
            data[4 + at % 40] = rng.randrange(256)
        damaged.append((bytes(data), rng.choice([0, 0, at])))
    found = [pieces(*d) for d in damaged]
    monkeypatch.setattr(blocks, "unpack_quickly", lambda *_: None)
    assert found == [pieces(*d) for d in damaged]
    assert any(p[2] is None for f in found for p in f)
    assert capfd.readouterr() == ("", "")  # the library's own warnings would go there
