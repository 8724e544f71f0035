"""Files that are cut or damaged: an error that names file and byte, or the pages around the damage."""

import bz2
import gzip
import lzma
import random
from pathlib import Path

import pytest
import zstandard
from dumps import dump, ids, multistream, page, read, words
from exports import CONTENT, export, put

from wikiprep.dump import bz2_blocks as blocks
from wikiprep.dump.dump_files import find_parts
from wikiprep.dump.known_damage import check_ending
from wikiprep.dump.pages import BadPage, LostRange, Page
from wikiprep.errors import WikiprepError

PAGES = [page(i, f"Title {i}", words(i, 250)) for i in range(1, 200)]
WHOLE = dump(PAGES)
ALL = list(range(1, 200))
TABLE = "{|\n! a\n|-\n| b || c\n|}\n"
XML = b"<mediawiki>" + b"".join(b"<page>%d</page>\n" % i for i in range(30_000)) + b"</mediawiki>\n"
STREAMS = bz2.compress(XML[:100_000], 1) + bz2.compress(XML[100_000:], 1)
WHOLE_FILE = {"one.bz2": bz2.compress(XML, 1), "many.bz2": STREAMS, "a.xz": lzma.compress(XML), "a.xml": XML}


def write(tmp_path: Path, name: str, data: bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("range_bytes", [20000, 1 << 30])
@pytest.mark.parametrize("at", [0.02, 0.3, 0.5, 0.77, 0.97])
def test_a_flipped_byte_costs_its_block_alone(tmp_path, at, range_bytes):
    data = bytearray(multistream(PAGES, 10))
    data[int(len(data) * at)] ^= 0x40
    path = write(tmp_path, "a.xml.bz2", bytes(data))
    with pytest.raises(WikiprepError, match=r"a\.xml\.bz2: .* at byte [\d,]+ of"):
        read(path, range_bytes)
    found = read(path, range_bytes, keep_damaged=True)
    assert [f for f in found if isinstance(f, LostRange)]
    good = [f.page_id for f in found if isinstance(f, Page)]
    assert good == sorted(set(good))
    assert len(good) >= 199 - 10
    lost = [f for f in found if isinstance(f, LostRange)]
    assert all(f.start <= f.end <= len(data) for f in lost)


def test_any_flipped_byte_is_noticed_or_harmless(tmp_path):
    clean = multistream(PAGES[:20], 5)
    rng = random.Random(5)
    header = clean.index(b"BZh9", 4)  # damage there hides which wiki it is, and the file is refused
    for at in sorted(rng.sample(range(header, len(clean)), 60)):
        data = bytearray(clean)
        data[at] ^= 1 << rng.randrange(8)
        path = write(tmp_path, "a.xml.bz2", bytes(data))
        try:
            assert ids(read(path)) == ALL[:20]
        except WikiprepError:
            found = read(path, keep_damaged=True)
            assert any(isinstance(f, LostRange) for f in found)
            assert {f.page_id for f in found if isinstance(f, Page)} <= set(ALL)


@pytest.mark.parametrize("range_bytes", [30000, 1 << 30])
def test_a_flipped_byte_in_one_stream_keeps_both_sides(tmp_path, range_bytes):
    data = bytearray(bz2.compress(WHOLE, 1))
    data[len(data) // 2] ^= 4
    path = write(tmp_path, "a.xml.bz2", bytes(data))
    with pytest.raises(WikiprepError, match="damaged bz2 block"):
        read(path, range_bytes)
    found = read(path, range_bytes, keep_damaged=True)
    good = [f.page_id for f in found if isinstance(f, Page)]
    assert good == sorted(set(good))
    assert good[0] == 1
    assert good[-1] == 199
    assert [f.reason for f in found if isinstance(f, BadPage)] in ([], ["the file is damaged within the page"])


@pytest.mark.parametrize("range_bytes", [20000, 1 << 30])
@pytest.mark.parametrize("kind", ["bz2", "multi", "gz", "xz", "zst", "plain"])
@pytest.mark.parametrize("share", [0.35, 0.8, 0.995])
def test_a_cut_file_is_an_error_and_its_pages_are_kept(tmp_path, kind, range_bytes, share):
    data = {
        "bz2": bz2.compress(WHOLE, 1),
        "multi": multistream(PAGES, 10),
        "gz": gzip.compress(WHOLE),
        "xz": lzma.compress(WHOLE),
        "zst": zstandard.ZstdCompressor().compress(WHOLE),
        "plain": WHOLE,
    }[kind]
    path = write(tmp_path, "cut.xml", data[: int(len(data) * share)])
    with pytest.raises(WikiprepError, match=r"cut\.xml: .*at byte"):
        read(path, range_bytes)
    found = read(path, range_bytes, keep_damaged=True)
    good = [f.page_id for f in found if isinstance(f, Page)]
    assert good == ALL[: len(good)]
    assert any(isinstance(f, LostRange) for f in found)


def test_a_cut_between_streams_or_pages_is_noticed(tmp_path):
    streams = multistream(PAGES, 10)
    last = streams.rindex(b"BZh9")
    with pytest.raises(WikiprepError, match="ends without </mediawiki>"):
        read(write(tmp_path, "a.xml.bz2", streams[:last]), 3000)
    plain = WHOLE[: WHOLE.rindex(b"</mediawiki>")]
    with pytest.raises(WikiprepError, match="ends without </mediawiki>"):
        read(write(tmp_path, "a.xml", plain), 3000)
    kept = read(tmp_path / "a.xml", 3000, keep_damaged=True)
    assert ids(kept) == ALL
    assert isinstance(kept[-1], LostRange)


def test_pages_without_a_root_need_no_closing_tag(tmp_path):
    assert ids(read(write(tmp_path, "a.xml", "".join(PAGES).encode()), 3000)) == ALL


@pytest.mark.parametrize("name", ["a.xml.bz2", "a.xml.gz", "a.xml.zst", "a.xml.xz"])
def test_garbage_behind_the_last_stream_is_ignored_as_the_tools_do(tmp_path, name):
    pack = {
        "a.xml.bz2": bz2.compress,
        "a.xml.gz": gzip.compress,
        "a.xml.zst": zstandard.ZstdCompressor().compress,
        "a.xml.xz": lzma.compress,
    }[name]
    for garbage in (b"\0" * 5000, b"garbage" * 1000):
        assert ids(read(write(tmp_path, name, pack(WHOLE) + garbage), 3000)) == ALL


def test_a_false_magic_inside_a_block_loses_nothing(tmp_path, monkeypatch):
    """Real data will not hold one for a century, so the search is made to see magics that are none."""
    path = write(tmp_path, "a.xml.bz2", bz2.compress(WHOLE, 1))
    real = blocks.find_magics

    def seeing_more(data: bytes) -> list[tuple[int, int]]:
        false = [
            (at * 8 + at % 8, blocks.BLOCK if at % 2 else blocks.END)
            for at in range(len(data) - 8)
            if data[at] == 0xA7 and data[at + 1] & 0xF0 == 0x30
        ]
        found = real(data)
        return sorted({*found, *(f for f in false if f[0] not in {m[0] for m in found})})

    monkeypatch.setattr(blocks, "find_magics", seeing_more)
    assert len(seeing_more(path.read_bytes())) > len(real(path.read_bytes())) + 3
    for step in (2000, 5000, 1 << 30):
        assert ids(read(path, step)) == ALL


def test_a_page_without_end_does_not_fill_the_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("wikiprep.dump.pages.MAX_PAGE_BYTES", 1 << 20)
    endless = "<page><title>Endless</title><id>500</id>" + "x" * (3 << 20)
    path = write(tmp_path, "a.xml", dump([PAGES[0], endless, PAGES[1]]))
    found = read(path)
    assert ids(found) == [1, 500, 2]
    assert isinstance(found[1], BadPage)
    assert found[1].reason == "page too long"


def stripped(number, text):
    """A page as the exports of before November 2025 had it: its size is that of the text before."""
    lost = "\n".join(line.lstrip(" \t").removeprefix("|") if line.lstrip().startswith("|") else line
                     for line in text.split("\n"))  # fmt: skip
    made = page(number, f"T{number}", lost)
    return made.replace(f'bytes="{len(lost.encode())}"', f'bytes="{len(text.encode())}"')


def damage(folder, name, *pages, **header):
    (found,) = find_parts([str(put(folder, name, export(pages, **header)))])
    return found.damage


def test_exports_of_before_november_2025_lost_bars(tmp_path):
    lines = damage(tmp_path, "enwiki-2025-10-01-p1p9.xml.bz2", page(1, "A", "plain"))
    assert any("lost every |" in line and "take a newer one" in line for line in lines)
    assert not any("lost every |" in x for x in damage(tmp_path, "enwiki-2025-11-01-p1p9.xml.bz2", page(1, "A", "b")))


@pytest.mark.parametrize(
    ("name", "made", "lost"),
    [
        ("renamed.xml.bz2", stripped(1, TABLE), True),
        ("renamed.xml.bz2", page(1, "A", TABLE), False),
        ("renamed.xml.bz2", page(1, "A", "plain é"), False),
        ("enwiki-2026-11-01-p1p9.xml.bz2", stripped(1, TABLE), True),  # whatever the name says
        ("enwiki-2025-09-01-p1p9.xml.bz2", page(1, "A", TABLE), False),
        ("renamed.xml.bz2", stripped(1, "a\n|| b\n| c"), True),  # one of two bars is left at the start of the line
    ],
)
def test_the_first_pages_tell_too(tmp_path, name, made, lost):
    assert any("lost every |" in line for line in damage(tmp_path, name, made)) is lost


def test_an_export_of_the_first_schema_is_old_whatever_its_name(tmp_path):
    assert any("lost every |" in line for line in damage(tmp_path, "a.xml.bz2", page(1, "A", "b"), schema="0.10"))


def test_exports_up_to_august_2026_left_pages_out(tmp_path):
    (line,) = damage(tmp_path, "enwiki-2026-08-01-p1p9.xml.bz2", page(1, "A", "b"))
    assert "left out pages" in line
    assert "take a newer one" in line
    assert damage(tmp_path, "enwiki-2026-09-01-p1p9.xml.bz2", page(1, "A", "b")) == ()
    assert damage(tmp_path, "enwiki-2026-08-01-p1r5r9.xml.bz2", page(1, "A", "b")) == ()  # of a history


def test_other_dumps_have_none(tmp_path):
    for name in ("enwiki-20250901-pages-articles.xml.bz2", "enwiki-2025-09-01-p1p9.xml.bz2"):
        assert damage(tmp_path, name, stripped(1, TABLE), generator="MediaWiki 1.45.0-wmf.12") == ()
    assert CONTENT.startswith("MediaWiki Content File Export")


def test_real_dumps_are_not_blamed(shared_data):
    for path in sorted((shared_data / "dumps").glob("*wiki*-*.xml.bz2")):
        if "index" not in path.name:
            assert find_parts([str(path)])[0].damage == ()


@pytest.mark.parametrize("name", list(WHOLE_FILE))
def test_whole_files_pass(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(WHOLE_FILE[name])
    check_ending(str(tmp_path / name))


@pytest.mark.parametrize("name", list(WHOLE_FILE))
@pytest.mark.parametrize("left", [0.3, 0.6, 0.999])
def test_cut_files_are_found_at_once(tmp_path: Path, name: str, left: float) -> None:
    (tmp_path / name).write_bytes(WHOLE_FILE[name][: int(len(WHOLE_FILE[name]) * left)])
    with pytest.raises(WikiprepError, match=f"{name}: cut"):
        check_ending(str(tmp_path / name))


@pytest.mark.parametrize("bytes_off", range(1, 16))
def test_every_byte_of_a_bz2_end_counts(tmp_path: Path, bytes_off: int) -> None:
    (tmp_path / "a.bz2").write_bytes(WHOLE_FILE["one.bz2"][:-bytes_off])
    with pytest.raises(WikiprepError):
        check_ending(str(tmp_path / "a.bz2"))


def test_garbage_after_the_end_and_formats_without_a_mark_pass(tmp_path: Path) -> None:
    (tmp_path / "a.bz2").write_bytes(WHOLE_FILE["one.bz2"] + b"garbage")
    check_ending(str(tmp_path / "a.bz2"))
    (tmp_path / "a.gz").write_bytes(gzip.compress(XML)[:-20])
    check_ending(str(tmp_path / "a.gz"))


def test_all_real_dumps_are_whole(shared_data: Path) -> None:
    for path in sorted((shared_data / "dumps").glob("*.bz2")):
        check_ending(str(path))
