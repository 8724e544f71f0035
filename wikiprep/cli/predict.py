"""`wikiprep predict`: which entities mentions of a text mean, to a trained model, and which relations they have."""

import click

from wikiprep.cli.model_options import language_option, model_argument, tell_links, titles_from_option, unknown_option
from wikiprep.errors import UsageError
from wikiprep.extra_packages import needs_torch


@click.command("predict")
@model_argument
@click.argument("text", required=False)
@click.option("--input", "-i", "source", type=click.Path(), help='JSON lines instead of TEXT, "-" for standard input.')
@click.option("-k", "most", type=click.IntRange(1), default=5, help="Entities of a mention, properties of a pair. [5]")
@click.option("--masked", is_flag=True, help="Hide the mention's words from the model.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of tables; always so with --input.")
@unknown_option
@titles_from_option
@language_option
@click.option("--strict", is_flag=True, help="Stop at a line that cannot be used, instead of leaving it out.")
def command(
    model: str,
    text: str | None,
    source: str | None,
    most: int,
    masked: bool,
    as_json: bool,
    unknown: str,
    titles_from: str | None,
    language: str | None,
    strict: bool,
) -> None:
    """Print the most likely entities of the mentions in TEXT, which stand in [brackets].

    MODEL is a run (its newest checkpoint), one of its checkpoints, or a folder or hub name of Hugging Face's LUKE, such
    as export-hf wrote. A line of --input is {"text": "with [a mention]"}, or {"text": "…", "links": [{"start": 0,
    "end": 4}]}; it comes back with "mentions". A link's own "target" or "qid" is shown beside what the model has for
    it; all mentions are masked.

    A run of SPOT also names the relation of each ordered pair of mentions, or of the "pairs" of a line: [[0, 1], …],
    numbers of its links.
    """
    if (text is None) == (source is None):
        raise UsageError("give either TEXT or --input", 'such as: wikiprep predict RUN "born in [Oslo]"')
    with needs_torch():
        from wikiprep.inference.predict import predict_lines, predict_text
    if text is not None:
        predict_text(model, text, most, words_masked=masked, as_json=as_json, language=language)
    elif source is not None:
        links = predict_lines(
            model,
            source,
            most,
            words_masked=masked,
            strict=strict,
            unknown=unknown,
            language=language,
            titles_from=titles_from,
        )
        tell_links(links, unknown, quiet=True)
