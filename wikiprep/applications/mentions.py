"""Mention statistics: a name's on the terminal or as JSON, raw counts first, then ratios; all of them as an export."""

from dataclasses import asdict
from typing import Any

import orjson
import pyarrow.parquet as pq
from rich.table import Table

from wikiprep.api.corpus import Corpus
from wikiprep.api.mentions import Mentions
from wikiprep.errors import WikiprepError
from wikiprep.files import Store, whole_file, whole_path
from wikiprep.runtime.output_folder import must_be_outside
from wikiprep.tables.mentions.export import REL_CANDIDATES, names_of, write_rel, write_tsv
from wikiprep.tables.mentions.mention_table import MIN_LINK_PROBABILITY, Candidate, MentionTable, NameCounts
from wikiprep.terminal.command_progress import show_progress
from wikiprep.terminal.console import Terminal
from wikiprep.terminal.wording import plural, printable
from wikiprep.verbosity import tell

MARKS = {"is_title": "title", "is_redirect_title": "redirect", "is_disambiguation_title": "disambiguation"}
_TABLE = "tables/mentions.parquet"


def show_mentions(corpus: Corpus, name: str, most: int, folded: bool, as_json: bool) -> None:
    """Print `most` candidates of a name. Raises WikiprepError for a name that the corpus does not know."""
    table = corpus.mentions
    counts = table.counts(name, folded=folded)
    if counts is None:
        raise WikiprepError(f"{corpus.path}: no name {name!r}", _hint(table, name))
    candidates, entropy = table.candidates(name, folded=folded), table.entropy(name, folded=folded)
    top_candidates = table.candidates(name, most, folded=folded)
    if as_json:
        data = _as_json(counts, entropy, len(candidates), top_candidates)
        print(orjson.dumps(data, option=orjson.OPT_INDENT_2).decode())
        return
    console = Terminal()
    console.print(
        f"[bold]{_escape_markup(counts.name)}[/bold]" + (" (whatever the case and the signs)" if folded else "")
    )
    for line in _summary_lines(counts, entropy, len(candidates)):
        console.print(line)
    console.print(_candidate_table(top_candidates))
    if len(candidates) > len(top_candidates):
        console.print(f"{len(candidates) - len(top_candidates):,} more: -k {len(candidates)}")
    others = [form for form in table.forms(name) if folded or form.name != counts.name]
    if others:
        label = "Forms" if folded else "Other forms (--folded takes them together)"
        console.print(f"{label}: {', '.join(f'{_escape_markup(o.name)} {o.text_count:,}' for o in others)}")


def _summary_lines(counts: NameCounts, entropy: float, candidates: int) -> list[str]:
    probability = counts.link_probability
    kept = probability >= MIN_LINK_PROBABILITY
    return [
        f"occurs {counts.text_count:,} times on {counts.text_page_count:,} pages, "
        f"is linked {counts.link_count:,} times on {counts.link_page_count:,} pages",
        f"link probability {probability:.6f} = {counts.link_page_count:,} / {counts.text_page_count:,} pages: "
        + (
            f"kept at the usual threshold of {MIN_LINK_PROBABILITY}, dropped by one above {probability:.6f}"
            if kept
            else f"dropped at the usual threshold of {MIN_LINK_PROBABILITY}, kept by one up to {probability:.6f}"
        ),
        f"{plural(candidates, 'candidate')}, entropy {entropy:.4f} (0: one meaning, 1: all equally common)",
    ]


def _candidate_table(candidates: list[Candidate]) -> Table:
    table = Table()
    for column, side in (("target", "left"), ("page id", "right"), ("links", "right"), ("pages", "right")):
        table.add_column(column, justify=side)  # type: ignore[arg-type]
    table.add_column("prior", justify="right")
    table.add_column("also its", justify="left")
    for candidate in candidates:
        marks = ", ".join(word for mark, word in MARKS.items() if getattr(candidate, mark))
        page = "none" if candidate.page_id is None else str(candidate.page_id)
        counts = (f"{candidate.link_count:,}", f"{candidate.link_page_count:,}", f"{candidate.prior:.4f}")
        table.add_row(_escape_markup(candidate.title), page, *counts, marks)
    return table


def _as_json(counts: NameCounts, entropy: float, candidates: int, top_candidates: list[Candidate]) -> dict[str, Any]:
    return {
        **asdict(counts),
        "link_probability": counts.link_probability,
        "entropy": entropy,
        "candidate_count": candidates,
        "candidates": [asdict(one) for one in top_candidates],
    }


def _hint(table: Mentions, name: str) -> str:
    spaced = name.replace("_", " ")
    if spaced != name:
        suggestion = f": {spaced!r} is one" if table.counts(spaced) is not None else f", such as {spaced!r}"
        return f"names stand as in text, with spaces and no underscores{suggestion}"
    forms = [form.name for form in table.forms(name)]
    if table.candidates(name):
        return "without a letter or a digit it is not counted as a name, though a page is called so"
    if forms:
        return f"--folded finds it in another form: {', '.join(forms[:5])}"
    if near := table.near(name):
        return f"near names are {', '.join(map(repr, near))}"
    return "no link stands on it and no page, redirect or disambiguation page is called so; names stand as in text"


def _escape_markup(text: str) -> str:
    """A title is text, not markup."""
    from rich.markup import escape

    return escape(printable(text))


def export_mentions(corpus: str, form: str, target: str, most: int | None, min_link_probability: float) -> None:
    """Write `target` in the form "rel" or "tsv". Raises WikiprepError for a corpus without mention statistics."""
    must_be_outside(target, corpus)
    MentionTable.open(corpus)  # says what is missing
    source = Store(corpus).fetch(_TABLE)
    row_count = pq.read_metadata(source).num_rows
    with show_progress(target=target) as progress, progress.part("names", row_count, "row") as advance:
        if form == "rel":
            with whole_path(target) as path:
                name_rows = names_of(source, most or REL_CANDIDATES, min_link_probability, advance)
                names, rows = write_rel(path, name_rows)
        else:
            with whole_file(target) as file:
                names, rows = write_tsv(file, names_of(source, most, min_link_probability, advance))
    tell(f"{target}: {plural(names, 'name')}, {plural(rows, 'candidate')}")
