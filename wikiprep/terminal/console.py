"""The console that shows a corpus on standard output; on it, at the end of a build, what was made and dropped."""

from typing import NoReturn

from rich.console import Console
from rich.table import Table

from wikiprep.files import Store
from wikiprep.manifest import Manifest
from wikiprep.units.count_equations import label

_MAX_REASONS = 6  # reasons a line


class Terminal(Console):
    """A reader that has gone (`| head`) is told to the caller: BrokenPipeError."""

    def __init__(self, *, wrap: bool = False, markup: bool = True) -> None:
        """`wrap`: to the width of the terminal; else lines are as long as they are. `markup`: see rich."""
        super().__init__(highlight=False, soft_wrap=not wrap, markup=markup)

    def on_broken_pipe(self) -> NoReturn:
        """Called while the error is handled; rich itself would exit with code 1, which says that something failed."""
        raise BrokenPipeError


def print_summary(store: Store, manifest: Manifest, state: str) -> None:
    """On standard output, as a table. `state`: "built", "mended" or "was complete already"."""
    console = Terminal(wrap=True)
    table = Table(title=f"{store.url}: {state}", title_justify="left")
    table.add_column("what")
    table.add_column("count", justify="right")
    table.add_column("of these", overflow="fold")
    for equation in manifest.equations:
        terms = sorted(equation.parts.items(), key=lambda item: (-item[1], item[0]))
        terms = [(key, n) for key, n in terms if n]
        reasons = [f"{label(equation.whole, key)} {n:,}" for key, n in terms[:_MAX_REASONS]]
        if len(terms) > _MAX_REASONS:
            reasons.append(f"{len(terms) - _MAX_REASONS} more in manifest.json")
        if not terms:
            continue  # nothing of it was there
        table.add_row(equation.name, f"{equation.total:,}", ", ".join(reasons))
    console.print(table)
    console.print(f"{len(manifest.files):,} files, {manifest.total_size:,} bytes")
    for warning in manifest.warnings:
        console.print(f"Warning: {warning}")
    if tokenizer := manifest.facts_of("tokenizer").get("taken"):
        console.print(f"Tokenizer: {tokenizer}")
    for stage, facts in manifest.facts.items():
        for page_id, title, reason, detail in facts.get("lost_pages", ())[:10]:
            console.print(f"Warning: page {page_id} ({title}) was given up in {stage}: {reason}, {detail}")
    console.print(_next_steps(store, manifest))


def _next_steps(store: Store, manifest: Manifest) -> str:
    if not manifest.has_stage("records"):
        return f"Next: wikiprep build-corpus with the same dump and options, and --tokenizer, goes on in {store.url}."
    return f"Next: wikiprep verify {store.url}; wikiprep inspect {store.url} --page TITLE; to read it: README.md there."
