"""Whether a build makes relations, and which of its options contradict that."""

from dataclasses import fields

from wikiprep.config import RelationsConfig
from wikiprep.errors import UsageError
from wikiprep.units.job import Job


def relations_of(job: Job) -> RelationsConfig | None:
    """The options of relations; None for a build that makes none."""
    has_relations = job.config.wikidata.wikidata is not None and job.config.relations.relations != "none"
    return job.config.relations if has_relations else None


def check_relations(job: Job) -> None:
    """Raises UsageError for options of a build's records that cannot be met together."""
    compat, has_relations = job.config.records.compat, relations_of(job) is not None
    if compat and has_relations:
        raise UsageError(f"--compat {compat} and relations exclude each other", "give --relations none, or no --compat")
    if compat and job.config.records.sentence_records:
        raise UsageError(f"--compat {compat} and --sentence-records exclude each other", "give one of them")
    if has_relations:
        return
    defaults = RelationsConfig()
    changed = [f for f in fields(defaults) if getattr(job.config.relations, f.name) != getattr(defaults, f.name)]
    changed = [f for f in changed if job.config.relations.relations != "none" or f.name != "relations"]
    if changed:
        name = f"relations {job.config.relations.relations}" if changed[0].name == "relations" else changed[0].name
        missing = "relations" if job.config.wikidata.wikidata else "Wikidata"
        way_out = "leave --relations none out" if missing == "relations" else "give --wikidata latest-all.json.bz2"
        raise UsageError(f"[relations] {name.replace('_', '-')} needs {missing}", way_out)
