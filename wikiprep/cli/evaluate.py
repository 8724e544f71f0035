"""`wikiprep evaluate`: how good a trained model is on held-out pages."""

import click

from wikiprep.cli.model_options import language_option, model_argument
from wikiprep.extra_packages import needs_torch


@click.command("evaluate")
@model_argument
@click.option("--corpus", "corpora", multiple=True, required=True, help="Folder of a corpus; several as in training.")
@click.option("--config", help="A configuration that says which pages are held out. [the run's own]")
@language_option
@click.option("--records", type=click.IntRange(1), help="Held-out records at most. [as the run's own evaluations]")
@click.option("--all", "every", is_flag=True, help="All held-out records.")
@click.option("--batch-tokens", type=click.IntRange(1), help="Padded positions computed at once. [as in training]")
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of a table.")
def command(
    model: str,
    corpora: tuple[str, ...],
    config: str | None,
    language: str | None,
    records: int | None,
    every: bool,
    batch_tokens: int | None,
    as_json: bool,
) -> None:
    """Print losses and accuracies of a model on the pages that its run set apart.

    Entity accuracy stands beside two guesses that need no model: the most frequent entity, and what a mention's name
    meant most often on the training pages. MODEL is a run (its newest checkpoint), one of its checkpoints, or a folder
    or hub name of Hugging Face's whose words and entities have the corpus's ids, such as export-hf wrote.
    """
    with needs_torch():
        from wikiprep.inference.evaluation import show
        from wikiprep.inference.evaluation.run import evaluate_checkpoint
    evaluation = evaluate_checkpoint(model, corpora, 0 if every else records, batch_tokens, config, language)
    if as_json:
        import orjson

        print(orjson.dumps(show.as_json(evaluation), option=orjson.OPT_INDENT_2).decode())
    else:
        show.show(evaluation)
