"""`ReadPages`: the pages of a dump, a range of the dump each worker."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import apache_beam as beam

from wikiprep.config import InputConfig
from wikiprep.counts import Count
from wikiprep.dump.pages import BadPage, LostRange, RangeReader
from wikiprep.dump.ranges import Range, plan_ranges
from wikiprep.dump.site import Site
from wikiprep.dump.siteinfo import Siteinfo
from wikiprep.dump.whole_dump import find_dump
from wikiprep.errors import UsageError
from wikiprep.languages.language_codes import require_language
from wikiprep.parsoid.names import is_html_source
from wikiprep.pipelines.transforms import coders as _coders  # registers them
from wikiprep.pipelines.transforms.corpus import absolute, check_options
from wikiprep.pipelines.transforms.elements import Place, Reject, SourcePage
from wikiprep.pipelines.transforms.worker import REJECTS, CheckedDoFn, Rejecting, Worker
from wikiprep.stages.extract_counts import DAMAGED_RANGES, PAGES_READ
from wikiprep.stages.extract_counts import REJECTS as BY_REASON

__all__ = ["ReadPages"]
_REGISTERED = _coders
_COUNTED = 1_000  # pages between two tellings


@dataclass(frozen=True, slots=True)
class RangeOfDump:
    """Part `part` of `parts`."""

    part: int
    parts: int
    range: Range


class ReadPages(Rejecting):
    """The pages of a dump as `SourcePage`, of all namespaces, with where each stands.

    The dump's edges are read as the pipeline is made, to know its wiki (`.site`) and its ranges (`.ranges`). Ranges are
    spread over the workers, who read them as streams; bz2 is cut at its blocks, gz, xz and zst are one range a file.

    Args:
        dumps: a file, folder or glob, local or gs://, s3://, hdfs://; or several of one dump. All workers must see it.
        range_mb: size of a range in MB of the file, which is a part of the output. With that of a build, and its
            dump, the parts are the build's.
        language: its code, where the dump's own is wrong.
        keep_damaged: keep the pages around a damaged range of the dump instead of failing.
        allow_missing_parts: read a dump of which files are absent.

    With `.with_rejects()` a second output has a `Reject` for each page that could not be read, and for each damaged
    range.

    Raises:
        WikiprepError: for files that are no dump, or not of one; for HTML, which the whole build alone reads.
    """

    def __init__(
        self,
        dumps: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
        *,
        range_mb: float = InputConfig.range_mb,
        language: str | None = None,
        keep_damaged: bool = False,
        allow_missing_parts: bool = False,
    ) -> None:
        super().__init__()
        check_options(
            InputConfig(
                language=language,
                range_mb=range_mb,
                keep_damaged=keep_damaged,
                allow_missing_parts=allow_missing_parts,
            ),
            "input",
        )
        inputs = [dumps] if isinstance(dumps, str | os.PathLike) else list(dumps)
        paths = [absolute(os.fspath(path)) for path in inputs]
        if is_html_source(paths):
            raise UsageError(
                f"{paths[0]}: is HTML, and ReadPages reads dumps of wikitext",
                "build it whole: wikiprep build-corpus … --runner RUNNER",
            )
        parts = find_dump(paths, allow_missing_parts).parts
        self.site = Site.of(parts[0].siteinfo, None if language is None else require_language(language))
        self.ranges = plan_ranges(parts, int(range_mb * 1e6))
        self._keep_damaged = keep_damaged

    def expand(self, begin: beam.pvalue.PBegin) -> beam.PCollection:
        """The pages, and with `.with_rejects()` the rejects."""
        parts = [RangeOfDump(number, len(self.ranges), it) for number, it in enumerate(self.ranges)]
        # Without the reshuffle a runner fuses the list and the reading, and one worker reads all.
        ranges = begin | "Ranges" >> beam.Create(parts) | "Spread" >> beam.Reshuffle()
        return self.outputs(ranges, _Read(self.site.siteinfo, self._keep_damaged), SourcePage, Reject)


_GIVEN = Count("pages.given", "Pages that were given on; a counter of Beam's alone.")


class _Read(CheckedDoFn):
    def __init__(self, siteinfo: Siteinfo, keep_damaged: bool) -> None:
        super().__init__("ReadPages", Worker(), RangeOfDump)
        self._siteinfo, self._keep_damaged = siteinfo, keep_damaged

    def process(self, element: RangeOfDump) -> Iterator[Any]:
        """The pages of a range, one after the other."""
        self.check(element)
        wiki, counts = self._siteinfo.dbname, Counter[Count]()
        reader = RangeReader(element.range, self._siteinfo, keep_damaged=self._keep_damaged)
        for ordinal, page in enumerate(reader):
            place = Place(element.part, element.parts, ordinal)
            if isinstance(page, LostRange):
                counts[DAMAGED_RANGES] += 1
                detail = f"bytes {page.start} to {page.end}: {page.detail}"
                yield beam.pvalue.TaggedOutput(REJECTS, Reject(place, None, None, "damaged range", detail))
            elif isinstance(page, BadPage):
                counts[PAGES_READ] += 1
                counts[BY_REASON.of(page.reason)] += 1
                reject = Reject(place, page.page_id, page.title, page.reason, page.detail)
                yield beam.pvalue.TaggedOutput(REJECTS, reject)
            else:
                counts[PAGES_READ] += 1
                counts[_GIVEN] += 1
                yield SourcePage(place, wiki, page)
            if ordinal % _COUNTED == 0:
                self.count(counts)
                counts.clear()
        self.count(counts)
