"""Damage of exports, named by header, name and first pages."""

import pytest
from dumps import page
from exports import CONTENT, export, put

from wikiprep.dump.dump_files import find_parts

TABLE = "{|\n! a\n|-\n| b || c\n|}\n"


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
