"""What the corpora are: wiki, date, licence, options that matter, versions."""

from collections.abc import Sequence

from wikiprep.corpus.record_counts import RECORDS_WRITTEN
from wikiprep.dump.file_names import dump_date
from wikiprep.report.blocks import Cell, Section, comparison_table
from wikiprep.report.corpus import ReportCorpus, versions
from wikiprep.runtime.dataset_card import licence, rules_of_build
from wikiprep.tables.choose_entities import ENTITIES


def about(corpora: Sequence[ReportCorpus]) -> Section:
    """The first section."""
    section = Section("about", "What this is", "")
    section.tables.append(comparison_table("The corpus", "what", {corpus.name: _facts(corpus) for corpus in corpora}))
    for corpus in corpora:
        section.notes += [f"{corpus.name}: {warning}" for warning in corpus.manifest["warnings"]]
    return section


def _facts(corpus: ReportCorpus) -> dict[str, Cell]:
    manifest, inputs = corpus.manifest, corpus.manifest["inputs"]
    site, files = inputs.get("site", {}), inputs["files"]
    stages = manifest["counts"]
    vocabulary_counts = stages.get("vocabulary", {})
    facts: dict[str, Cell] = {
        "wiki": site.get("sitename"),
        "database": site.get("dbname"),
        "address": site.get("base"),
        "language": inputs["language"],
        "dump": ", ".join(file["name"] for file in files[:3]) + (f" and {len(files) - 3} more" if files[3:] else ""),
        "dump date": dump_date(files[0]["name"]) if files else None,
        "newest revision": manifest["facts"].get("extract", {}).get("newest_revision"),
        "licence": licence(inputs),
        "made with": rules_of_build(manifest).replace("`", ""),
        "entities of the vocabulary": vocabulary_counts.get(ENTITIES),
        "records": stages.get("records", {}).get(RECORDS_WRITTEN),
        "bytes": sum(corpus.sizes.values()),
        "files": len(corpus.sizes),
        "absent parts of the dump": ", ".join(inputs.get("missing_parts", ())) or None,
        "known damage": "; ".join(inputs.get("known_damage", ())) or None,
        "versions": versions(manifest),
    }
    # Numbers among words stand as words do.
    return {k: f"{v:,}" if isinstance(v, int) else v for k, v in facts.items() if v is not None}
