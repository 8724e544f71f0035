"""What can be known to fail at the end is tried at the beginning: before hours of work, not after."""

from collections.abc import Sequence

from wikiprep.dump.source import is_file
from wikiprep.errors import UsageError
from wikiprep.units.job import Job
from wikiprep.units.stage import Stage


def check_before(stages: Sequence[Stage], job: Job) -> None:
    """Raises UsageError or WikiprepError for a tokenizer that cannot be loaded or a white list that cannot be read."""
    names = {stage.name for stage in stages}
    variant = job.config.extract.variant
    if "extract" in names and variant is not None:
        from wikiprep.wikitext.variants import require_variant

        require_variant(job.language, variant)
    spec = job.config.tokenizer.tokenizer
    if "tokenizer" in names and spec is not None:
        from wikiprep.corpus.tokenizers import load_tokenizer
        from wikiprep.stages.tokenizer import trained_size

        if trained_size(spec) is None:
            load_tokenizer(spec)
    if "listed" in names:
        _check_lists(job)
    vocabulary = job.config.vocabulary.entity_vocab
    if "vocabulary" in names and vocabulary is not None:
        from wikiprep.tables.vocab_files import read_vocabulary

        read_vocabulary(vocabulary, job.language)
    white_list = job.config.vocabulary.white_list
    if "vocabulary" in names and white_list is not None and not is_file(white_list):
        raise UsageError(f"{white_list}: no such file", "--white-list takes a text file, one title a line")


def _check_lists(job: Job) -> None:
    """Every line of the lists can be read, and the build can know what they name."""
    from wikiprep.leave_out.lists import FACT_KINDS, read_lists

    wikidata, items = job.config.wikidata.wikidata, job.config.wikidata.wikidata or job.config.input.page_props
    for entry in read_lists(job.config.leave_out.leave_out):
        if entry.kind == "qid" and not items:
            raise UsageError(
                f"{entry.place}: names an item, but no source of items is given", "give --page-props or --wikidata"
            )
        if entry.kind in FACT_KINDS and not wikidata:
            raise UsageError(f"{entry.place}: names a fact, but Wikidata's dump is not given", "give --wikidata")
