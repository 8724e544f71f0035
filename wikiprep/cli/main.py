"""The `wikiprep` command. Subcommands are imported when they are asked for: `--help` is quick and imports little."""

import contextlib
import importlib
import io
import os
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import click

from wikiprep.cli.common_options import common_options, tell_cost, with_common_options
from wikiprep.cli.completion import COMPLETE_VAR
from wikiprep.cli.output import STDOUT, discard_output, flush_output, name_output
from wikiprep.disk_errors import FREE_SPACE, failed_path, is_full
from wikiprep.errors import WikiprepError
from wikiprep.process import leave_pandas_out
from wikiprep.suggestions import nearest
from wikiprep.verbosity import TRACEBACK, Verbosity, set_verbosity, verbosity

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

GONE = 141  # as a shell says of a process that SIGPIPE ended

# name -> (module, one line of help); the module's `command` is the click command.
COMMANDS = {
    "download": ("download", "Download the dump of a wiki by its name: simplewiki, enwiki."),
    "build-corpus": ("build_corpus", "Turn a dump into a corpus: articles, tables, tokenizer, records."),
    "extract": ("extract", "Only the articles of a dump."),
    "tables": ("tables", "Articles, and the tables of pages, redirects and entities."),
    "records": ("records", "Up to the records; or records of annotated text from elsewhere."),
    "inspect": ("inspect", "Show text and records of a page, mentions in colour."),
    "report": ("report", "Show a corpus as one HTML file: counts, pictures, random pages."),
    "templates": ("templates", "Show which templates a dump uses most, and what becomes of them."),
    "wikitext": ("wikitext", "Show what the extractor makes of a piece of wikitext."),
    "mentions": ("mentions", "Show what a name can mean, with its counts."),
    "annotate": ("annotate", "Add entity spans to any text."),
    "annotate-squad": ("annotate_squad", "Add entity spans to SQuAD's passages and questions."),
    "export-mentions": ("export_mentions", "Write the mention table for REL, or as tab-separated lines."),
    "export-links": ("export_links", "Write every link of the text as a table: where it leads, why it was lost."),
    "export-triples": (
        "export_triples",
        "Write Wikidata's triples for knowledge-graph tools, split to train and test.",
    ),
    "export-relations": (
        "export_relations",
        "Write records with relations as JSON lines: QIDs, properties, characters.",
    ),
    "export-dataset": ("export_dataset", "Write a corpus for the Hugging Face hub: Parquet, card, Croissant."),
    "export-spacy": ("export_spacy", "Write names and entities as spaCy's knowledge base or patterns."),
    "convert": ("convert", "Write the records as shards of another library: MDS of mosaicml-streaming."),
    "kg-embed": ("kg_embed", "Train vectors of a knowledge graph: TransE, RotatE, PairRE, …, by PyKEEN."),
    "kg-neighbours": ("kg_neighbours", "Show the entities nearest to where a relation leads from a word."),
    "kg-attention": ("kg_attention", "Show what words attend to in a model with a knowledge graph."),
    "kg-weights": ("kg_weights", "Weigh words by their neighbours in WordNet, for informed masking."),
    "merge-vocabularies": ("merge_vocabularies", "One entity vocabulary for several wikis, by Wikidata item."),
    "export-hf": ("export_hf", "Write a trained LUKE for Hugging Face's transformers."),
    "coverage": ("coverage", "Show which share of links a vocabulary of each size covers."),
    "changes": ("changes", "Show which entities a newer build added, removed and renamed."),
    "qids": ("qids", "Page id and title to Wikidata item, from SQL tables alone."),
    "pretrain": ("pretrain", "Train a model on the records of a corpus."),
    "evaluate": ("evaluate", "Show how good a trained model is on held-out pages, beside the mention prior."),
    "predict": ("predict", "Show which entities mentions of a text mean to a trained model."),
    "embed": ("embed", "Write vectors of words, spans and entities of a trained model."),
    "finetune": ("finetune", "Train an encoder on a task, and score it beside what was published."),
    "score": ("score", "Score predictions of a public task as its official scorer does, beside published figures."),
    "results": ("results", "Print a table of fine-tuned runs: seeds, ablations, and the published rows."),
    "cluster": ("cluster", "Cluster frozen vectors of entities or relations, beside what was published."),
    "picture": ("picture", "Draw frozen vectors of entities or relations in two dimensions, by UMAP."),
    "verify": ("verify", "Check checksums and sums of a corpus."),
    "docs": ("docs", "Show a page of the documentation, or list them."),
    "version": ("version", "Print versions and the environment, for a bug report."),
    "completion": ("completion", "Print the script that completes commands and options in a shell."),
}
# The commands by what they are for, in the order of work: how `wikiprep --help` shows them.
GROUPS = {
    "Get and build": ("download", "build-corpus", "extract", "tables", "records", "merge-vocabularies", "qids"),
    "Look and check": (*("report", "inspect", "mentions", "coverage", "changes", "templates", "wikitext", "verify"),),
    "Mark entities in text": ("annotate", "annotate-squad"),
    "Write for other tools": (
        *("export-dataset", "export-hf", "export-links", "export-mentions", "export-relations", "export-spacy"),
        *("export-triples", "convert"),
    ),
    "Train and ask a model": ("pretrain", "evaluate", "predict", "embed"),
    "Tasks and figures": ("finetune", "score", "results", "cluster", "picture"),
    "Knowledge graphs": ("kg-embed", "kg-neighbours", "kg-attention", "kg-weights"),
    "wikiprep itself": ("docs", "completion", "version"),
}
# What `wikiprep` alone says.
FIRST_STEPS = """\
wikiprep turns a Wikipedia dump into an entity-annotated pretraining corpus, and trains models on it.

A corpus without a dump, in a minute, and a page of it:
  wikiprep build-corpus --sample --output corpus
  wikiprep inspect corpus --page "Galileo Galilei"

A real one, of a small wiki: what it would take, then download and build.
  wikiprep download simplewiki --dry-run
  wikiprep build-corpus simplewiki --output simple --tokenizer train:30000

All commands:        wikiprep --help      Options of one:  wikiprep build-corpus --help
Completion by Tab:   eval "$(wikiprep completion bash)"    (or zsh, fish)
Documentation:       wikiprep docs
"""


@contextlib.contextmanager
def _exit_if_pipe_broken() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        discard_output()
        sys.exit(GONE)


class LazyGroup(click.Group):
    """A group that knows its commands' names and imports one when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of work, not of the alphabet."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"wikiprep.cli.{COMMANDS[cmd_name][0]}")
        return with_common_options(module.command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """With a suggestion where the name is nearly one of ours."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            near = nearest(args[0], COMMANDS)
            hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; where the reader of our output (`| head`) is gone, exit with the code GONE."""
        start = time.monotonic()
        try:
            with _exit_if_pipe_broken():
                return super().invoke(ctx)
        finally:
            tell_cost(start)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Likewise, since this prints the help. The verbosity is reset first."""
        set_verbosity(Verbosity.NORMAL)
        with _exit_if_pipe_broken():
            return super().make_context(*args, **extra)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """From the table above, by what they are for, so that help imports no command."""
        width = max(map(len, COMMANDS))
        for title, names in group_commands(list(COMMANDS)).items():
            with formatter.section(title):
                formatter.write_dl(
                    [(name, COMMANDS[name][1]) for name in names],
                    col_max=width,
                    col_spacing=2 + width - max(map(len, names)),
                )

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list["CompletionItem"]:
        """Complete from the table above: click would import every command for its help."""
        from click.shell_completion import CompletionItem

        names = [CompletionItem(name, help=text) for name, (_, text) in COMMANDS.items() if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    invoke_without_command=True,
    params=common_options(),
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Turn a Wikipedia dump into an entity-annotated pretraining corpus, and train on it.

    `wikiprep` alone says what to do first. Every command has -h, -q, -v and --version. Exit codes: 0 done, 1 a finding
    or a failure (damage, a full disk), 2 a wrong command or a path that is not there.
    """
    if ctx.invoked_subcommand is None:
        click.echo(FIRST_STEPS, nl=False)


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """Entry point: errors meant for the user are one message and an exit code, never a traceback."""
    leave_pandas_out()
    name_output()
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="replace")
    # A terminated build (a cluster's time limit, `kill`) ends as tidily as an interrupted one.
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        try:
            cli.main(standalone_mode=False, complete_var=COMPLETE_VAR)
        finally:
            flush_output()
    except WikiprepError as error:
        if verbosity() is Verbosity.VERBOSE:
            traceback.print_exc()
        click.echo(f"wikiprep: {error}", err=True)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        click.echo("wikiprep: interrupted; finished units are kept, the same command goes on", err=True)
        sys.exit(130)
    except OSError as error:
        if error.filename == STDOUT:
            _report_output_failure(error)
        # A disk, a path or a network that fails where nobody looked for it: still no fault of the code.
        full, path = is_full(error), failed_path(error)
        if (path is None and not full) or os.environ.get(TRACEBACK):
            raise
        where = "" if path is None else f"{path}: "
        hint = FREE_SPACE if full else "check the path and the disk"
        click.echo(f"wikiprep: {where}{error.strerror}\n  {hint}", err=True)
        sys.exit(2 if isinstance(error, (FileNotFoundError, NotADirectoryError, IsADirectoryError)) else 1)


def _report_output_failure(error: OSError) -> NoReturn:
    discard_output()
    if isinstance(error, BrokenPipeError):
        sys.exit(GONE)
    click.echo(f"wikiprep: {STDOUT}: {error.strerror}\n  free some space, or send it to another place", err=True)
    sys.exit(1)


def group_commands(names: list[str]) -> dict[str, list[str]]:
    """The commands `names` by section; what has no section is in the last."""
    sections = {title: [name for name in section if name in names] for title, section in GROUPS.items()}
    placed_names = {name for section in sections.values() for name in section}
    *_, last = sections
    sections[last] += [name for name in names if name not in placed_names]
    return sections
