"""What every DoFn of these transforms has in common: it checks its worker once, and what it is given."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field

import apache_beam as beam
from apache_beam.metrics import Metrics

from wikiprep.config import RunOptions
from wikiprep.counts import Key
from wikiprep.errors import WikiprepError
from wikiprep.pipelines.worker_unit import Terms, check_output, check_versions

MANIFEST = "manifest.json"
REJECTS = "rejects"  # tag of the other output


@dataclass(frozen=True)
class Worker:
    """What a worker must be. `folders`: local or remote corpora that it must see."""

    folders: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=lambda: Terms.of(RunOptions()).versions)

    def check(self) -> None:
        """Raises WikiprepError on a worker of another environment, or one that does not see a corpus."""
        check_versions(self.versions)
        for folder in self.folders:
            check_output(folder, MANIFEST)


class CheckedDoFn(beam.DoFn):
    """A DoFn of one transform. `transform`: its name, under which its counters stand."""

    def __init__(self, transform: str, worker: Worker, kind: type, wiki: str = "") -> None:
        """`kind` of its elements; `wiki`: of its tables, "" for any."""
        self._transform, self._worker, self._kind, self._wiki = transform, worker, kind, wiki

    def setup(self) -> None:
        """Once a worker, before the first element."""
        self._worker.check()

    def check(self, element: object) -> None:
        """Raises WikiprepError for an element of another kind, or of another wiki than the tables are."""
        if not isinstance(element, self._kind):
            raise WikiprepError(
                f"{self._transform} takes {self._kind.__name__}, and was given {type(element).__name__}",
                "give the steps between type hints (.with_output_types), and Beam says so before the job is sent",
            )
        wiki = getattr(element, "wiki", "")
        if self._wiki and wiki and wiki != self._wiki:
            raise WikiprepError(
                f"{self._transform} was made for {self._wiki}, and was given a page of {wiki}",
                "give it the site and the corpus of the pages' own wiki",
            )

    def count(self, counts: Mapping[Key, int]) -> None:
        """Add to Beam's counters. They are for display: work that is repeated counts twice."""
        for name, number in counts.items():
            if number:
                Metrics.counter(self._transform, str(name)).inc(number)


class Rejecting(beam.PTransform):
    """A transform that leaves pages out; `.with_rejects()` gives those, too."""

    _with_rejects = False

    def with_rejects(self) -> "Rejecting":
        """This transform with a second output, a PCollection of `Reject`: `articles, rejects = pages | …`."""
        other = copy.copy(self)
        other._with_rejects = True
        return other

    def outputs(self, pcollection: beam.PCollection, step: beam.DoFn, kind: type, reject: type) -> beam.PCollection:
        """What `step` makes of a PCollection."""
        results = pcollection | "Pages" >> beam.ParDo(step).with_outputs(REJECTS, main="made").with_output_types(kind)
        main, rejects = results["made"], results[REJECTS]
        main.element_type, rejects.element_type = kind, reject
        return (main, rejects) if self._with_rejects else main
