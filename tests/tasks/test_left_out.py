"""What the length limits cost is counted by reason, in each task, and nothing goes without a word."""

from collections import Counter
from typing import Any

import pytest
from building import TOKENIZER

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.tasks.examples import (
    Answer,
    ClozeExample,
    EntitySpan,
    QuestionExample,
    RelationExample,
    TypingExample,
)
from wikiprep.tasks.options import TaskOptions
from wikiprep.tasks.pieces import Pieces
from wikiprep.tasks.question_answering import NOT_SEEN
from wikiprep.tasks.registry import task_named
from wikiprep.tasks.task import CUT_QUESTION, LONG_MENTION, TOO_LONG, Inputs

LONG = "the Solar System of the Sun and all its moons and stones"
TEXT = f"{LONG} is old, and Jupiter is its largest planet by far, as Galileo knew."
SPAN, OTHER = (0, len(LONG)), (TEXT.index("Jupiter"), TEXT.index("Jupiter") + 7)
FAR = f"Jupiter {'is large ' * 60}Galileo"
QUESTION = f"Who saw {'really ' * 70}Jupiter @placeholder"
PLACE = (QUESTION.index("@placeholder"), len(QUESTION))
AT = QUESTION.index("Jupiter")
EXAMPLES: list[tuple[str, Any, dict[str, int]]] = [
    ("tacred", RelationExample("1", TEXT, SPAN, OTHER, "x"), {LONG_MENTION: 1}),
    ("tacred", RelationExample("1", TEXT, OTHER, OTHER, "x"), {}),
    ("tacred", RelationExample("1", FAR, (0, 7), (len(FAR) - 7, len(FAR)), "x"), {TOO_LONG: 1}),
    ("open-entity", TypingExample("1", TEXT, SPAN, ("x",)), {LONG_MENTION: 1}),
    ("record", ClozeExample("1", TEXT, "It is @placeholder", (6, 18), (SPAN, OTHER), ()), {LONG_MENTION: 1}),
    (
        "squad",
        QuestionExample(
            "1", "t", QUESTION, TEXT, (Answer("Galileo", TEXT.index("Galileo")),),
            (EntitySpan(AT, AT + 7, "Jupiter", None),), (EntitySpan(*SPAN, "Sun", None),),
        ),
        {LONG_MENTION: 1, NOT_SEEN: 1, CUT_QUESTION: 1},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("task", "example", "counted"), EXAMPLES)
def test_what_a_limit_costs_is_counted(task: str, example: Any, counted: dict[str, int]) -> None:
    made = task_named(task, TaskOptions())
    pieces = Pieces(load_tokenizer(TOKENIZER), tuple(made.markers), "")
    left_out: Counter[str] = Counter()
    made.features(example, 0, Inputs(pieces, {"x": 0}, 110, 5, True, {"Jupiter": 3, "Sun": 4}), left_out)
    assert +left_out == counted
