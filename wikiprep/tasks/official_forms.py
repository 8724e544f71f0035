"""Predictions in the benchmarks' own forms: what their scorers read and other people's models write.

Each function gives what the file says and where, in the file's order; `read_predicted.py` joins it with gold.
"""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from wikiprep.errors import WikiprepError
from wikiprep.tasks.data import copa, semeval2010
from wikiprep.tasks.data.benchmark_files import join_tokens, text_lines
from wikiprep.tasks.data.conll import check_tag, column_blocks
from wikiprep.tasks.data.json_values import read_json_lines
from wikiprep.tasks.examples import Mention
from wikiprep.tasks.iob import chunks_of
from wikiprep.textlines import read_whole

_RELATION_LINE = re.compile(r"\s*(\d+)\t\s*(\S+)\s*")
_KEY_START = re.compile(r"\d+\t[A-Z][\w-]+(\(e[12],e[12]\))?\s*")
_SAME = "gold and predictions are the same sentences in the same order, with an empty line behind each"
_CHOICES = 'a line is {"idx": number, "label": 0 or 1}, as SuperGLUE takes it'
_ANSWERS = "it is {question id: \"answer\"}, as SQuAD's and ReCoRD's scripts read it"


def answers(path: Path) -> Iterator[tuple[str, str, str]]:
    """Of SQuAD and ReCoRD, {id: text}: id, text, place. Raises WikiprepError for what is no such object."""
    try:
        pairs = json.loads(read_whole(path), object_pairs_hook=tuple)  # with both of two equal ids
    except ValueError as error:
        raise WikiprepError(f"{path}: not JSON ({error})", _ANSWERS) from error
    if not isinstance(pairs, tuple):
        raise WikiprepError(f"{path}: is no object of ids and answers", _ANSWERS)
    for name, answer in pairs:
        if not isinstance(answer, str):
            raise WikiprepError(f"{path}: the answer of {name!r} is not a text", _ANSWERS)
        yield name, answer, f"{path}, {name!r}"


def is_relation_key(path: Path) -> bool:
    """Whether the first line is of "id TAB relation"."""
    _, line = next(text_lines(path), (0, ""))
    return _KEY_START.fullmatch(line) is not None


def relation_lines(path: Path) -> Iterator[tuple[str, str, str]]:
    """Of SemEval-2010 task 8, lines of "id TAB relation": id, relation, place.

    Raises WikiprepError for another line and for what is no relation, or has no direction.
    """
    for number, line in text_lines(path):
        match = _RELATION_LINE.fullmatch(line)
        if match is None:
            raise WikiprepError(
                f"{path}:{number}: is no line of id, TAB, relation", "such as: 8001\tCause-Effect(e1,e2)"
            )
        semeval2010.check_label(path, number, match[2])
        yield match[1], match[2], f"{path}:{number}"


def label_lines(path: Path, labels: Collection[str]) -> Iterator[tuple[str, str]]:
    """Of TACRED, a label a line: label, place. Raises WikiprepError for one that is not among `labels`."""
    for number, line in text_lines(path):
        if (label := line.strip()) not in labels:
            raise WikiprepError(f"{path}:{number}: {label!r} is no label of the task", "it is one label a line")
        yield label, f"{path}:{number}"


def glue_lines(path: Path) -> Iterator[tuple[str, str, str]]:
    """Of GLUE, lines of "index TAB prediction" below a line that says so: index, prediction, place.

    Raises WikiprepError for another line.
    """
    for number, line in text_lines(path):
        cells = [cell.strip() for cell in line.split("\t")]
        if number == 1 and cells == ["index", "prediction"]:
            continue
        if len(cells) != 2 or not all(cells):
            raise WikiprepError(f"{path}:{number}: is no line of index, TAB, prediction", "such as: 12\tentailment")
        yield cells[0], cells[1], f"{path}:{number}"


def choice_lines(path: Path) -> Iterator[tuple[str, str, str]]:
    """Of COPA as SuperGLUE takes it, {"idx": 3, "label": 0} a line: idx, "choice1" or "choice2", place."""
    for item in read_json_lines(path, _CHOICES):
        label = item.number("label")
        if label not in (0, 1):
            raise item.bad(f"label is {label}")
        yield str(item.number("idx")), copa.LABELS[label], item.place.removesuffix(":")


def tagged_sentences(path: Path, texts: Sequence[str]) -> Iterator[tuple[tuple[Mention, ...], str]]:
    """Of CoNLL's kind: the mentions of each sentence, and the place of its first line.

    A line is a tag, or columns with the word first and the predicted tag last (conlleval's form, whose column before is
    the gold tag); sentences end at empty lines. `texts` are the gold sentences, words with a blank between: a sentence
    of other words is an error that names its line, and so is another number of sentences.
    """
    count = 0
    for count, block in enumerate(column_blocks(path, least=1), 1):
        number, place = block[0][0], f"{path}:{block[0][0]}"
        if count > len(texts):
            raise WikiprepError(f"{place}: a sentence too many, gold has {len(texts):,}", _SAME)
        gold = texts[count - 1]
        words = gold.split(" ") if len(block[0][1]) == 1 else [columns[0] for _, columns in block]
        for at, (line, columns) in enumerate(block):
            check_tag(path, line, columns[-1])
            if at < len(words) and len(columns) > 1 and not gold.startswith(" ".join(words[: at + 1])):
                raise WikiprepError(
                    f"{path}:{line}: the word {words[at]!r} is not gold's, whose sentence is: {gold}", _SAME
                )
        if " ".join(words) != gold or len(words) != len(block):
            raise WikiprepError(
                f"{place}: sentence {count:,} has {len(block)} lines, in gold {gold.count(' ') + 1} words: {gold}",
                _SAME,
            )
        _, spans = join_tokens(words)
        tags = [columns[-1] for _, columns in block]
        mentions = (Mention(spans[c.start][0], spans[c.end - 1][1], c.type) for c in chunks_of(tags))
        yield tuple(mentions), f"{path}:{number}"
    if count < len(texts):
        raise WikiprepError(f"{path}: has {count:,} sentences, gold {len(texts):,}", _SAME)
