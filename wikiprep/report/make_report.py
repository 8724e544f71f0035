"""The report of one corpus, or of two, as one file of HTML."""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import whole_file
from wikiprep.report.ambiguous_names import ambiguous_names
from wikiprep.report.blocks import Section, make_paragraph_visible, make_visible
from wikiprep.report.corpora import about
from wikiprep.report.corpus import ReportCorpus, open_corpora
from wikiprep.report.costs import costs
from wikiprep.report.coverage import coverage
from wikiprep.report.funnels import funnels
from wikiprep.report.kinds import kinds
from wikiprep.report.lengths import lengths, sample_notes
from wikiprep.report.pages import BUDGET, ShownPage, random_pages
from wikiprep.report.rejects import rejects
from wikiprep.report.relations import relations
from wikiprep.report.runs import LoggedRun, open_runs, training
from wikiprep.report.sampling import SampledArticles, read_articles
from wikiprep.report.templates import templates
from wikiprep.report.zipf import zipf
from wikiprep.version import wikiprep_version

LIMIT = 5_000_000  # bytes of the file


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What a report is to be of. `pages`: random pages of each corpus."""

    corpus: str
    compare: str | None = None
    runs: Sequence[str] = ()
    pages: int = 20
    seed: int = 0


def write_report(options: ReportOptions, output: str) -> int:
    """Write the file, whole or not at all; returns its bytes.

    The same corpora, logs, options and versions give the same bytes. Raises UsageError where a library is missing or a
    run has no log, WikiprepError for a folder that is no finished corpus, for damage, and for a file over LIMIT.
    """
    for package in ("jinja2", "matplotlib"):
        if find_spec(package) is None:
            raise UsageError(f"{package} is not installed", 'pip install "wikiprep[report]"')
    corpora, runs = open_corpora(options.corpus, options.compare), open_runs(options.runs)
    html = _html(corpora, runs, options).encode()
    if len(html) >= LIMIT:
        raise WikiprepError(
            f"{output}: would be {len(html):,} bytes, over the {LIMIT:,} that open well everywhere",
            "give fewer --run, or a smaller --pages",
        )
    with whole_file(Path(output)) as file:
        file.write(html)
    return len(html)


def _html(corpora: Sequence[ReportCorpus], runs: Sequence[LoggedRun], options: ReportOptions) -> str:
    articles = {c.name: read_articles(c, options.seed) for c in corpora if c.parts("articles")}
    length_section = lengths(corpora, articles, options.seed)
    length_section.notes += sample_notes(corpora, articles)
    sections = [
        about(corpora),
        funnels(corpora),
        coverage(corpora),
        zipf(corpora),
        length_section,
        kinds(corpora, articles),
        templates(corpora),
        rejects(corpora),
        ambiguous_names(corpora),
        relations(corpora),
        costs(corpora),
    ]
    if runs:
        sections.append(training(runs))
    pages, notes = _pages(corpora, articles, options)
    title = " and ".join(corpus.name for corpus in corpora)
    return render(title, sections, pages, notes, options.seed)


def _pages(
    corpora: Sequence[ReportCorpus], articles: dict[str, SampledArticles], options: ReportOptions
) -> tuple[list[ShownPage], list[str]]:
    pages, notes = list[ShownPage](), list[str]()
    for corpus, letter in zip(corpora, "ab", strict=False):
        if corpus.name not in articles:
            notes.append(corpus.lacks("articles", "there is no page to show"))
            continue
        budget = BUDGET // len(corpora)
        corpus_pages, corpus_notes = random_pages(
            corpus, articles[corpus.name], options.pages, options.seed, budget, letter
        )
        pages += corpus_pages
        notes += corpus_notes
    return pages, notes


def render(title: str, sections: Sequence[Section], pages: Sequence[ShownPage], notes: Sequence[str], seed: int) -> str:
    """The HTML. `notes` stand above the pages."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("wikiprep.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["cell"] = _format_cell
    environment.filters |= {"shown": make_visible, "shown_text": make_paragraph_visible}
    script, style = (_read_resource(name) for name in ("report.js", "report.css"))
    return environment.get_template("report.html.j2").render(
        title=title,
        sections=sections,
        pages=pages,
        page_notes=notes,
        seed=seed,
        script=script,
        style=style,
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        version=wikiprep_version(),
        several=len({page.corpus for page in pages}) > 1,
    )


def _read_resource(name: str) -> str:
    return resources.files("wikiprep.report").joinpath(name).read_text(encoding="utf-8")


def _format_cell(value: Any) -> str:
    """A number as it is read; text with unseen characters made visible."""
    if value is None or value == "":
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.6g}" if abs(value) < 1e6 else f"{value:,.0f}"
    return make_visible(str(value))
