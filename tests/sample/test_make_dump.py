"""The shipped dumps and tokenizer are what their sources make, and the sample holds what its README says."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import orjson
import pytest
from tokenizers import Tokenizer

from wikiprep.sample import HERE, dump_path, tokenizer_path, wikidata_path
from wikiprep.sample import make_wikidata as wikidata_maker
from wikiprep.sample.make_dump import SamplePage, base36_sha1, make_sample, page_xml, read_pages
from wikiprep.sample.make_tokenizer import SIZE, plain, training_lines

DATA = Path(__file__).parents[1] / "data"
PAGES = read_pages(sorted((HERE / "pages").glob("*.txt")))


def data_maker() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_data", DATA / "make.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def page(title: str) -> SamplePage:
    return next(p for p in PAGES if p.title == title)


def test_sample_is_made_from_its_sources() -> None:
    assert dump_path().read_bytes().decode("utf-8") == make_sample()


def test_items_are_made_from_their_source() -> None:
    assert wikidata_path().read_bytes().decode("utf-8") == wikidata_maker.make_wikidata()


def test_items_are_those_of_the_pages_and_have_numbers_of_their_own() -> None:
    entities = [orjson.loads(line.rstrip(b",")) for line in wikidata_path().read_bytes().splitlines()[1:-1]]
    paged = [e for e in entities if e.get("sitelinks")]
    items = {e["sitelinks"]["samplewiki"]["title"]: int(e["id"][1:]) for e in paged}
    assert {e["id"] for e in entities if e["type"] == "item" and e not in paged} == {"Q4167410"}
    pages = {p.title: 900_000_000 + p.page_id for p in PAGES if not p.namespace and not p.redirect}
    assert items == pages | {"Great Red Spot": 900_000_000 + page("Great Red Spot").page_id}
    named = {e["id"] for e in entities if e["type"] == "property"}
    assert {p for e in entities if e["type"] == "item" for p in e["claims"]} <= named
    inverses = {
        e["id"]: made["mainsnak"]["datavalue"]["value"]["id"] for e in entities for made in e["claims"].get("P1696", ())
    }
    assert all(inverses[other] == one for one, other in inverses.items())


@pytest.mark.parametrize(
    "line", ["Mars | P31", "Nowhere | P31 | Mars", "Mars | P31 | Nowhere", "Mars | P31 | Sun | best"]
)
def test_a_line_that_says_nothing_of_the_sample_is_named(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wikidata.txt").write_text(f"# facts\n\n{line}\n")
    monkeypatch.setattr(wikidata_maker, "SOURCE", tmp_path / "wikidata.txt")
    with pytest.raises(ValueError, match=r"wikidata\.txt, line 3"):
        wikidata_maker.make_wikidata()


@pytest.mark.parametrize("name", ["arabic", "genre56", "india", "namespaces", "odd_titles", "portuguese"])
def test_test_dumps_are_made_from_their_sources(name: str) -> None:
    maker = data_maker()
    assert name in maker.NAMES
    assert (DATA / f"{name}.xml").read_bytes().decode("utf-8") == maker.made(name)


def test_sample_reads_back_as_its_sources() -> None:
    root = ElementTree.parse(dump_path()).getroot()
    ns = {"": "http://www.mediawiki.org/xml/export-0.11/"}
    read = []
    for element in root.findall("page", ns):
        redirect = element.find("redirect", ns)
        text = element.find("revision/text", ns)
        assert text is not None
        assert int(text.get("bytes", "-1")) == len((text.text or "").encode())
        assert (
            text.get("sha1") == element.findtext("revision/sha1", None, ns) == base36_sha1((text.text or "").encode())
        )
        read.append(
            SamplePage(
                int(element.findtext("id", "", ns)),
                int(element.findtext("ns", "", ns)),
                element.findtext("title", "", ns),
                None if redirect is None else redirect.get("title"),
                text.text or "",
            )
        )
    assert read == PAGES


def test_sha1_of_nothing_is_what_mediawiki_writes() -> None:
    assert base36_sha1(b"") == "phoiac9h4m842xq45sp7s6u21eteeq1"


def test_an_empty_page_has_an_empty_element() -> None:
    assert '<text bytes="0" sha1="phoiac9h4m842xq45sp7s6u21eteeq1" xml:space="preserve" />' in page_xml(
        page("Counter-Earth")
    )


def test_page_ids_and_titles_are_unique() -> None:
    assert len({p.page_id for p in PAGES}) == len({p.title for p in PAGES}) == len(PAGES)


def test_a_source_without_header_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("no header")
    with pytest.raises(ValueError, match=r"a\.txt"):
        read_pages([tmp_path / "a.txt"])


def test_readme_counts_hold() -> None:
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    main = [p for p in PAGES if p.namespace == 0]
    redirects = [p for p in main if p.redirect]
    disambiguation = [p for p in main if re.search(r"\{\{(disambiguation|hndis|geodis)", p.text)]
    articles = len(main) - len(redirects) - len(disambiguation)
    assert (
        f"{len(PAGES)} pages: {articles} articles, {len(disambiguation)} disambiguation pages, "
        f"{len(redirects)} redirects, {len(PAGES) - len(main)} pages of other namespaces"
    ) in readme


def test_every_namespace_of_a_dump_is_there() -> None:
    assert {p.namespace for p in PAGES} == {0, 1, 2, 4, 6, 8, 10, 12, 14, 100, 828}


def test_long_pages_and_many_links() -> None:
    long = [p.title for p in PAGES if len(plain(p.text).split()) >= 1200]
    assert len(long) >= 5
    assert page("Outline of the Solar System").text.count("[[") > 128
    assert sum(len(plain(p.text).split()) for p in PAGES) > 25_000


def test_redirects_loop_and_dangle() -> None:
    target = {p.title: p.redirect for p in PAGES if p.redirect}
    titles = {p.title for p in PAGES}
    assert target["Evening Star"] == "Morning Star" and target["Morning Star"] == "Venus"
    assert (
        target["Geocentric theory"] == "Geocentric hypothesis"
        and target["Geocentric hypothesis"] == "Geocentric theory"
    )
    assert "#" in page("Great Red Spot").text.removeprefix("#")
    assert target["Planet Nine"] not in titles
    assert target["Sample wiki"] == "Samplepedia:About"


def test_tokenizer() -> None:
    tokenizer = Tokenizer.from_file(str(tokenizer_path() / "tokenizer.json"))
    assert tokenizer.get_vocab_size() == SIZE
    ids = [tokenizer.token_to_id(token) for token in ("<s>", "<pad>", "</s>", "<unk>", "<mask>")]
    assert ids == [0, 1, 2, 3, SIZE - 1]
    for text in ["Jupiter's moons", "Οὐρανός 天王星 🜨", "اللغة العربية ٩٦٩"]:
        assert tokenizer.decode(tokenizer.encode(text, add_special_tokens=False).ids) == text


def test_tokenizer_is_trained_on_the_sources() -> None:
    from wikiprep.corpus.tokenizers import train_tokenizer

    shipped = Tokenizer.from_file(str(tokenizer_path() / "tokenizer.json"))
    assert train_tokenizer(training_lines(), SIZE).get_vocab() == shipped.get_vocab()


def test_a_sentence_and_a_mention_are_too_long_for_a_record() -> None:
    tokenizer = Tokenizer.from_file(str(tokenizer_path() / "tokenizer.json"))
    sentence = next(line for line in plain(page("Constellation").text).splitlines() if line.startswith("The 88"))
    assert ". " not in sentence and len(tokenizer.encode(sentence).ids) > 510
    mention = re.search(r"\[\[Sidereus Nuncius\|(the starry[^\]]*)\]\]", page("Latin").text)
    assert mention is not None and len(tokenizer.encode(mention[1]).ids) > 30
