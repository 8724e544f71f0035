"""What cannot work is told while the pipeline is made, in one error with the way out."""

import shutil
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from building import TOKENIZER
from engine_build import Local, package
from inline import write_dump, xml_page

package("apache-beam", "beam")
import apache_beam as beam  # noqa: E402 - not where Beam is missing

import wikiprep  # noqa: E402
from wikiprep.config import ExtractConfig, RecordsConfig, RelationsConfig  # noqa: E402
from wikiprep.dump.site import Site  # noqa: E402
from wikiprep.errors import UsageError, WikiprepError  # noqa: E402
from wikiprep.pipelines.transforms import (  # noqa: E402
    BuildRecords,
    ExtractArticles,
    ReadPages,
    ResolveLinks,
    WriteArrow,
)


@pytest.fixture
def corpus(local: Local, tmp_path: Path) -> Path:
    """A copy, to be damaged."""
    shutil.copytree(local.output, tmp_path / "corpus")
    return tmp_path / "corpus"


def changed(corpus: Path, change: Callable[[dict], None]) -> Path:  # type: ignore[type-arg]
    manifest = orjson.loads((corpus / "manifest.json").read_bytes())
    change(manifest)
    (corpus / "manifest.json").write_bytes(orjson.dumps(manifest))
    return corpus


def site(local: Local) -> Site:
    return ReadPages(local.words[0]).site


def test_what_is_no_dump(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file"):
        ReadPages(tmp_path / "none.xml.bz2")
    (tmp_path / "page.html").write_text("<p>x</p>")
    with pytest.raises(UsageError, match="is HTML, and ReadPages reads dumps"):
        ReadPages(tmp_path)


def test_options_that_cannot_be(local: Local) -> None:
    with pytest.raises(UsageError, match=r"range_mb = 0.* too small"):
        ReadPages(local.words[0], range_mb=0)
    with pytest.raises(UsageError, match="math = 'latex' is not known"):
        ExtractArticles(site(local), options=ExtractConfig(math="latex", templates="render"))
    with pytest.raises(UsageError, match="page_timeout = 0"):
        ExtractArticles(site(local), page_timeout=0)
    with pytest.raises(UsageError, match="min_sentence_length"):
        BuildRecords(local.output, options=RecordsConfig(max_seq_length=8, min_sentence_length=9))
    with pytest.raises(UsageError, match="relations = 'page' is not known"):
        BuildRecords(local.output, relations=RelationsConfig(relations="page"))


def test_a_site_that_is_none(local: Local) -> None:
    with pytest.raises(UsageError, match=r"site is 'en', not a wiki\n.*ReadPages"):
        ExtractArticles("en")  # type: ignore[arg-type]


def test_own_templates_need_a_corpus_that_has_them(local: Local, corpus: Path) -> None:
    with pytest.raises(UsageError, match="templates='expand' needs the wiki's own templates, and no corpus is given"):
        ExtractArticles(site(local), options=ExtractConfig())
    (corpus / "_state" / "definitions" / "tables" / "definitions.arrow").unlink()
    with pytest.raises(WikiprepError, match="definitions of templates are missing"):
        ExtractArticles(site(local), corpus=corpus)


def test_the_corpus_of_another_wiki(local: Local, tmp_path: Path) -> None:
    other = ReadPages(write_dump(tmp_path / "other.xml", xml_page(1, "A", "x"), language="de")).site
    with pytest.raises(UsageError, match=r"the pages are of dewiki, the corpus .* is of enwiki"):
        ExtractArticles(other, corpus=local.output)


@pytest.mark.parametrize("transform", [ResolveLinks, BuildRecords])
def test_what_is_no_corpus(transform: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(WikiprepError, match="no such folder"):
        transform(tmp_path / "none")
    with pytest.raises(WikiprepError, match="is no corpus"):
        transform(tmp_path)


@pytest.mark.parametrize(
    ("transform", "table"),
    [
        (ResolveLinks, "titles.marisa"),
        (ResolveLinks, "entity_vocab.arrow"),
        (BuildRecords, "entity_vocab.marisa"),
        (BuildRecords, "wikidata_triples.arrow"),
    ],
)
def test_missing_tables(transform: Callable[[Path], object], table: str, corpus: Path) -> None:
    (corpus / "tables" / table).unlink()
    with pytest.raises(WikiprepError, match=f"tables/{table}: no such file"):
        transform(corpus)


def test_no_tokenizer(corpus: Path) -> None:
    shutil.rmtree(corpus / "tokenizer")
    with pytest.raises(UsageError, match="has no tokenizer"):
        BuildRecords(corpus)
    BuildRecords(wikiprep.open(corpus), TOKENIZER)
    with pytest.raises(UsageError, match="no such tokenizer"):
        BuildRecords(corpus, corpus / "none")


def test_what_needs_more_than_a_page(local: Local, corpus: Path) -> None:
    for options in (RecordsConfig(densify=True), RecordsConfig(compat="luke-2020")):
        with pytest.raises(UsageError, match="BuildRecords does not do"):
            BuildRecords(local.output, options=options)
    changed(corpus, lambda manifest: manifest["fingerprints"].update(listed="x"))
    with pytest.raises(UsageError, match="--leave-out"):
        BuildRecords(corpus)


def test_a_template_table_that_only_the_build_had(local: Local, corpus: Path) -> None:
    changed(corpus, lambda manifest: manifest["options"]["extract"]["extract"].update(template_table={"lines": 1}))
    with pytest.raises(UsageError, match="template table of its own"):
        ExtractArticles(site(local), corpus=corpus)


def test_an_output_with_records(local: Local, corpus: Path) -> None:
    with pytest.raises(UsageError, match="is a corpus, and its manifest would no longer be true"):
        WriteArrow(local.output, overwrite=True)
    (corpus / "manifest.json").unlink()
    with pytest.raises(UsageError, match=r"holds 3 files already, part-00000-of-00003.arrow among them"):
        WriteArrow(corpus)
    with pytest.raises(UsageError, match="nothing can be written there"):
        WriteArrow("https://example.org/out")


def test_elements_of_another_kind_are_known_by_their_type_hints(local: Local, tmp_path: Path) -> None:
    pages = beam.Pipeline("FnApiRunner") | ReadPages(local.words[0])
    for wrong in (ResolveLinks(local.output), BuildRecords(local.output), WriteArrow(tmp_path / "out")):
        with pytest.raises(beam.typehints.TypeCheckError, match="SourcePage"):
            pages | wrong
