"""`wikiprep predict`: the entities that mentions of a text most likely mean to a trained model.

And the relations of their pairs, where it guesses them.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson
from rich.markup import escape
from rich.table import Table

from wikiprep.errors import UsageError
from wikiprep.inference.asked_pairs import AskedPairs, pairs_if_any
from wikiprep.inference.seen_mentions import NOT_GIVEN, SeenMention
from wikiprep.inference.texts import TextLine, in_brackets
from wikiprep.inference.usable_lines import BATCH, UsableLines, batches
from wikiprep.pretrain.frozen import GuessesRelations, RelationGuess
from wikiprep.pretrain.open_checkpoint import open_model
from wikiprep.pretrain.ranks import join_ranks
from wikiprep.pretrain.trained import BadText, Guess, MarkedText, Trained
from wikiprep.terminal.console import Terminal
from wikiprep.terminal.wording import printable

UNKNOWN = "[UNK]"


@dataclass(frozen=True)
class PairGuesses:
    """Of a text: the pairs that were asked for, and the guesses of each."""

    pairs: AskedPairs
    guesses: list[list[RelationGuess]]


def predict_text(
    model: str, text: str, most: int, *, words_masked: bool, as_json: bool, language: str | None = None
) -> None:
    """Print the entities of one text's mentions, and their relations. `model`, `language`: see `open_model`.

    Raises UsageError for a text that cannot be used.
    """
    try:
        marked = in_brackets(text)
        if not marked.spans:
            raise BadText("no mention in it")
    except BadText as bad:
        raise UsageError(f"{_short(text)}: {bad}", 'mark mentions with brackets: "born in [Oslo]"') from bad
    with join_ranks(timeout_minutes=1) as ranks:
        trained = open_model(model, ranks, language).trained
        try:
            trained.check(marked)
        except BadText as bad:
            raise UsageError(f"{_short(text)}: {bad}", "give a shorter text, or another mention") from bad
        (guesses,) = trained.predict([marked], most, words_masked=words_masked)
        line = TextLine(1, {"text": marked.text}, marked)
        (relations,) = relations_of(trained, [line], most, words_masked=words_masked)
    if as_json:
        print(_json(line, guesses, relations).decode(), end="")
    else:
        _show(marked, guesses)
        show_relations(marked, relations)


def predict_lines(
    model: str,
    source: str,
    most: int,
    *,
    words_masked: bool,
    strict: bool,
    unknown: str,
    language: str | None = None,
    titles_from: str | None = None,
) -> Counter[str]:
    """JSON lines in, the same lines with "mentions" out, as they come.

    A line that cannot be used is reported and left out.

    A link's own target is shown with the model's entity for it, and is not seen by the model: all mentions are masked.
    Returns the links by what was found (`linked.ways`); `unknown`: one of `linked.UNKNOWN`; `titles_from`: whose titles
    they have. Raises WikiprepError where no line can be used; with `strict`, for the first that cannot.
    """
    with join_ranks(timeout_minutes=1) as ranks:
        trained = open_model(model, ranks, language).trained
        extra_check = pairs_if_any if isinstance(trained, GuessesRelations) else None
        lines = UsableLines(
            trained, source, strict=strict, mentions=True, unknown=unknown, titles_from=titles_from, also=extra_check
        )
        for batch in batches(lines, BATCH):
            batch_guesses = trained.predict([line.marked for line in batch], most, words_masked=words_masked)
            relations = relations_of(trained, batch, most, words_masked=words_masked)
            for line, mention_guesses, pair_guesses in zip(batch, batch_guesses, relations, strict=True):
                sys.stdout.buffer.write(_json(line, mention_guesses, pair_guesses))
            sys.stdout.buffer.flush()
        lines.close()
        return lines.links


def _json(line: TextLine, mention_guesses: Sequence[Sequence[Guess]], pair_guesses: PairGuesses | None) -> bytes:
    marked, seen = line.marked, line.seen
    mentions = [
        {"start": start, "end": end, "mention": marked.text[start:end]}
        | (_seen_entity(seen[number]) if seen else {})
        | {
            "entities": [
                {"title": guess.title, "score": guess.score} | ({"qid": guess.qid} if guess.qid else {})
                for guess in guesses
            ]
        }
        for number, ((start, end), guesses) in enumerate(zip(marked.spans, mention_guesses, strict=True))
    ]
    output = line.record | {"text": marked.text, "mentions": mentions}
    if pair_guesses is not None:
        output["relations"] = relations_as_json(pair_guesses)
    return orjson.dumps(output, option=orjson.OPT_APPEND_NEWLINE)


def _seen_entity(seen: SeenMention) -> dict[str, Any]:
    """Of a mention whose entity the text says: what the model has for it."""
    return {} if seen.way == NOT_GIVEN else {"target": seen.target, "entity": seen.entity, "found": seen.way}


def _show(marked: MarkedText, mention_guesses: Sequence[Sequence[Guess]]) -> None:
    console = Terminal()
    for (start, end), guesses in zip(marked.spans, mention_guesses, strict=True):
        table = Table(title=escape(printable(f"[{marked.text[start:end]}]")), title_justify="left")
        table.add_column("entity")
        table.add_column("score", justify="right")
        if any(guess.qid for guess in guesses):
            table.add_column("item")
        for guess in guesses:
            title = "[UNK] (outside the vocabulary)" if guess.title == UNKNOWN else guess.title
            row = [escape(printable(title)), f"{guess.score:.4f}", guess.qid or ""]
            table.add_row(*row[: len(table.columns)])
        console.print(table)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "…")


def relations_of(
    trained: Trained, lines: Sequence[TextLine], most: int, *, words_masked: bool
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
