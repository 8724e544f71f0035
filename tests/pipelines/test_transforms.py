"""Pipelines composed of the transforms, on FnApiRunner and Prism: the files have the local driver's bytes."""

from pathlib import Path

import pytest
from building import hashes
from engine_build import Local, needs_prism, package, prism

package("apache-beam", "beam")
import apache_beam as beam  # noqa: E402 - not where Beam is missing
from apache_beam.options.pipeline_options import PipelineOptions  # noqa: E402

from wikiprep.pipelines.transforms import (  # noqa: E402
    BuildRecords,
    ExtractArticles,
    ReadPages,
    ResolveLinks,
    WriteArrow,
    WriteArticles,
)

RUNNERS = ["FnApiRunner", pytest.param("PrismRunner", marks=needs_prism())]


def pipeline_on(runner: str) -> beam.Pipeline:
    """A pipeline that runs on leaving its block."""
    words = [f"--prism_location={prism()}"] if runner == "PrismRunner" else []
    return beam.Pipeline(runner=runner, options=PipelineOptions(words))


def of_folder(sums: dict[str, str], *folders: str) -> dict[str, str]:
    return {path: digest for path, digest in sums.items() if path.startswith(tuple(f"{folder}/" for folder in folders))}


@pytest.mark.parametrize("runner", RUNNERS)
def test_the_composed_build_has_the_bytes_of_the_local_driver(runner: str, local: Local, tmp_path: Path) -> None:
    dump, corpus, output = local.words[0], local.output, tmp_path / "out"
    reading = ReadPages(dump, range_mb=0.002)
    assert len(reading.ranges) == 3
    with pipeline_on(runner) as p:
        articles = p | reading | ExtractArticles(reading.site, corpus=corpus)
        articles | WriteArticles(output)
        articles | ResolveLinks(corpus) | BuildRecords(corpus) | WriteArrow(output)
    assert hashes(output) == of_folder(local.hashes, "articles", "records")
