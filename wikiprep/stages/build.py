"""The one list of stages, in order. Every driver runs this list."""

from functools import cache

from wikiprep.errors import UsageError
from wikiprep.stages.extract import Extract
from wikiprep.stages.import_text import ImportText
from wikiprep.stages.import_vocabulary import ImportVocabulary
from wikiprep.stages.inputs import Inputs
from wikiprep.stages.job import Job
from wikiprep.stages.links import Links
from wikiprep.stages.pages import Pages
from wikiprep.stages.properties import Properties
from wikiprep.stages.records import Records
from wikiprep.stages.stage import Stage
from wikiprep.stages.tokenizer import Tokenizer
from wikiprep.stages.vocabulary import Vocabulary

FROM_DUMP: tuple[type[Stage], ...] = (Inputs, Properties, Extract, Pages, Links, Vocabulary, Tokenizer, Records)
FROM_TEXT: tuple[type[Stage], ...] = (Inputs, ImportText, ImportVocabulary, Tokenizer, Records)


@cache
def stage_named(name: str) -> Stage:
    """The stage of that name; KeyError where there is none."""
    return {stage.name: stage for stage in (*FROM_DUMP, *FROM_TEXT)}[name]()


def stages_of(job: Job) -> list[Stage]:
    """The stages of a job, in order, up to `job.until`."""
    names = [stage.name for stage in (FROM_TEXT if job.annotated else FROM_DUMP)]
    if not job.config.input.page_props and "properties" in names:
        names.remove("properties")
    if job.until is not None:
        if job.until not in names:
            raise UsageError(f"no stage {job.until!r} in this build", f"stages are {', '.join(names)}")
        names = names[: names.index(job.until) + 1]
    return [stage_named(name) for name in names]
