"""The mention table of whole builds against counts made in memory."""

from pathlib import Path
from typing import Any

import pytest
from building import DATA, hashes
from inline import job_of, rows, run_stages
from naive_mentions import Wiki, articles_of, count

from wikiprep.checks import check_corpus
from wikiprep.dump.site import MainNamespace, Site
from wikiprep.files import Store
from wikiprep.manifest import read_manifest
from wikiprep.sample import dump_path
from wikiprep.units.job import Job
from wikiprep.units.receipts import forget_stage

SMALL = ["arabic", "genre56", "india", "namespaces", "odd_titles", "portuguese"]
QUICK = [
    "enwiki-3pages.xml.bz2",
    "enwiki-schema011-70pages.xml.bz2",
    "simplewiki-7pages.xml.bz2",
    "ltgwiki-whole-2004pages.xml.bz2",
    "quirks/bgwiki-utf16-bom.xml.bz2",
    "quirks/schema-0.5-no-ns.xml",
    "quirks/no-text.xml",  # the other quirks hold no article
]
SLOW = [
    "aawiki-20260101-schema011-507pages.xml.bz2",
    "enwiki-196pages-allns.xml.bz2",
    "enwiki-2016-206pages.xml.bz2",
    "enwiki-232pages-noredirects.xml.bz2",
    "enwiki-27pages-longarticles.xml.bz2",
    "enwiktionary-20150224-300pages-multistream.xml.bz2",
    "jawiki-20250801-234pages-truncated.xml.bz2",
]
VOCABULARY: list[dict[str, object]] = [{}, {"vocab_targets": "linked"}, {"keep_disambiguation": True}]


def mentions_of(output: Path) -> list[dict[str, Any]]:
    found = rows(output, "tables/mentions.parquet")
    for row in found:
        del row["page_id"]
    return found


def expected(job: Job) -> list[dict[str, object]]:
    output, options = Path(job.output), job.config.vocabulary
    is_main = MainNamespace(Site.of(job.parts[0].siteinfo, job.config.input.language).titles)
    wiki = Wiki(output, is_main, keep=options.keep_disambiguation, linked=options.vocab_targets == "linked")
    return count(articles_of(output), wiki).rows()


def check(output: Path, dump: Path, range_mb: float = 0.5, **vocabulary: object) -> None:
    sections: dict[str, Any] = {
        "input": {"range_mb": range_mb},
        "vocabulary": vocabulary,
        "mentions": {"mentions": True},
    }
    job = job_of(output, dump, sections=sections, until="tables")
    commits = run_stages(job)
    wanted = expected(job)
    assert wanted
    assert mentions_of(output) == wanted
    assert commits["mentions"].counts["mentions.rows"] == len(wanted)
    one = hashes(output)
    store = Store(str(output))
    forget_stage(store, "mention_names")  # as `reconcile` does where --update redoes it
    run_stages(job)
    assert hashes(output) == one
    assert list(check_corpus(store, read_manifest(store))) == []


@pytest.mark.parametrize("vocabulary", VOCABULARY, ids=["existing", "linked", "keep"])
@pytest.mark.parametrize("name", ["sample", *SMALL])
def test_counts_of_our_own_dumps(tmp_path: Path, name: str, vocabulary: dict[str, object]) -> None:
    dump, range_mb = (dump_path(), 0.05) if name == "sample" else (DATA / f"{name}.xml", 0.004)
    check(tmp_path, dump, range_mb, **vocabulary)


@pytest.mark.parametrize("name", QUICK)
def test_counts_of_small_real_dumps(tmp_path: Path, shared_data: Path, name: str) -> None:
    check(tmp_path, shared_data / "dumps" / name, vocab_targets="linked")


@pytest.mark.slow
@pytest.mark.parametrize("vocabulary", VOCABULARY[1:], ids=["linked", "keep"])
@pytest.mark.parametrize("name", [*QUICK, *SLOW])
def test_counts_of_real_dumps(tmp_path: Path, shared_data: Path, name: str, vocabulary: dict[str, object]) -> None:
    check(tmp_path, shared_data / "dumps" / name, **{"vocab_targets": "linked"} | vocabulary)
