"""`wikiprep annotate`: entity spans for any text, by the names of a corpus."""

from collections.abc import Callable
from pathlib import PurePath
from typing import Any, TypeVar

import click

from wikiprep.cli.output_types import LINES
from wikiprep.errors import UsageError
from wikiprep.extra_packages import needs_torch

MOST = 30  # candidates that a model chooses from, unless the user says
F = TypeVar("F", bound=Callable[..., Any])


def rule_options(command: F) -> F:
    """The options that annotate and annotate-squad share."""
    for option in reversed(
        [
            click.option(
                "--min-link-probability",
                type=click.FloatRange(0, 1),
                default=0.01,
                help="Names that are linked on a smaller share of the pages where they occur are left alone. [0.01]",
            ),
            click.option(
                "--min-prior",
                type=click.FloatRange(0, 1),
                default=0.0,
                help="Share of a name's links that must lead to the page it is annotated with. [0]",
            ),
            click.option("--subject", is_flag=True, help="The source page itself too, by its title."),
            click.option(
                "--match-case",
                is_flag=True,
                help="Names of a source page only as its links write them. Without it whatever the case, as published.",
            ),
            click.option("--by-prior", is_flag=True, help="As if no source page were known."),
            click.option(
                "--folded",
                is_flag=True,
                help="Whatever the case, quotes and hyphens, where no source page is known. Slow.",
            ),
            click.option(
                "--names",
                type=click.Path(),
                help="Names of your own too, lines name<TAB>title; they go before those of the corpus.",
            ),
            click.option(
                "--vocab",
                type=click.Path(),
                help="Name the entities of this vocabulary, not the corpus's; what it lacks is left out and counted.",
            ),
            click.option("--language", help="Of a vocabulary with several languages: which one its titles are."),
            click.option("--quiet", "-q", is_flag=True, help="No progress and no summary."),
        ]
    ):
        command = option(command)
    return command


def target_of(vocab: str | None, language: str | None, titles_from: str | None = None) -> Any:
    """The vocabulary that spans are to name; None for the corpus's own. Raises UsageError for one option alone."""
    from wikiprep.annotate.annotator import TargetVocabulary

    if vocab is not None:
        return TargetVocabulary(vocab, language, titles_from)
    if titles_from is not None or language is not None:
        raise UsageError("--titles-from and --language need --vocab", "spans have the titles of the corpus")
    return None


@click.command("annotate")
@click.argument("corpus", type=click.Path())
@click.option(
    "--input",
    "-i",
    "source",
    required=True,
    type=click.Path(),
    help='JSON lines, or plain text; "-" for standard input.',
)
@click.option("--output", "-o", "target", required=True, type=LINES, help='File to write, "-" for standard output.')
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "text"]),
    help="Of the input; text: each line is a text, blank ones are passed over. [text for names in .txt, else jsonl]",
)
@click.option(
    "--candidates",
    "-k",
    type=click.IntRange(0),
    default=0,
    help="Of each span give so many of the pages that its name can mean, with their priors. [0]",
)
@click.option(
    "--model",
    metavar="RUN",
    type=click.Path(),
    help="A trained model with entities (see predict), which chooses what a name means where no source page is known: "
    "among its candidates, so many as -k says or 30. [the prior chooses]",
)
@click.option("--page-field", default="title", help="Field with the source page, a title or a page id. [title]")
@click.option("--strict", is_flag=True, help="Stop at a line that cannot be used, instead of leaving it out.")
@click.option(
    "--titles-from",
    metavar="CORPUS_OR_QIDS",
    type=click.Path(),
    help="With --vocab: where the titles of links are from that the text has already. [CORPUS]",
)
@rule_options
def command(
    source: str,
    target: str,
    corpus: str,
    form: str | None,
    candidates: int,
    model: str | None,
    page_field: str,
    strict: bool,
    quiet: bool,
    vocab: str | None,
    language: str | None,
    titles_from: str | None,
    **rule: Any,
) -> None:
    """Add entity spans to text, with the mention statistics of CORPUS.

    A line is {"text": "…"}, with "title" where the text is from a page of the corpus, and with "links" that are there
    already. Spans are added to "links". Of a known page, the names are those that it links (appendix C of the LUKE
    paper), whatever their case; else each name means what links on it mean most often.
    """
    from wikiprep.annotate.annotator import Rule
    from wikiprep.applications.annotate_files import annotate_lines

    target_vocabulary = target_of(vocab, language, titles_from)
    if target_vocabulary is not None and candidates:
        raise UsageError("--candidates and --vocab exclude each other", "candidates are pages of the corpus")
    plain = form == "text" or (form is None and ".txt" in PurePath(source.lower()).suffixes)
    if model is None:
        annotation_rule = Rule(**rule, candidates=candidates)
        annotate_lines(
            corpus,
            source,
            target,
            annotation_rule,
            page_field,
            strict=strict,
            quiet=quiet,
            to=target_vocabulary,
            plain=plain,
        )
        return
    with needs_torch():
        from wikiprep.inference.annotate_by_model import annotate_by_model
    annotation_rule = Rule(**rule, candidates=candidates or MOST)
    annotate_by_model(
        model, corpus, source, target, annotation_rule, page_field,
        strict=strict, quiet=quiet, to=target_vocabulary, plain=plain, with_candidates=candidates > 0,
    )  # fmt: skip
