"""What can be known to fail at the end is tried at the beginning: before hours of work, not after.

And how a dump is divided among workers is told, in words, while another file can still be fetched.
"""

from collections.abc import Sequence

from wikiprep.dump.ranges import plan_ranges
from wikiprep.dump.source import is_file
from wikiprep.dump.whole_dump import WholeDump, missing_in_words
from wikiprep.errors import UsageError
from wikiprep.parsoid.names import LINES
from wikiprep.units.job import Job
from wikiprep.units.stage import Stage

_WORTH_TELLING = 1_000_000_000  # bytes of a snapshot
_WORTH_DIVIDING = 4_000_000  # bytes of bz2: less is done before a second worker has started


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


def division_in_words(job: Job) -> list[str]:
    """Lines for the user: the number of units, and what to do where a file gives only one worker something to do."""
    if job.annotated:
        return []
    if job.is_html:
        return _html_lines(job)
    megabytes = job.config.input.range_mb
    count = len(plan_ranges(job.parts, int(megabytes * 1e6)))
    files = f"{len(job.parts)} files" if len(job.parts) > 1 else "one file"
    lines = [f"the dump, {files}, is read in {count} {'unit' if count == 1 else 'units'} of work"]
    lines += _dump_state_lines(job.dump)
    whole = [part for part in job.parts if not part.splittable]
    if whole:
        kinds = ", ".join(sorted({"UTF-16" if part.utf16 else part.compression for part in whole}))
        lines.append(
            f"advice: {kinds} cannot be divided: one worker reads a whole file, however many there are. bz2, plain XML "
            "or a dump of many files is read by all"
        )
    elif count == 1 and job.parts[0].size >= _WORTH_DIVIDING:
        size = job.parts[0].size / 1e6
        lines.append(f"advice: one unit is work for one worker; --range-mb under {size:.3g} gives more of them")
    return lines


def _html_lines(job: Job) -> list[str]:
    """Units are known once the snapshot is cut."""
    size, has_lines = sum(part.size for part in job.parts), any(part.form == LINES for part in job.parts)
    what = f"{len(job.parts)} files" if len(job.parts) > 1 else "one file" if has_lines else "a folder"
    lines = [f"the pages are HTML, {what}, and are read in pieces of {job.config.input.range_mb:g} MB"]
    if has_lines and size >= _WORTH_TELLING:
        lines.append(
            f"advice: a snapshot is unpacked once, by one worker a file, and takes about {size / 1e9:,.1f} GB in "
            f"{job.output}/_state/snapshot"
        )
    return lines


def _dump_state_lines(dump: WholeDump) -> list[str]:
    """What is known of the dump before it is read: what is absent, damaged, or cannot be told."""
    lines = [f"warning: {missing_in_words(dump.missing)}"] if dump.missing else []
    lines += [f"warning: {line}" for line in dump.damage]
    if dump.checksums and not any(dump.expected(part.path) for part in dump.parts):
        lines.append(f"advice: {dump.checksums[0].path} names none of the dump's files: is it of another date?")
    elif dump.may_lack_parts:
        lines.append(
            "advice: no checksum file lies beside the dump, so that nobody can tell whether all of its parts are here: "
            "fetch SHA256SUMS of the same folder"
        )
    return lines
