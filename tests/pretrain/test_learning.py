"""A tiny model really learns: on the whole Latgalian wiki it comes near to the mention prior on held-out pages.

Measured (docs/evaluate.md): 68 % of the prior with the mention's words visible, and with them masked six times the
most frequent entity. The thresholds leave room for other seeds, libraries and machines.
"""

from pathlib import Path

import pytest
from inline import build

from wikiprep.inference.evaluation.run import evaluate_checkpoint
from wikiprep.pretrain.start_training import Command, pretrain

SECTIONS = {
    "tokenizer": {"tokenizer": "train:2000"},
    "vocabulary": {"min_count": 5},
    "records": {"max_seq_length": 34, "include_unk_entities": False},
}


@pytest.mark.slow
def test_learns_what_names_mean_on_pages_it_never_saw(shared_data: Path, tmp_path: Path) -> None:
    corpus, run = tmp_path / "corpus", tmp_path / "run"
    build(corpus, shared_data / "dumps" / "ltgwiki-whole-2004pages.xml.bz2", sections=SECTIONS)
    pretrain(Command(corpora=(str(corpus),), config="tiny-wiki", output=str(run), quiet=True))
    every = evaluate_checkpoint(str(run), [str(corpus)], None, None).rows[0]
    assert every.targets > 200
    assert None not in (every.visible_top1, every.masked_top1, every.mention_prior, every.most_frequent)
    assert every.mention_prior > 0.8 and every.most_frequent < 0.1  # the guesses are what they were
    assert every.visible_top1 > 0.5 * every.mention_prior
    assert every.masked_top1 > 3 * every.most_frequent  # from the sentence alone
    assert every.visible_top1 > every.masked_top1 + 0.1  # and it reads the name
