"""What can be known to fail at the end is tried at the beginning: before hours of work, not after."""

from collections.abc import Sequence
from pathlib import Path

from wikiprep.errors import UsageError
from wikiprep.stages.job import Job
from wikiprep.stages.stage import Stage


def check_before(stages: Sequence[Stage], job: Job) -> None:
    """Raises UsageError or WikiprepError for a tokenizer that cannot be loaded or a white list that cannot be read."""
    names = {stage.name for stage in stages}
    spec = job.config.tokenizer.tokenizer
    if "tokenizer" in names and spec is not None:
        from wikiprep.corpus.tokenizers import load_tokenizer
        from wikiprep.stages.tokenizer import trained_size

        if trained_size(spec) is None:
            load_tokenizer(spec)
    white_list = job.config.vocabulary.white_list
    if "vocabulary" in names and white_list is not None and not Path(white_list).is_file():
        raise UsageError(f"{white_list}: no such file", "--white-list takes a text file, one title a line")
