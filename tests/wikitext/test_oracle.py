"""MediaWiki's own opinion, where ../shared/oracle is set up: `pytest -m oracle`."""

import importlib.util
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import read_siteinfo
from wikiprep.wikitext.extract import Extractor

from .cases import Case, read_cases

pytestmark = pytest.mark.oracle
ORACLE = Path(__file__).resolve().parents[3] / "shared" / "oracle" / "oracle.py"


def needs_oracle() -> None:
    if not ORACLE.is_file() or not (Path.home() / ".cache" / "wikiprep-oracle" / "LocalSettings.php").is_file():
        pytest.skip("the oracle is not set up (../shared/oracle/setup)")
    for module in ("lxml", "rapidfuzz"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"the oracle needs {module}")


def ask(rows: list[dict[str, str]], language: str) -> list[dict[str, object]]:
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    command = [sys.executable, str(ORACLE), "pages", "--lang", language]
    out = subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def test_cases_are_what_mediawiki_shows() -> None:
    needs_oracle()
    by_language: dict[str, list[Case]] = defaultdict(list)
    for case in read_cases():
        if case.ours is None:
            by_language[case.language].append(case)
    for language, cases in by_language.items():
        answers = ask([{"title": "Page", "text": case.text} for case in cases], language)
        for case, answer in zip(cases, answers, strict=True):
            links = [(mention, target.partition("#")[0]) for mention, target in answer["links"] if target[0] != "#"]  # type: ignore[attr-defined]
            assert answer["blocks"] == case.blocks, case.name
            assert Counter(links) == Counter(case.links), case.name


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # oracle.py leaves a pipe open
@pytest.mark.parametrize(
    ("name", "words", "links"),
    [
        ("enwiki-2016-206pages", (99.9, 99.9), (99.9, 99.9)),
        ("jawiki-20250801-234pages-truncated", (99.9, 99.9), (99.8, 99.8)),
        # What is missing are images: the oracle has none, and shows their alternative text as links to an upload form.
        ("ltgwiki-whole-2004pages", (99.5, 99.9), (96.0, 99.9)),
    ],
)
def test_dumps_with_templates_as_nothing(
    name: str, words: tuple[float, float], links: tuple[float, float], shared_data: Path
) -> None:
    needs_oracle()
    spec = importlib.util.spec_from_file_location("oracle", ORACLE)
    assert spec and spec.loader
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    from rapidfuzz.distance import LCSseq

    path = str(shared_data / "dumps" / f"{name}.xml.bz2")
    extractor = Extractor(Site.of(read_siteinfo(path)), templates="drop")
    rows = [{"id": i, "title": t, "text": x} for ns, i, t, x in oracle.pages_of(path) if ns in ("0", "")]
    total: Counter[str] = Counter()
    for row, out in zip(rows, oracle.render(rows, oracle.site_language(path), {}), strict=True):
        if out["redirect"]:
            continue
        truth = oracle.answer(row, out)
        result = extractor.extract(row["text"], row["title"])
        want, got = oracle.words(truth["blocks"]), oracle.words([p.text for p in result.paragraphs])
        theirs = Counter((m, oracle.plain(t).partition("#")[0]) for m, t in truth["links"] if t[0] != "#")
        ours = Counter((p.text[k.start : k.end], oracle.plain(k.target)) for p in result.paragraphs for k in p.links)
        total += Counter(
            want=len(want),
            got=len(got),
            same=LCSseq.similarity(want, got),
            theirs=theirs.total(),
            ours=ours.total(),
            both=(theirs & ours).total(),
        )
    assert 100 * total["same"] / total["want"] >= words[0]
    assert 100 * total["same"] / total["got"] >= words[1]
    assert 100 * total["both"] / total["theirs"] >= links[0]
    assert 100 * total["both"] / total["ours"] >= links[1]
