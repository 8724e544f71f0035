"""What names of dump files say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikiprep.dump.names import CONTENT, DumpName, parse_name


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("enwiki-2026-11-01-p1p1147431.xml.bz2", DumpName("enwiki", "20261101", CONTENT, None, 1, 1147431)),
        ("zh_yuewiki-2026-11-01-p5p99.xml.zst", DumpName("zh_yuewiki", "20261101", CONTENT, None, 5, 99)),
        ("enwiki-2026-11-01-p4r151r9042.xml.bz2", DumpName("enwiki", "20261101", CONTENT, None, 4, 4, (151, 9042))),
        (
            "simplewiki-2025-03-01-p1p99-pages-meta-history.xml.bz2",
            DumpName("simplewiki", "20250301", CONTENT, None, 1, 99),
        ),
        ("enwiki-20260901-pages-articles.xml.bz2", DumpName("enwiki", "20260901", "pages-articles")),
        ("enwiki-latest-pages-articles.xml.bz2", DumpName("enwiki", "latest", "pages-articles")),
        (
            "enwiki-20260901-pages-articles27.xml-p68475911p69975910.bz2",
            DumpName("enwiki", "20260901", "pages-articles", 27, 68475911, 69975910),
        ),
        (
            "enwiki-20260901-pages-articles-multistream1.xml-p1p41242.bz2",
            DumpName("enwiki", "20260901", "pages-articles-multistream", 1, 1, 41242),
        ),
        (
            "enwiki-20120104-pages-articles1.xml-p000000010p000010000.bz2",
            DumpName("enwiki", "20120104", "pages-articles", 1, 10, 10000),
        ),
        ("dewiki-20260901-pages-articles3.xml.bz2", DumpName("dewiki", "20260901", "pages-articles", 3)),
    ],
)
def test_names_of_both_families(name, said):
    assert parse_name(name) == said


@pytest.mark.parametrize(
    "name",
    [
        "dump.xml",
        "SHA256SUMS",
        "enwiki-20260901-page_props.sql.gz",
        "enwiki-20260901-pages-articles-multistream-index1.txt-p1p41242.bz2",
        "enwiki-20260901-pages-articles.xml.bz2-rss.xml",
        "enwiki-20260901-sha1sums.txt",
        "enwiki-2026-11-01-p1.xml.bz2",
        "",
    ],
)
def test_other_names_say_nothing(name):
    assert parse_name(name) is None


@given(st.text(max_size=80))
def test_any_name_is_read_or_left(name):
    parsed = parse_name(name)
    assert parsed is None or name.startswith(parsed.wiki)


def test_one_copy_of_a_dump_is_one_layout_whatever_it_is_compressed_with():
    names = ["enwiki-2026-11-01-p1p9.xml.bz2", "enwiki-2026-11-01-p10p19.xml", "enwiki-2026-11-01-p20r1r2.xml.gz"]
    assert len({parse_name(name).layout for name in names}) == 1
    others = [
        "enwiki-20261101-pages-articles1.xml-p1p9.bz2",
        "enwiki-20261101-pages-articles-multistream1.xml-p1p9.bz2",
    ]
    assert len({parse_name(name).layout for name in names + others}) == 3
