"""Runs annotation over files and pipes: input in batches, whole output files, progress and problems on stderr."""

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import IO, Protocol

import orjson

from wikiprep.annotate.annotator import Annotator, Rule, Span, TargetVocabulary
from wikiprep.annotate.lines import LineAnnotator, Lines, batches
from wikiprep.annotate.squad import SquadAnnotator
from wikiprep.annotate.to_vocabulary import ToVocabulary
from wikiprep.api.corpus import open_corpus
from wikiprep.api.mentions import annotator_of
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import whole_file
from wikiprep.progress import NO_PROGRESS, Progress
from wikiprep.suggestions import names_hint
from wikiprep.terminal.command_progress import show_progress
from wikiprep.terminal.streams import SafeStream, standard_input
from wikiprep.terminal.wording import plural, printable
from wikiprep.textlines import MAX_LINE, read_lines

STREAM = "-"
PAGE_FIELD = "title"  # unless another is asked for
_MAX_PRINTED = 20  # bad lines told one by one


class SenseChooser(Protocol):
    """Decides what names mean, as `inference.annotate_by_model.Chooser` does."""

    counts: Counter[str]

    def choose(self, texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> list[list[Span]]:
        """The same spans, with the meanings of its choice."""
        ...


MakeChooser = Callable[[Annotator], SenseChooser]


def annotate_lines(
    corpus: str,
    source: str,
    target: str,
    rule: Rule,
    page_field: str,
    *,
    strict: bool,
    quiet: bool,
    to: TargetVocabulary | None = None,
    plain: bool = False,
    chooser: MakeChooser | None = None,
) -> None:
    """Annotate the JSON lines of a file or of standard input, or lines of `plain` text, with the entities of `to`.

    `chooser` makes, of what finds the names, what decides what they mean.

    Raises WikiprepError where none of them can be used.
    """
    annotator = annotator_of(open_corpus(corpus).mentions, rule)
    sense_chooser = chooser(annotator) if chooser is not None else None
    name = "standard input" if source == STREAM else PurePosixPath(source).name
    to_vocabulary = ToVocabulary(corpus, to) if to is not None else None
    choose = sense_chooser.choose if sense_chooser is not None else None
    lines = LineAnnotator(
        annotator, name, page_field, strict=strict, to_vocabulary=to_vocabulary, plain=plain, choose=choose
    )
    shown = contextlib.nullcontext(NO_PROGRESS) if quiet else show_progress(target=target)
    with _open_output(target) as out, shown as progress, progress.part("annotation", None, "line") as advance:
        messages = _Messages(quiet, progress)
        for batch in _read_standard_input() if source == STREAM else batches(read_lines(source)):
            for line in lines.annotate(batch):
                out.write(line)
            out.flush()
            messages.problems(lines.problems)
            spans = sum(n for key, n in lines.counts.items() if key.startswith("spans."))
            progress.latest(plural(spans, "span"))
            advance(len(batch))
        rejected, first = _count_rejected(lines.counts), messages.first_problem
        if rejected and rejected == lines.counts["lines.read"]:
            raise WikiprepError(
                f"none of {plural(rejected, 'line')} can be used ({first})",
                'a line is {"text": "…", "title": "…"}' + ("" if plain else "; --format text takes plain text"),
            )
        if page_field != PAGE_FIELD and lines.fields and page_field not in lines.fields:
            raise UsageError(
                f"--page-field {page_field}: no line has such a field",
                names_hint("fields", page_field, sorted(lines.fields)),
            )
    messages.summary(
        _total_counts(lines.counts, annotator, to_vocabulary)
        + (sense_chooser.counts if sense_chooser is not None else Counter())
    )


def annotate_squad(
    corpus: str, source: str, target: str, rule: Rule, *, quiet: bool, to: TargetVocabulary | None = None
) -> None:
    """Annotate a file in the format of SQuAD 1.1. Raises WikiprepError, with the place, for what is none."""
    data = standard_input().read() if source == STREAM else b"".join(line + b"\n" for _, line in read_lines(source))
    to_vocabulary = ToVocabulary(corpus, to) if to is not None else None
    name = "standard input" if source == STREAM else source
    annotator = annotator_of(open_corpus(corpus).mentions, rule)
    squad = SquadAnnotator(annotator, name, to_vocabulary)
    annotated_json = orjson.dumps(squad.annotate(data))
    with _open_output(target) as out:
        out.write(annotated_json)
        out.flush()
    _Messages(quiet).summary(_total_counts(squad.counts, annotator, to_vocabulary))


def _total_counts(counts: Counter[str], annotator: Annotator, to_vocabulary: ToVocabulary | None) -> Counter[str]:
    """The counts with those of a vocabulary, and of a list of names, where there are any."""
    totals = counts + to_vocabulary.counts if to_vocabulary is not None else Counter(counts)
    if annotator.own_names is not None:
        totals["own_names.two_titles"] = annotator.own_names.two_titles
    return totals


@contextlib.contextmanager
def _open_output(target: str) -> Iterator[IO[bytes]]:
    if target == STREAM:
        yield sys.stdout.buffer
        return
    with whole_file(target) as file:
        yield file


def _read_standard_input() -> Iterator[Lines]:
    """The whole lines of what has come so far, so that whoever writes line by line gets answers as they go."""
    source = standard_input().fileno()
    number, rest = 0, b""
    while chunk := os.read(source, 1 << 20):
        *whole_lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > MAX_LINE:
            raise WikiprepError(
                f"standard input: line {number + len(whole_lines) + 1} is longer than {MAX_LINE // 1_000_000} MB",
                "one line holds one text: is this made of lines?",
            )
        yield _number_lines(whole_lines, number)
        number += len(whole_lines)
    yield _number_lines([rest], number)


def _number_lines(lines: list[bytes], before: int) -> Lines:
    if before == 0 and lines:
        lines[0] = lines[0].removeprefix(b"\xef\xbb\xbf")
    return [(number, line.removesuffix(b"\r")) for number, line in enumerate(lines, before + 1) if line.strip()]


def _count_rejected(counts: Counter[str]) -> int:
    return sum(n for key, n in counts.items() if key.startswith("lines.reject."))


class _Messages:
    """What a person reads on stderr."""

    def __init__(self, quiet: bool, progress: Progress = NO_PROGRESS) -> None:
        self.first_problem = ""
        self._stream = SafeStream(sys.stderr)
        self._quiet, self._progress = quiet, progress
        self._problem_count = 0

    def problems(self, problems: list[str]) -> None:
        """Print lines that were left out; with --quiet too."""
        for problem in problems:
            self.first_problem = self.first_problem or problem
            self._problem_count += 1
            if self._problem_count <= _MAX_PRINTED:
                self._say(f"{problem}; left out")
            elif self._problem_count == _MAX_PRINTED + 1:
                self._say("more lines are left out; the summary counts them")

    def summary(self, counts: Counter[str]) -> None:
        """Print all counts."""
        if not self._quiet:
            words = [f"{key.removeprefix('also.').replace('.', ' ').replace('_', ' ')} {n:,}"
                     for key, n in sorted(counts.items())]  # fmt: skip
            self._say(", ".join(words) or "nothing to annotate")

    def _say(self, text: str) -> None:
        self._progress.aside()
        self._stream.write(f"wikiprep: {printable(text)}\n")
        self._stream.flush()
