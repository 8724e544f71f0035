"""What is said before a build of the files beside a dump."""

from pathlib import Path

from inline import job_of, write_dump, xml_page

from wikiprep.stages.side_files import passed_over


def test_files_passed_over_are_named_in_one_line(tmp_path: Path) -> None:
    write_dump(tmp_path / "enwiki-20260101-pages-articles.xml", xml_page(1, "A", "x"))
    assert passed_over(job_of(tmp_path / "out", tmp_path)) == []
    for name in ("enwiki-20260101-pages-articles.xml.torrent", "SHA256SUMS"):
        (tmp_path / name).write_text(f"{'0' * 64}  README.txt\n")  # a list of checksums is read
    assert passed_over(job_of(tmp_path / "out", tmp_path)) == [
        "passed over beside the dump: SHA256SUMS: checksums; enwiki-20260101-pages-articles.xml.torrent: a torrent"
    ]
    for number in range(20):
        (tmp_path / f"a{number:02}.md5").write_text("x")
    (line,) = passed_over(job_of(tmp_path / "out", tmp_path))
    assert line.count(": checksums") == 12
    assert line.endswith("; and 10 more")
