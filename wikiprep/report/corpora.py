"""What the corpora are: wiki, date, licence, options that matter, versions."""

from collections.abc import Sequence

from wikiprep.corpus.record_counts import RECORDS_WRITTEN
from wikiprep.dump.file_names import dump_date
from wikiprep.report.blocks import Cell, Section, comparison_table
from wikiprep.report.corpus import ReportCorpus
from wikiprep.runtime.dataset_card import licence, rules_of_build
from wikiprep.tables.choose_entities import ENTITIES


def about(corpora: Sequence[ReportCorpus]) -> Section:
    """The first section."""
    section = Section("about", "What this is", "")
    section.tables.append(comparison_table("The corpus", "what", {corpus.name: _facts(corpus) for corpus in corpora}))
    for corpus in corpora:
        section.notes += [f"{corpus.name}: {warning}" for warning in corpus.manifest.warnings]
    return section


def _facts(corpus: ReportCorpus) -> dict[str, Cell]:
    manifest, inputs = corpus.manifest, corpus.manifest.inputs
    files = inputs.files
    facts: dict[str, Cell] = {
        "wiki": inputs.of_site("sitename"),
        "database": inputs.of_site("dbname"),
        "address": inputs.of_site("base"),
        "language": inputs.language,
        "dump": ", ".join(file.name for file in files[:3]) + (f" and {len(files) - 3} more" if files[3:] else ""),
        "dump date": dump_date(files[0].name) if files else None,
        "newest revision": manifest.facts_of("extract").get("newest_revision"),
        "licence": licence(inputs),
        "made with": rules_of_build(manifest).replace("`", ""),
        "entities of the vocabulary": corpus.counts("vocabulary").get(ENTITIES),
        "records": corpus.counts("records").get(RECORDS_WRITTEN),
        "bytes": manifest.total_size,
        "files": len(manifest.files),
        "absent parts of the dump": ", ".join(inputs.missing_parts or ()) or None,
        "known damage": "; ".join(inputs.known_damage or ()) or None,
        "versions": manifest.versions_line,
    }
    # Numbers among words stand as words do.
    return {k: f"{v:,}" if isinstance(v, int) else v for k, v in facts.items() if v is not None}
