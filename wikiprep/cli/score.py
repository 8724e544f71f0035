"""`wikiprep score`: the official score of anyone's predictions."""

from pathlib import Path

import click

from wikiprep.cli.output_types import PNG
from wikiprep.errors import UsageError
from wikiprep.tasks.task_names import NO_CONFUSION, TASKS, tasks_in_words
from wikiprep.verbosity import tell

HELP = f"""Score PREDICTIONS of TASK as its official scorer does, beside the published figures.

TASK is {tasks_in_words()}. GOLD is a file of the data set, its folder (with --split), or a predictions.jsonl with gold
labels. PREDICTIONS is a predictions.jsonl or has the form of the official scorer: wikiprep docs tasks shows them all.
Torch is not needed.
"""


@click.command("score", help=HELP)
@click.argument("task", type=click.Choice(TASKS), metavar="TASK")
@click.argument("gold", type=click.Path())
@click.argument("predictions", type=click.Path())
@click.option("--split", help="With a folder as GOLD: train, dev or test. [the last that the task has]")
@click.option(
    "--triples", default="all", help="Of webnlg and nyt24: texts with so many triples alone: 1,2 or 1-3. [all]"
)
@click.option("--model", default="these predictions", show_default=True, help="What the table calls the predictions.")
@click.option("--json", "form", flag_value="json", help="One JSON object instead of tables.")
@click.option("--markdown", "form", flag_value="markdown", help="A Markdown table beside the published rows.")
@click.option("--errors", type=click.IntRange(0), default=0, help="List so many of the worst errors. [none]")
@click.option("--confusion", type=PNG, help="Draw the confusion matrix: a PNG (needs matplotlib).")
def command(
    task: str,
    gold: str,
    predictions: str,
    split: str | None,
    triples: str,
    model: str,
    form: str | None,
    errors: int,
    confusion: str | None,
) -> None:
    """Does what HELP says."""
    import orjson

    from wikiprep.tasks.data.sets import splits_of
    from wikiprep.tasks.error_analysis import confusion_of, worst_errors
    from wikiprep.tasks.read_gold import read_gold
    from wikiprep.tasks.read_predicted import with_predictions
    from wikiprep.tasks.result_table import ResultRow, markdown_table
    from wikiprep.tasks.scorers import score
    from wikiprep.tasks.show_score import as_json, show, show_errors

    if errors and form:
        raise UsageError(f"--errors prints lines for people, --{form} does not", "run it twice")
    if confusion is not None and task in NO_CONFUSION:
        raise UsageError(f"answers of {task} have no confusion matrix", "leave out --confusion")
    gold_set = read_gold(task, Path(gold), split, triples)
    examples, notes = with_predictions(task, gold_set.examples, Path(predictions))
    scores, split_name = score(task, examples), split or splits_of(task)[-1]
    unused = [f"gold, not used: {reason} ({count:,})" for reason, count in sorted(gold_set.left_out.items())]
    unused += [f"predictions: {count:,} {reason}" for reason, count in scores.left_out.items()]
    for note in [*notes, *unused]:
        tell(f"wikiprep: {note}")
    if form == "json":
        print(orjson.dumps(as_json(scores, split_name, dict(gold_set.left_out)), option=orjson.OPT_INDENT_2).decode())
    elif form == "markdown":
        result = ResultRow(model, "this score", split_name, scores.figures)
        print(markdown_table(task, [result], list(scores.figures), split_name, scores.form, scores.views), end="")
    else:
        show(scores, model, split_name)
    show_errors(worst_errors(examples, errors) if errors else [])
    if confusion is not None:
        from wikiprep.tasks.error_analysis import draw_confusion

        draw_confusion(confusion_of(examples), confusion, f"{task}: {model}")
