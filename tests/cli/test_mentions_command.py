"""`wikiprep mentions` as a person uses it."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner, Result
from inline import build, write_dump, xml_page

from wikiprep.cli.main import cli
from wikiprep.errors import WikiprepError


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mentions")
    man, craft, planet = "[[Galileo Galilei|Galileo]]", "[[Galileo (spacecraft)|Galileo]]", "[[Jupiter]]"
    dump = write_dump(
        folder / "d.xml",
        xml_page(1, "Galileo Galilei", f"He looked at {planet} and was called Galileo by all, Galileo by most."),
        xml_page(2, "Galileo (spacecraft)", f"A craft called {craft} went to {planet}; not {man} himself."),
        xml_page(3, "Jupiter", f"To {planet} went {craft}, and again Galileo. Then {man} and {man} looked at Jupiter."),
        xml_page(4, "Galileo", "", redirect="Galileo Galilei"),
    )
    build(folder / "corpus", dump, sections={"mentions": {"mentions": True}}, until="tables")
    return folder / "corpus"


def run(corpus: Path, *words: str) -> Result:
    return CliRunner().invoke(cli, ["mentions", str(corpus), *words])


def as_json(corpus: Path, *words: str) -> Any:
    done = run(corpus, *words, "--json")
    assert done.exit_code == 0, done.output
    return orjson.loads(done.output)


def test_a_name_with_two_meanings(corpus: Path) -> None:
    lines = run(corpus, "Galileo").output.splitlines()
    assert lines[0] == "Galileo"
    assert lines[1] == "occurs 8 times on 3 pages, is linked 4 times on 2 pages"
    assert lines[2] == (
        "link probability 0.666667 = 2 / 3 pages: kept at the usual threshold of 0.01, dropped by one above 0.666667"
    )
    assert lines[3] == "2 candidates, entropy 0.8113 (0: one meaning, 1: all equally common)"
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines if "│" in line]
    assert cells == [
        ["Galileo Galilei", "1", "3", "2", "0.7500", "redirect"],
        ["Galileo (spacecraft)", "2", "1", "1", "0.2500", ""],  # a page cannot link itself
    ]


def test_a_name_with_underscores_is_told_to_have_spaces(corpus: Path) -> None:
    done = run(corpus, "Galileo_Galilei")
    assert isinstance(done.exception, WikiprepError)
    assert done.exception.hint == "names stand as in text, with spaces and no underscores: 'Galileo Galilei' is one"


def test_k_and_what_it_leaves_out(corpus: Path) -> None:
    done = run(corpus, "Galileo", "-k", "1").output
    assert "Galileo Galilei" in done
    assert "(spacecraft)" not in done
    assert "1 more: -k 2" in done


def test_json_has_raw_counts_and_ratios(corpus: Path) -> None:
    found = as_json(corpus, "Galileo")
    assert {k: v for k, v in found.items() if k != "candidates"} == {
        "name": "Galileo",
        "link_count": 4,
        "link_page_count": 2,
        "text_count": 8,
        "text_page_count": 3,
        "link_probability": 2 / 3,
        "entropy": pytest.approx(0.81128, abs=1e-5),
        "candidate_count": 2,
    }
    assert found["candidates"][0] == {
        "title": "Galileo Galilei",
        "page_id": 1,
        "link_count": 3,
        "link_page_count": 2,
        "prior": 3 / 4,
        "is_title": False,
        "is_redirect_title": True,
        "is_disambiguation_title": False,
    }


def test_another_case_is_found_when_asked_for(corpus: Path) -> None:
    with pytest.raises(WikiprepError, match=r"no name 'jupiter'\n.*--folded finds it in another form: Jupiter"):
        cli.main(["mentions", str(corpus), "jupiter"], standalone_mode=False)
    assert as_json(corpus, "jupiter", "--folded")["text_count"] == as_json(corpus, "Jupiter")["text_count"]
    done = run(corpus, "JUPITER", "--folded").output
    assert done.startswith("jupiter (whatever the case and the signs)\n")
    assert "Forms: Jupiter 4" in done


def test_an_unknown_name(corpus: Path) -> None:
    with pytest.raises(WikiprepError, match=r"no name 'Olympia \[red\]'\n.*no link stands on it"):
        cli.main(["mentions", str(corpus), "Olympia [red]"], standalone_mode=False)


def test_a_corpus_without_mention_statistics_says_how_to_add_them(sample_corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match=r"no mention statistics\n.*again with --mentions: it adds them"):
        cli.main(["mentions", str(sample_corpus), "Jupiter"], standalone_mode=False)
    with pytest.raises(WikiprepError, match=r"is no corpus \(no manifest.json in it\)\n.*a corpus that wikiprep made"):
        cli.main(["mentions", str(tmp_path), "Jupiter"], standalone_mode=False)
