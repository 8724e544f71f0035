"""The commands of annotation as a user runs them: files, pipes, bad lines, what is said where."""

import subprocess
from pathlib import Path

import orjson
import pytest
from building import DATA, command, wikiprep

LINES = [
    {"title": "Solar System", "text": "Mercury and the Sun"},
    {"text": "AC/DC", "id": 2},
]


def write(path: Path, *lines: object) -> Path:
    path.write_bytes(b"".join(line if isinstance(line, bytes) else orjson.dumps(line) + b"\n" for line in lines))
    return path


def targets(raw: bytes) -> list[list[str]]:
    return [[link["target"] for link in orjson.loads(line)["links"]] for line in raw.splitlines()]


def test_a_file_and_a_pipe_give_the_same(tiny_corpus: Path, tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", *LINES)
    done = wikiprep("annotate", tiny_corpus, "--input", source, "--output", tmp_path / "out.jsonl")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "lines by page 1, lines by prior 1, lines read 2" in done.stderr
    made = (tmp_path / "out.jsonl").read_bytes()
    assert targets(made) == [["Mercury (planet)", "Sun"], ["AC/DC"]]
    piped = subprocess.run(
        command("annotate", tiny_corpus, "--input", "-", "--output", "-", "--quiet"),
        input=source.read_bytes(), capture_output=True, check=True,
    )  # fmt: skip
    assert piped.stdout == made
    assert piped.stderr == b""


def test_plain_text_and_candidates(tiny_corpus: Path, tmp_path: Path) -> None:
    source = tmp_path / "in.txt"
    source.write_bytes(b"\xef\xbb\xbfMercury and AC/DC\r\n\n{not JSON\n\xff\n")
    done = wikiprep("annotate", tiny_corpus, "-i", source, "-o", tmp_path / "out.jsonl", "-k", 2)
    assert done.returncode == 0, done.stderr
    assert "in.txt:4: not UTF-8 at byte 1 of the line; left out" in done.stderr
    one, two = map(orjson.loads, (tmp_path / "out.jsonl").read_bytes().splitlines())
    assert (one["text"], two) == ("Mercury and AC/DC", {"text": "{not JSON", "links": []})
    mercury = one["links"][0]["candidates"]
    assert 1 <= len(mercury) <= 2 and mercury[0]["title"] == one["links"][0]["target"]
    assert list(mercury[0]) == ["title", "page_id", "qid", "prior"]
    assert [it["prior"] for it in mercury] == sorted((it["prior"] for it in mercury), reverse=True)
    piped = wikiprep("annotate", tiny_corpus, "-i", tmp_path / "out.jsonl", "-o", "-", "-k", 1, "--quiet")
    assert piped.returncode == 0
    refused = wikiprep("annotate", tiny_corpus, "-i", source, "-o", "-", "-k", 1, "--vocab", source)
    assert refused.returncode == 2 and "--candidates and --vocab exclude each other" in refused.stderr


def test_of_a_page_its_names_have_the_candidates_of_all_pages(tiny_corpus: Path, tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", LINES[0])
    done = wikiprep("annotate", tiny_corpus, "-i", source, "-o", "-", "-k", 9, "-q")
    by_page = orjson.loads(done.stdout)["links"]
    done = wikiprep("annotate", tiny_corpus, "-i", source, "-o", "-", "-k", 9, "-q", "--by-prior")
    by_prior = {link["text"]: link["candidates"] for link in orjson.loads(done.stdout)["links"]}
    both = [link for link in by_page if link["text"] in by_prior]
    assert both and all(link["candidates"] == by_prior[link["text"]] for link in both)
    done = wikiprep("annotate", tiny_corpus, "-i", source, "-o", "-", "-q")
    assert all("candidates" not in link for link in orjson.loads(done.stdout)["links"])


def test_a_line_is_answered_before_the_next_comes(tiny_corpus: Path) -> None:
    words = command("annotate", tiny_corpus, "--input", "-", "--output", "-", "--quiet")
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for line in LINES:
            running.stdin.write(orjson.dumps(line) + b"\r\n\n")
            running.stdin.flush()
            assert orjson.loads(running.stdout.readline())["text"] == line["text"]
        running.stdin.write(b'{"text": "no end of line"}')
        running.stdin.close()
        assert orjson.loads(running.stdout.read()) == {"text": "no end of line", "links": []}
    assert running.returncode == 0


def test_bad_lines_are_named_and_counted(tiny_corpus: Path, tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", LINES[0], b"{\n", *[{"text": n} for n in range(30)], LINES[1])
    done = wikiprep("annotate", tiny_corpus, "--input", source, "--output", tmp_path / "out.jsonl")
    assert done.returncode == 0
    assert "in.jsonl:2: invalid JSON" in done.stderr
    assert "lines reject bad field 30" in done.stderr
    assert done.stderr.count("left out") == 21
    assert len(targets((tmp_path / "out.jsonl").read_bytes())) == 2
    strict = wikiprep("annotate", tiny_corpus, "--input", source, "--output", tmp_path / "no.jsonl", "--strict")
    assert strict.returncode == 1
    assert "in.jsonl:2: invalid JSON" in strict.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "out.jsonl"], "no half file stays"


def test_no_usable_line_is_an_error_and_no_line_is_none(tiny_corpus: Path, tmp_path: Path) -> None:
    done = wikiprep("annotate", tiny_corpus, "--input", write(tmp_path / "in.jsonl", b"{\n"), "--output", "-")
    assert done.returncode == 1
    assert "none of 1 line can be used (in.jsonl:1: invalid JSON" in done.stderr
    empty = wikiprep("annotate", tiny_corpus, "--input", write(tmp_path / "e.jsonl"), "--output", "-")
    assert (empty.returncode, empty.stdout) == (0, "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--input", "nowhere.jsonl", "--output", "-"), "nowhere.jsonl: no such file"),
        (("--input", "-", "--output", "/proc/none/x"), "/proc/none"),
        (("--input", "-", "--output", "-", "--min-prior", "2"), "2.0 is not in the range"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(tiny_corpus: Path, words: tuple[str, ...], told: str) -> None:
    done = subprocess.run(
        command("annotate", tiny_corpus, *words), input="", capture_output=True, text=True, check=False
    )
    assert done.returncode in (1, 2)
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_corpus_without_counts_says_how_to_get_them(sample_corpus: Path) -> None:
    for name in ("annotate", "annotate-squad"):
        done = wikiprep(name, sample_corpus, "--input", DATA / "squad_like.json", "--output", "-")
        assert done.returncode == 2
        assert "--mentions" in done.stderr


def test_squad(tiny_corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    done = wikiprep("annotate-squad", tiny_corpus, "--input", DATA / "squad_like.json", "--output", out)
    assert done.returncode == 0, done.stderr
    assert "paragraphs 4, questions 3" in done.stderr
    article = orjson.loads(out.read_bytes())["data"][0]
    assert [s["target"] for s in article["paragraphs"][0]["qas"][0]["entities"]] == ["Mercury (planet)"]
    wrong = wikiprep("annotate-squad", tiny_corpus, "--input", out, "--output", "-", "--quiet")
    assert orjson.loads(wrong.stdout) == orjson.loads(out.read_bytes()), "entities that are there are made anew"


def test_exports(tiny_corpus: Path, sample_corpus: Path, tmp_path: Path) -> None:
    for form in ("rel", "tsv"):
        done = wikiprep("export-mentions", tiny_corpus, "--format", form, "--output", tmp_path / form)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        assert "names" in done.stderr
    assert (tmp_path / "rel").read_bytes()[:6] == b"SQLite"
    assert (tmp_path / "tsv").read_text(encoding="utf-8").startswith("text\ttitle\t")
    done = wikiprep("export-mentions", sample_corpus, "--format", "tsv", "--output", tmp_path / "no")
    assert (done.returncode, "--mentions" in done.stderr) == (2, True)
    assert not (tmp_path / "no").exists()
