"""Which files of a dump are absent, by a checksum file or by the numbering."""

import pytest

from wikiprep.dump.checksums import ChecksumFile, ExpectedHash
from wikiprep.dump.whole_dump import knows_all, missing_parts

E1, E2, E3 = (f"enwiki-2026-11-01-p{a}p{b}.xml.bz2" for a, b in ((1, 9), (12, 19), (30, 44)))
R1, R2 = "enwiki-2026-11-01-p25r1r7.xml.bz2", "enwiki-2026-11-01-p25r8r9.xml.bz2"


def classic(number, first, last, kind="pages-articles", date="20260901"):
    return f"enwiki-{date}-{kind}{number}.xml-p{first}p{last}.bz2"


C = [classic(1, 1, 10), classic(2, 11, 20), classic(2, 21, 25), classic(3, 26, 40)]


def listed(*names):
    return [ChecksumFile("SHA256SUMS", {name: ExpectedHash("sha256", "0" * 64, "SHA256SUMS") for name in names})]


@pytest.mark.parametrize(
    ("given", "named", "absent"),
    [
        ([E1, E2, E3], [E1, E2, E3], []),
        ([E1, E3], [E3, E2, E1], [E2]),
        ([E2], [E1, E2, E3], [E1, E3]),
        ([E1, E2], [], []),  # content exports: ids between two parts need not exist
        ([E1, R2], [E1, R1, R2], [R1]),
        ([E1.removesuffix(".bz2")], [E1, E2], [E2]),  # unpacked
        ([E1], [E1, "enwiki-2026-11-01-p12p19.xml.gz", "enwiki-2026-11-01-p12p19.xml.bz2"], [E2.replace("bz2", "gz")]),
        ([E1], ["dewiki-2026-11-01-p1p9.xml.bz2", "enwiki-2026-10-01-p10p19.xml.bz2"], []),
        (["mine.xml.bz2"], [E1], []),
    ],
)
def test_content_exports(given, named, absent):
    assert missing_parts(given, listed(*named) if named else []) == absent


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (C, []),
        (C[:3], []),  # that the last are absent only a list can tell
        (C[1:], ["pages 1 to 10"]),
        ([C[0], C[2], C[3]], ["pages 11 to 20"]),
        ([C[0], C[1], C[3]], ["pages 21 to 25"]),
        (C[3:], ["pages 1 to 25"]),
        ([classic(1, 10, 99, date="20120104"), classic(2, 105, 120, date="20120104")], []),  # named by pages that exist
        ([classic(1, 10, 99, date="20120104"), classic(3, 130, 140, date="20120104")], ["pages-articles2.xml"]),
        (["dewiki-20260901-pages-articles1.xml.bz2", "dewiki-20260901-pages-articles4.xml.bz2"], ["s2.xml", "s3.xml"]),
        (["enwiki-20260901-pages-articles.xml.bz2"], []),
    ],
)
def test_classic_parts_by_their_numbers(given, words):
    absent = missing_parts(given, [])
    assert len(absent) == len(words)
    assert all(word in said for word, said in zip(words, absent, strict=True))


def test_classic_parts_by_a_list_of_the_whole_folder():
    others = [
        "enwiki-20260901-pages-articles.xml.bz2",
        classic(1, 1, 10, "pages-articles-multistream"),
        classic(1, 1, 10, "pages-meta-current"),
        "enwiki-20260901-page_props.sql.gz",
    ]
    assert missing_parts(C[:2], listed(*C, *others)) == C[2:]
    assert missing_parts([C[0], C[3]], listed(*C)) == C[1:3]  # by name, not as a gap too
    assert missing_parts(others[:1], listed(*C, *others)) == []


def test_whether_anybody_could_know():
    assert knows_all(["enwiki-20260901-pages-articles.xml.bz2"], [])
    assert knows_all(["mine.xml"], [])
    assert knows_all([E1], listed(E1, E2))
    assert not knows_all([E1], [])
    assert not knows_all([E1], listed("dewiki-2026-11-01-p1p9.xml.bz2"))
    assert not knows_all(C, [])
