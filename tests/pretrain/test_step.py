"""Gradients are those of the loss as it is defined, however a global batch is cut and spread."""

from pathlib import Path

import pytest
import torch
from running import CONFIG
from toy_family import ToyFamily, make

from wikiprep.pretrain.config import PretrainConfig, TrainingConfig, apply_tables
from wikiprep.pretrain.config_toml import dump_config, load_config
from wikiprep.pretrain.data.micro_batches import Cut
from wikiprep.pretrain.data.share import Share, ShareMaker
from wikiprep.pretrain.data.stream import Places, Stream
from wikiprep.pretrain.largest_batch import largest_batch
from wikiprep.pretrain.optimizer import gradient_norm
from wikiprep.pretrain.parallel import spread
from wikiprep.pretrain.ranks import Ranks
from wikiprep.pretrain.step import MICRO_BATCHES, compute
from wikiprep.records.reader import RecordReader
from wikiprep.records.training_corpus import open_corpus

ALONE = Ranks(0, 1, torch.device("cpu"))


@pytest.fixture(scope="module")
def data(sample_corpus: Path) -> tuple[ToyFamily, RecordReader, Places]:
    """A family, its records, and a global batch of 20."""
    corpus = open_corpus(str(sample_corpus), 0.1)
    return make({}, sample_corpus), RecordReader(corpus), Stream.of(0, [corpus.split], 0.7).places(110, 130)


def shares_of(data: tuple[ToyFamily, RecordReader, Places], world: int, cut: Cut) -> list[Share]:
    family, reader, places = data
    made = [ShareMaker(family, (reader,), 5, rank, world, cut).share(places) for rank in range(world)]
    assert all(isinstance(share, Share) for share in made)
    return made  # type: ignore[return-value]


def gradients(data: tuple[ToyFamily, RecordReader, Places], world: int, cut: Cut, loss_mean: str) -> torch.Tensor:
    """The mean over ranks of their gradients, computed one rank after the other."""
    family = data[0]
    config = TrainingConfig(precision="float32", loss_mean=loss_mean)
    made = shares_of(data, world, cut)
    totals: dict[str, float] = {name: sum(share.counts[name] for share in made) for name in ("word", "entity")}
    totals[MICRO_BATCHES] = sum(sum(share.weights) for share in made)
    model = spread(family.build_model(1), family, config, ALONE)
    for rank, share in enumerate(made):
        compute(family, model, share, totals, config, Ranks(rank, world, torch.device("cpu")))
    return torch.cat([p.grad.flatten() for p in model.bare.parameters() if p.grad is not None]) / world


def by_hand(data: tuple[ToyFamily, RecordReader, Places], cut: Cut, loss_mean: str) -> torch.Tensor:
    """The same from the definition."""
    family = data[0]
    (share,) = shares_of(data, 1, cut)
    model = family.build_model(1)
    sums = [family.loss_sums(model, share.tensors(number)) for number in range(len(share.batches))]
    loss = torch.zeros(())
    for name in ("word", "entity"):
        if loss_mean == "global":
            loss = loss + sum(s[name][0] for s in sums) / share.counts[name]
        else:
            loss = loss + sum(s[name][0] / s[name][1] for s in sums) / len(sums)
    loss.backward()
    return torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None])


def distance(a: torch.Tensor, b: torch.Tensor) -> float:
    """The largest difference, as a share of the largest gradient."""
    return float((a - b).abs().max() / b.abs().max())


@pytest.mark.parametrize("world", [1, 2, 3, 8])
@pytest.mark.parametrize(
    "cut", [Cut(600), Cut(10_000), Cut(1), Cut(900, pack=400)], ids=["some", "one", "each", "packed"]
)
def test_a_global_loss_does_not_depend_on_the_cut(
    data: tuple[ToyFamily, RecordReader, Places], world: int, cut: Cut
) -> None:
    if cut.pack:  # the toy has no mask between records of a sequence: only the numbers of targets can be the same
        assert (
            sum(s.counts["word"] for s in shares_of(data, world, cut)) == shares_of(data, 1, Cut(600))[0].counts["word"]
        )
        return
    expected = by_hand(data, Cut(10**6), "global")
    assert distance(gradients(data, world, cut, "global"), expected) < 1e-5


def test_a_mean_over_micro_batches_is_that(data: tuple[ToyFamily, RecordReader, Places]) -> None:
    cut = Cut(10**6, 4)  # micro-batches of four, as the reference's
    expected = by_hand(data, cut, "micro-batch")
    assert distance(gradients(data, 1, cut, "micro-batch"), expected) < 1e-5
    assert distance(gradients(data, 1, cut, "global"), expected) > 1e-2


def test_ranks_without_records_weigh_nothing(data: tuple[ToyFamily, RecordReader, Places]) -> None:
    made = shares_of(data, 8, Cut(1))  # 20 records over 8 ranks
    assert [share.weights for share in made] == [[1, 1, 1]] * 4 + [[1, 1, 0]] * 4
    assert sum(share.seen for share in made) == 20
    seen = [
        record
        for share in made
        for records, w in zip(share.records, share.weights, strict=True)
        if w
        for record in records
    ]
    assert sorted(record for _, record in seen) == sorted(data[2].record.tolist())


@pytest.mark.parametrize("world", [1, 2, 4])
def test_masks_do_not_depend_on_neighbours_or_ranks(data: tuple[ToyFamily, RecordReader, Places], world: int) -> None:
    labels = []
    for share in shares_of(data, world, Cut(600)):
        for batch in share.batches:
            labels += batch["word_labels"].tolist()
    (alone,) = shares_of(data, 1, Cut(10**6))
    assert sorted(labels) == sorted(alone.batches[0]["word_labels"].tolist())


def test_masks_differ_from_epoch_to_epoch(data: tuple[ToyFamily, RecordReader, Places]) -> None:
    family, reader, places = data
    later = Places(places.corpus, places.record, places.epoch + 1)
    maker = ShareMaker(family, (reader,), 5, 0, 1, Cut(10**6))
    first, second = (maker.share(p) for p in (places, later))
    assert isinstance(first, Share) and isinstance(second, Share)
    assert first.batches[0]["word_labels"].tolist() != second.batches[0]["word_labels"].tolist()


def test_clipping(data: tuple[ToyFamily, RecordReader, Places]) -> None:
    model = data[0].build_model(0)
    parameters = list(model.parameters())
    for parameter in parameters:
        parameter.grad = torch.full_like(parameter, 2.0)
    before = 2.0 * sum(p.numel() for p in parameters) ** 0.5
    assert gradient_norm(parameters, 0.0) == pytest.approx(before)
    assert gradient_norm(parameters, 1.5) == pytest.approx(before)
    assert gradient_norm(parameters, 0.0) == pytest.approx(1.5, rel=1e-4)


@pytest.mark.parametrize(("cut", "shape"), [(Cut(2000), None), (Cut(2000, 2), (2, None)), (Cut(2000, 0, 900), None)])
def test_the_probe_is_as_large_as_micro_batches_get(
    data: tuple[ToyFamily, RecordReader, Places], cut: Cut, shape: tuple[int, None] | None
) -> None:
    family, reader, _ = data
    corpus = reader._corpus
    maker = ShareMaker(family, (reader,), 5, 0, 1, cut)
    _, padded = family.tokens(largest_batch(maker, [(0, corpus.longest)]))
    longest = 8 + sum(family.sizes(reader.peek(corpus.longest)))
    assert padded <= 2000 and (shape is not None or padded > 2000 - max(longest, cut.pack))
    whole = ShareMaker(family, (reader,), 5, 0, 1, cut).share(Stream.of(0, [corpus.split], 0.7).places(0, 200))
    assert isinstance(whole, Share)
    assert max(family.tokens(whole.tensors(n))[1] for n in range(len(whole.batches))) <= max(padded, 2000)


def test_configuration_comes_back_from_its_file(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(CONFIG + "\n[model]\nfail = 'nan:\"3\"'\nwide = { a = 1, b = [1, 2] }\n")
    config = load_config(str(tmp_path / "a.toml"), ("data.seed=7", "optimizer.epsilon=1e-9", "model.word=x y"))
    (tmp_path / "b.toml").write_text(dump_config(config))
    assert load_config(str(tmp_path / "b.toml")) == config
    assert config.data.seed == 7 and config.tables["model"]["word"] == "x y" and config.steps == 40
    assert [config.stage_at(step) for step in (0, 19, 20, 39)] == [(0, 0), (0, 19), (1, 0), (1, 19)]
    assert apply_tables(PretrainConfig(), {}, "") == PretrainConfig()
