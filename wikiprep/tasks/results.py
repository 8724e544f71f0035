"""What a fine-tuning run leaves for people and machines, beside its weights.

results.json  results.md  predictions.dev.jsonl  predictions.test.jsonl  errors.dev.jsonl  confusion.dev.png
"""

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from wikiprep.files import whole_file
from wikiprep.tasks.answer_files import write_answers, write_worst
from wikiprep.tasks.confusion import write_confusion
from wikiprep.tasks.published.rows import markdown_table
from wikiprep.tasks.task import Answer

RESULTS, TABLE = "results.json", "results.md"


@dataclass(frozen=True)
class Outcome:
    """One run. `figures`: of "dev" and "test", in per cent; `epoch`: of the weights that are kept; `seconds`: of
    training, in the command that ended it; `left_out`: of each split, by reason."""

    task: str
    model: str
    metric: str
    seed: int
    epoch: float
    figures: Mapping[str, Mapping[str, float]]
    seconds: float
    left_out: Mapping[str, Mapping[str, int]]
    folder: str

    @property
    def dev(self) -> Mapping[str, float] | None:
        """Figures of the development set; None where there is none."""
        return self.figures.get("dev")

    @property
    def score(self) -> float | None:
        """The development figure that chooses."""
        return self.dev.get(self.metric) if self.dev else None


def write_outcome(
    folder: Path, outcome: Outcome, answers: Mapping[str, Sequence[Answer]], labels: Sequence[str]
) -> None:
    """The figures of one run, its predictions, the hundred worst errors, and who was taken for whom."""
    for part, found in answers.items():
        write_answers(folder / f"predictions.{part}.jsonl", found)
        write_worst(folder / f"errors.{part}.jsonl", found)
        write_confusion(folder / f"confusion.{part}", found, labels)
    _write(folder, [outcome])


def write_summary(folder: Path, outcomes: Sequence[Outcome]) -> None:
    """The figures of all runs of a command, their means and deviations, beside what was published."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder, outcomes)


def summary(outcomes: Sequence[Outcome]) -> dict[str, dict[str, dict[str, float]]]:
    """Of each part and figure the mean over the runs and, of several, the standard deviation (n - 1)."""
    made: dict[str, dict[str, dict[str, float]]] = {}
    for part in outcomes[0].figures:
        for name in outcomes[0].figures[part]:
            values = [outcome.figures[part][name] for outcome in outcomes]
            spread = {"deviation": statistics.stdev(values)} if len(values) > 1 else {}
            made.setdefault(part, {})[name] = {"mean": statistics.fmean(values), **spread}
    return made


def _write(folder: Path, outcomes: Sequence[Outcome]) -> None:
    data = {"schema": "results/1", "runs": [asdict(outcome) for outcome in outcomes], "summary": summary(outcomes)}
    with whole_file(folder / RESULTS) as file:
        file.write(json.dumps(data, ensure_ascii=False, indent=1).encode() + b"\n")
    with whole_file(folder / TABLE) as file:
        file.write(markdown_table(outcomes[0].task, outcomes[0].model, summary(outcomes), len(outcomes)).encode())
