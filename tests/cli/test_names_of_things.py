"""An option that names a thing is compared with what there is: an unknown one is refused with what is near."""

from pathlib import Path

import pytest

from wikiprep.cli.main import cli
from wikiprep.errors import WikiprepError


def refused(*words: object) -> WikiprepError:
    with pytest.raises(WikiprepError) as caught:
        cli.main([str(word) for word in words], standalone_mode=False)
    assert not Path("out").exists()
    return caught.value


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("words", "what", "hint"),
    [
        (("--sample", "--runner", "sparc"), "--runner sparc", "did you mean spark?"),
        (("--sample", "--date", "20261101"), "--date without a wiki's name", "build-corpus simplewiki"),
        (("simplewki",), "simplewki: no such file", "did you mean simplewiki"),
        (("simple",), "simple: no such file", "did you mean simplewiki"),
        (("--sample", "--language", "engl"), "'engl' is no language code", "en"),
    ],
    ids=lambda it: " ".join(it) if isinstance(it, tuple) else "",
)
@pytest.mark.parametrize("dry", [True, False])
def test_builds(words: tuple[str, ...], what: str, hint: str, dry: bool) -> None:
    error = refused("build-corpus", *words, "-o", "out", *(["--dry-run"] if dry else []))
    assert error.exit_code == 2
    assert what in error.what
    assert hint in error.hint


def test_a_file_that_is_not_there_is_no_wiki() -> None:
    assert "check the path" in refused("build-corpus", "dumps/simplewki", "-o", "out").hint


def test_a_dry_run_warns_of_another_language(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["build-corpus", "--sample", "--language", "de", "-o", "out", "--dry-run"], standalone_mode=False)
    assert "warning: --language de: the dump's header says en" in capsys.readouterr().out


def test_templates_warn_of_another_language(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dump = shared_data / "dumps" / "simplewiki-7pages.xml.bz2"
    cli.main(["templates", str(dump), "--language", "de", "--workers", "1", "--tsv"], standalone_mode=False)
    assert "wikiprep: --language de: the dump's header says en" in capsys.readouterr().err


def test_a_field_that_no_line_has(tiny_corpus: Path) -> None:
    Path("texts.jsonl").write_text('{"text": "Oslo", "title": "Oslo", "page": 4}\n{"text": "Oslo"}\n')
    words = ("annotate", tiny_corpus, "-i", "texts.jsonl", "-o", "out")
    error = refused(*words, "--page-field", "titel")
    assert error.what == "--page-field titel: no line has such a field"
    assert error.hint == "did you mean 'title'? fields are page, text, title"
    cli.main([str(word) for word in (*words, "--page-field", "page")], standalone_mode=False)
    assert len(Path("out").read_text().splitlines()) == 2


def test_a_name_that_is_nearly_one(sample_related: Path) -> None:
    assert refused("mentions", sample_related, "Jupitr").hint == "near names are 'Jupiter'"


def test_a_wiki_whose_name_has_not_the_form_of_one() -> None:
    words = ("qids", "--page", "page.sql", "--items-per-site", "items.sql", "--wiki", "rmwikii", "-o", "out")
    assert "'rmwikii' is no name of a wiki" in refused(*words).what
