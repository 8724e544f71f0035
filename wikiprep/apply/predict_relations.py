"""Relations of the pairs of a text's mentions, of a model that guesses them, as `wikiprep predict` gives them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.markup import escape
from rich.table import Table

from wikiprep.apply.asked_pairs import AskedPairs, pairs_if_any
from wikiprep.apply.texts import Line
from wikiprep.pretrain.frozen import GuessesRelations, RelationGuess
from wikiprep.pretrain.trained import MarkedText, Trained
from wikiprep.terminal.console import Terminal
from wikiprep.terminal.wording import printable


@dataclass(frozen=True)
class PairGuesses:
    """Of a text: the pairs that were asked for, and the guesses of each."""

    pairs: AskedPairs
    guesses: list[list[RelationGuess]]


def relations_of(
    trained: Trained, lines: Sequence[Line], most: int, *, words_masked: bool
) -> Iterator[PairGuesses | None]:
    """Of each line; None where the model guesses none. Raises BadText for pairs that a line cannot have."""
    if not isinstance(trained, GuessesRelations):
        yield from (None for _ in lines)
        return
    line_pairs = [pairs_if_any(line) for line in lines]
    texts, places = [line.marked for line in lines], [pairs.places for pairs in line_pairs]
    line_guesses = trained.relation_guesses(texts, places, most, words_masked=words_masked)
    yield from map(PairGuesses, line_pairs, line_guesses)


def relations_as_json(of: PairGuesses) -> list[dict[str, Any]]:
    """A pair an entry, as numbers of the line's links."""
    return [
        {
            "head": head,
            "tail": tail,
            "properties": [
                {"property": guess.property, "score": guess.score} | ({"label": guess.label} if guess.label else {})
                for guess in guesses
            ],
        }
        for (head, tail), guesses in zip(of.pairs.numbers, of.guesses, strict=True)
    ]


def show_relations(marked: MarkedText, of: PairGuesses | None) -> None:
    """As a table: a pair a row, with its likeliest property."""
    if of is None or not of.guesses:
        return
    table = Table(title="relations, the likeliest of each pair", title_justify="left")
    for column in ("head", "property", "", "tail"):
        table.add_column(column)
    table.add_column("score", justify="right")
    for pair, guesses in zip(of.pairs.places, of.guesses, strict=True):
        head, tail = (escape(printable(marked.text[slice(*marked.spans[side])])) for side in pair)
        best = guesses[0]
        table.add_row(head, best.property, escape(printable(best.label or "")), tail, f"{best.score:.4f}")
    Terminal().print(table)
