"""How an example is shown to people, and the reasons why one cannot be asked."""

from collections.abc import Sequence

LONG_MENTION = "mentions of more subwords than task.max_mention (further ones have no position)"
CUT_QUESTION = "questions that were cut"
TOO_LONG = "mentions lie further apart than the model's longest input"


def bracketed_text(text: str, spans: Sequence[tuple[tuple[int, int], str]]) -> str:
    """The text with each span in brackets under its name: `[HEAD Bill Gates] founded [TAIL Microsoft]`.

    Brackets of one place are closed before others are opened, whichever spans meet there.
    """
    cuts: list[tuple[int, int, int, str]] = []
    for (start, end), name in spans:
        cuts += [(start, 1, start - end, f"[{name.strip('[]')} "), (end, 0, end - start, "]")]
    parts, last_place = [], 0
    for place, _, _, mark in sorted(cuts):
        parts += [text[last_place:place], mark]
        last_place = place
    return "".join([*parts, text[last_place:]])
