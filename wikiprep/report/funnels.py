"""From the dump to the records: how many pages, links and sentences each step keeps, and every sum of the manifest."""

from collections.abc import Callable, Mapping, Sequence

from wikiprep.corpus.record_counts import LINKS_ENTITY, SENTENCES_FOUND, SENTENCES_KEPT
from wikiprep.counts import Count
from wikiprep.leave_out import filtered_articles as left_out
from wikiprep.report.blocks import Cell, Figure, Section, Table, percent
from wikiprep.report.charts import Axis, Bars, draw_bars
from wikiprep.report.corpus import ReportCorpus
from wikiprep.report.themed_svg import inline
from wikiprep.stages import extract_counts as extract
from wikiprep.stages.records_part import PAGES_USED
from wikiprep.tables.choose_entities import COVERED, LOST
from wikiprep.units.count_equations import label

Step = tuple[str, int]


def funnels(corpora: Sequence[ReportCorpus]) -> Section:
    """Pages, links and sentences as bars, then all equations."""
    section = Section(
        "funnel",
        "From the dump to the records",
        "What each step keeps of the one before it. What it loses, and why, stands in the sums below: they all close.",
    )
    for key, title, steps in (("pages", "Pages", _pages), ("links", "Links", _links), ("texts", "Sentences", _texts)):
        steps_by_corpus = {corpus.name: steps(corpus.manifest.counts) for corpus in corpora}
        if any(len(step_list) > 1 for step_list in steps_by_corpus.values()):
            section.figures.append(_figure(key, title, steps_by_corpus))
        else:
            section.notes.append(f"{title}: nothing was counted here (the build ended before, or was of own text).")
    section.tables += [_equation_table(corpus, len(corpora) > 1) for corpus in corpora]
    return section


def _figure(key: str, title: str, steps_by_corpus: Mapping[str, Sequence[Step]]) -> Figure:
    names = list(dict.fromkeys(name for steps in steps_by_corpus.values() for name, _ in steps))
    counts = {corpus: dict(steps) for corpus, steps in steps_by_corpus.items()}
    bars = [Bars(corpus, [step_counts.get(name) for name in names]) for corpus, step_counts in counts.items()]
    columns, rows = ["step"], [list[Cell]([name]) for name in names]
    for corpus, step_counts in counts.items():
        columns += [corpus, f"{corpus}, % of the first"]
        first_count = next(iter(step_counts.values()), 0)
        for row, name in zip(rows, names, strict=True):
            count = step_counts.get(name)
            row += [count, None if count is None or not first_count else percent(count / first_count)]
    ranges = "; ".join(
        f"{corpus}: {steps[0][1]:,} to {steps[-1][1]:,}" for corpus, steps in steps_by_corpus.items() if steps
    )
    summary = f"{title} by step. {ranges}"
    svg = inline(draw_bars(names, bars, Axis(title.lower())), f"funnel-{key}", summary)
    return Figure(title, summary, svg, Table(f"{title} by step", columns, rows))


def _pages(counts: Mapping[str, Mapping[Count, int]]) -> list[Step]:
    extract_counts, used_counts = counts.get("extract", {}), counts.get("used_articles", {})
    return _steps(
        ("in the dump", extract_counts, lambda c: c[extract.PAGES_READ]),
        ("articles and redirects", extract_counts, _titles),
        ("articles, disambiguation", extract_counts, lambda c: _sum_of(c, extract.ARTICLES, extract.DISAMBIGUATIONS)),
        ("not left out", used_counts, lambda c: c[left_out.PAGES_USED]),
        ("used for records", counts.get("records", {}), lambda c: c[PAGES_USED]),
    )


def _titles(counts: Mapping[Count, int]) -> int:
    return counts[extract.PAGES_READ] - _sum_of(counts, extract.KINDS["other_namespace"], extract.REJECTED)


def _links(counts: Mapping[str, Mapping[Count, int]]) -> list[Step]:
    vocabulary_counts, used_counts = counts.get("vocabulary", {}), counts.get("used_articles", {})
    return _steps(
        ("in the wikitext", counts.get("extract", {}), lambda c: c[extract.LINKS_FOUND]),
        ("in the text", counts.get("extract", {}), lambda c: c[extract.LINKS_KEPT]),
        ("not left out", used_counts, lambda c: c[left_out.LINKS_USED]),
        ("to a possible entity", vocabulary_counts, lambda c: _sum_of(c, COVERED, LOST.of("outside"))),
        ("to the vocabulary", vocabulary_counts, lambda c: c[COVERED]),
        ("mentions of entities", counts.get("records", {}), lambda c: c[LINKS_ENTITY]),
    )


def _texts(counts: Mapping[str, Mapping[Count, int]]) -> list[Step]:
    record_counts = counts.get("records", {})
    return _steps(
        ("in the text", record_counts, lambda c: c[SENTENCES_FOUND]), ("in records", record_counts, _kept_sentences)
    )


def _kept_sentences(counts: Mapping[Count, int]) -> int:
    return counts[SENTENCES_KEPT]


def _steps(*steps: tuple[str, Mapping[Count, int], Callable[[Mapping[Count, int]], int]]) -> list[Step]:
    """Those whose stage this build has."""
    counted_steps = []
    for name, counts, count_of in steps:
        try:
            counted_steps.append((name, count_of(counts)))
        except KeyError:
            continue
    return counted_steps


def _sum_of(counts: Mapping[Count, int], *keys: Count) -> int:
    """The sum of counts of which the first is there; KeyError where it is not."""
    return counts[keys[0]] + sum(counts.get(key, 0) for key in keys[1:])


def _equation_table(corpus: ReportCorpus, several: bool) -> Table:
    rows: list[list[Cell]] = []
    for equation in corpus.manifest.equations:
        rows.append([equation.name, "all", equation.total])
        rows += [[equation.name, label(equation.whole, key), n] for key, n in equation.parts.items() if n]
    caption = "Every sum of the build" + (f": {corpus.name}" if several else "")
    return Table(caption, ["sum", "part", "count"], rows)
