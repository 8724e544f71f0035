"""What a person sees at the end of a build: what was made, what was dropped and why, and what to do next."""

from collections.abc import Mapping

from rich.table import Table

from wikiprep.files import Store
from wikiprep.local.terminal import Terminal
from wikiprep.stages.accounts import label
from wikiprep.stages.stage import Commit

_SHOWN = 6  # reasons a line


def print_summary(store: Store, commits: Mapping[str, Commit], state: str) -> None:
    """On standard output, as a table. `state`: "built", "mended" or "was complete already"."""
    console = Terminal(wrap=True)
    files = [
        f for commit in commits.values() for r in commit.results for f in r.files if not f.path.startswith("_state/")
    ]
    table = Table(title=f"{store.url}: {state}", title_justify="left")
    table.add_column("what")
    table.add_column("count", justify="right")
    table.add_column("of these", overflow="fold")
    for commit in commits.values():
        for equation in commit.equations:
            terms = sorted(equation.terms(commit.counts).items(), key=lambda item: (-item[1], item[0]))
            terms = [(key, n) for key, n in terms if n]
            shown = [f"{label(equation.whole, key)} {n:,}" for key, n in terms[:_SHOWN]]
            if len(terms) > _SHOWN:
                shown.append(f"{len(terms) - _SHOWN} more in manifest.json")
            if not terms:
                continue  # nothing of it was there
            table.add_row(equation.name, f"{commit.counts.get(equation.whole, 0):,}", ", ".join(shown))
    console.print(table)
    console.print(f"{len(files):,} files, {sum(f.size for f in files):,} bytes")
    for commit in commits.values():
        for warning in commit.warnings:
            console.print(f"Warning: {warning}")
    for stage, commit in commits.items():
        for page_id, title, reason, detail in commit.facts.get("lost_pages", ())[:10]:
            console.print(f"Warning: page {page_id} ({title}) was given up in {stage}: {reason}, {detail}")
    console.print(_next_steps(store, commits))


def _next_steps(store: Store, commits: Mapping[str, Commit]) -> str:
    if "records" not in commits:
        return f"Next: wikiprep build-corpus with the same dump and options, and --tokenizer, goes on in {store.url}."
    return f"Next: wikiprep verify {store.url}; wikiprep inspect {store.url} --page TITLE; to read it: README.md there."
