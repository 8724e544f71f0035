"""What a person sees at the end of a build: what was made, what was dropped and why, and what to do next."""

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table

from wikiprep.files import Store
from wikiprep.stages.stage import Commit

_SHOWN = 6  # reasons a line


def print_summary(store: Store, commits: Mapping[str, Commit], unchanged: bool) -> None:
    """On standard output, as a table."""
    console = Console(highlight=False)
    files = [
        f for commit in commits.values() for r in commit.results for f in r.files if not f.path.startswith("_state/")
    ]
    table = Table(title=f"{store.url}: {'was complete already' if unchanged else 'built'}", title_justify="left")
    table.add_column("what")
    table.add_column("count", justify="right")
    table.add_column("of these", overflow="fold")
    for commit in commits.values():
        for equation in commit.equations:
            terms = sorted(equation.terms(commit.counts).items(), key=lambda item: (-item[1], item[0]))
            shown = [f"{_plain(key)} {n:,}" for key, n in terms[:_SHOWN] if n]
            if len(terms) > _SHOWN:
                shown.append(f"{len(terms) - _SHOWN} more reasons in manifest.json")
            table.add_row(equation.name, f"{commit.counts.get(equation.whole, 0):,}", ", ".join(shown))
    console.print(table)
    console.print(f"{len(files):,} files, {sum(f.size for f in files):,} bytes")
    for commit in commits.values():
        for warning in commit.warnings:
            console.print(f"Warning: {warning}")
    lost = commits["extract"].facts["lost_pages"] if "extract" in commits else []
    for page_id, title, reason, detail in lost[:10]:
        console.print(f"Warning: page {page_id} ({title}) was given up: {reason}, {detail}")
    console.print(_next_steps(store, commits))


def _plain(key: str) -> str:
    return key.split(".", 1)[-1].removeprefix("dropped.").replace("_", " ").replace(".", ": ")


def _next_steps(store: Store, commits: Mapping[str, Commit]) -> str:
    if "records" not in commits:
        return f"Next: wikiprep build-corpus … --output {store.url} --tokenizer … goes on from here."
    return f"Next: wikiprep verify {store.url}; wikiprep inspect {store.url} --page TITLE; to read it: README.md there."
