"""Before a stage a family chooses what makes its losses, by the largest batch, with the probe or without."""

from pathlib import Path

import pytest
import torch
from torch import nn
from toy_family import ToyFamily, make

from wikiprep.pretrain.config import TrainingConfig
from wikiprep.pretrain.data.micro_batches import Cut
from wikiprep.pretrain.data.share import ShareMaker
from wikiprep.pretrain.family import Batch, ChoosesLoss
from wikiprep.pretrain.largest_batch import try_out
from wikiprep.pretrain.parallel import Spread
from wikiprep.pretrain.ranks import Ranks
from wikiprep.records.reader import RecordReader
from wikiprep.records.training_corpus import open_corpus

ALONE = Ranks(0, 1, torch.device("cpu"))


class Choosing(ToyFamily):
    """A family whose losses more than one code can make."""

    def choose_loss(
        self, model: nn.Module, batch: Batch, kind: str, compute: torch.dtype, ranks: Ranks
    ) -> dict[str, object]:
        return {"kind": kind, "compute": str(compute), "positions": self.tokens(batch)[1]}


@pytest.mark.parametrize("probe", [True, False])
def test_a_family_that_chooses_is_asked(sample_corpus: Path, probe: bool) -> None:
    toy = make({}, sample_corpus)
    family = Choosing(**{name: getattr(toy, name) for name in toy.__dataclass_fields__})
    assert isinstance(family, ChoosesLoss) and not isinstance(toy, ChoosesLoss)
    corpus = open_corpus(str(sample_corpus), 0.1)
    longest = [(0, corpus.longest)]
    model = family.build_model(0)
    config = TrainingConfig(precision="float32", cross_entropy="torch", probe=probe)
    makers = [ShareMaker(of, (RecordReader(corpus),), 5, 0, 1, Cut(2000)) for of in (family, toy)]
    made = [try_out(maker, Spread(model, model), longest, config, ALONE) for maker in makers]
    assert made[0]["kind"] == "torch" and made[0]["compute"] == "torch.float32" and made[1] == {}
    assert 1000 < int(str(made[0]["positions"])) <= 2000
    assert all(parameter.grad is None for parameter in model.parameters())
