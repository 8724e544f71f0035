"""What is said of links to pages that the dump lacks, with the counts of real dumps (../shared/data, 2026-11)."""

import pytest

from wikiprep.tables.missing_pages import LinkCounts, red_link_warning

PART, UNUSUAL, USUAL = "this is a part of a dump", "unusual for a whole wiki", "a small wiki has many"


@pytest.mark.parametrize(
    ("name", "counts", "words"),
    [
        ("ltgwiki, whole", LinkCounts(5783, 3326, 147, 0, 896), USUAL),
        ("aawiki, whole", LinkCounts(0, 0, 1, 0, 1), None),
        ("enwiki, 196 pages", LinkCounts(2087, 2073, 85, 76, 64), PART),
        ("enwiki, 206 pages", LinkCounts(22563, 22451, 99, 86, 98), PART),
        ("enwiki, 232 pages, no redirects", LinkCounts(7639, 6737, 1, 0, 198), UNUSUAL),
        ("enwiki, 27 pages", LinkCounts(5004, 4997, 2, 2, 23), UNUSUAL),
        ("enwiktionary, 300 pages", LinkCounts(5514, 5083, 1, 1, 274), UNUSUAL),
        ("jawiki, 234 pages", LinkCounts(71371, 70349, 16, 10, 181), UNUSUAL),
        ("enwiki of 2011, whole", LinkCounts(251_952_134, 17_476_973, 4_500_000, 900, 3_700_000), None),
        ("a large wiki that lost a third", LinkCounts(1_000_000, 400_000, 50_000, 900, 200_000), UNUSUAL),
        ("a large wiki that lost pages", LinkCounts(1_000_000, 150_000, 50_000, 9_000, 200_000), PART),
    ],
)
def test_part_or_whole(name, counts, words):
    said = red_link_warning(counts, parts_missing=False)
    assert (said is None) if words is None else (words in said and f"{counts.red} of {counts.links} links" in said)
    assert said is None or words == USUAL or "--vocab-targets linked" in said


def test_absent_parts_are_reason_enough():
    said = red_link_warning(LinkCounts(100, 10, 50, 0, 20), parts_missing=True)
    assert "10 of 100 links (10%)" in said
    assert "parts of it are absent" in said


@pytest.mark.parametrize(("red", "percent"), [(22451, "(99%)"), (22562, "(99%)"), (22563, "(100%)")])
def test_nearly_all_is_not_all(red, percent):
    assert percent in red_link_warning(LinkCounts(22563, red, 99, 86, 98), parts_missing=False)
