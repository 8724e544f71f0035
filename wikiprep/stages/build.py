"""The one list of stages, in order. Every driver runs this list.

A stage's module is imported when the stage is asked for: `wikiprep extract` and its workers then load nothing of the
tables, tokenizers and records, which is half of what they would load.
"""

from functools import cache
from importlib import import_module

from wikiprep.errors import UsageError
from wikiprep.stages.relation_options import check_relations, relations_of
from wikiprep.units.job import Job
from wikiprep.units.stage import Stage

MENTIONS = ("mention_links", "mention_names", "name_table", "mention_texts", "mentions")  # with --mentions
FROM_DUMP = (
    *("inputs", "properties", "wikidata_merged", "wikidata_read", "wikidata", "template_pages", "definitions"),
    *("snapshot", "copies"),
    *("extract", "pages", "listed", "used_articles", "links", "vocabulary"),
    *MENTIONS,
    *("tokenizer", "records", "relations"),
)
FROM_TEXT = ("inputs", "import", "imported_vocabulary", "tokenizer", "records")

_CLASSES = {
    "inputs": ("inputs", "Inputs"),
    "properties": ("properties", "Properties"),
    "wikidata_merged": ("wikidata_merged", "WikidataMerged"),
    "wikidata_read": ("wikidata_read", "WikidataRead"),
    "wikidata": ("wikidata", "Wikidata"),
    "template_pages": ("template_pages", "TemplatePages"),
    "definitions": ("definitions", "Definitions"),
    "snapshot": ("snapshot", "Snapshot"),
    "copies": ("copies", "Copies"),
    "extract": ("extract", "Extract"),
    "pages": ("pages", "Pages"),
    "listed": ("listed", "Listed"),
    "used_articles": ("used_articles", "UsedArticles"),
    "links": ("links", "Links"),
    "vocabulary": ("vocabulary", "Vocabulary"),
    "mention_links": ("mention_links", "MentionLinks"),
    "mention_names": ("mention_names", "MentionNames"),
    "name_table": ("name_table", "NameTables"),
    "mention_texts": ("mention_texts", "MentionTexts"),
    "mentions": ("mentions", "Mentions"),
    "tokenizer": ("tokenizer", "Tokenizer"),
    "records": ("records", "Records"),
    "relations": ("relations", "Relations"),
    "dense_records": ("records", "DenseRecords"),  # the same stage where it reads the mention table
    "import": ("import_text", "ImportText"),
    "imported_vocabulary": ("import_vocabulary", "ImportVocabulary"),
}


@cache
def stage_by_name(name: str) -> Stage:
    """The stage of that name; KeyError where there is none."""
    module, class_name = _CLASSES[name]
    stage: Stage = getattr(import_module(f"wikiprep.stages.{module}"), class_name)()
    return stage


def stage_modules() -> list[str]:
    """The modules that hold stages."""
    return sorted({f"wikiprep.stages.{module}" for module, _ in _CLASSES.values()})


def stages_of(job: Job) -> list[Stage]:
    """The stages of a job, in order, up to `job.until` ("tables": all before the tokenizer)."""
    left_out = set() if job.config.input.page_props else {"properties"}
    if not job.config.wikidata.wikidata:
        left_out |= {"wikidata_read", "wikidata"}
    if relations_of(job) is None:
        left_out |= {"relations"}
    if not (job.config.wikidata.wikidata and job.config.wikidata.wikidata_redirect):
        left_out |= {"wikidata_merged"}
    if not job.config.leave_out.leave_out:
        left_out |= {"listed", "used_articles"}
    left_out |= set() if job.is_html else {"snapshot", "copies"}
    if job.config.extract.templates != "expand" or job.is_html:
        left_out |= {"template_pages", "definitions"}
    if not (job.config.mentions.mentions or job.config.records.densify):
        left_out |= {*MENTIONS}
    names = [name for name in (FROM_TEXT if job.annotated else FROM_DUMP) if name not in left_out]
    if job.until == "tables":
        return [stage_by_name(name) for name in names[: names.index("tokenizer")]]
    if job.until is not None:
        if job.until not in names:
            raise UsageError(f"no stage {job.until!r} in this build", f"stages are {', '.join(names)}")
        names = names[: names.index(job.until) + 1]
    if "records" in names:
        check_relations(job)
    if job.config.records.densify and "records" in names:
        if "mentions" not in names:
            raise UsageError("--densify needs the mention statistics of a dump", "give --mentions and a dump")
        names[names.index("records")] = "dense_records"
    return [stage_by_name(name) for name in names]


def rests_on(stage: Stage, job: Job) -> tuple[str, ...]:
    """The stages of the job that `stage` needs, those that these need, and so on, in order: whose files it may read."""
    stages = stages_of(job)
    needed = set(stage.needs)
    for earlier in reversed(stages):
        if earlier.name in needed:
            needed |= set(earlier.needs)
    return tuple(earlier.name for earlier in stages if earlier.name in needed)
