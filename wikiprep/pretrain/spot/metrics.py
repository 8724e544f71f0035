"""What is right, as sums and counts: entities of gold spans, masked and visible; spans that are none; relations."""

from torch import Tensor

from wikiprep.pretrain.family import Batch, Sums
from wikiprep.pretrain.luke.metrics import number_of
from wikiprep.pretrain.spot import batch as names
from wikiprep.pretrain.spot.entity_softmax import NO_ENTITY


def entity_metrics(ranks: Tensor, batch: Batch) -> Sums:
    """`entity_top1` and `entity_top10` of gold spans (`.masked`: those whose tokens were all chosen; `.visible`: the
    others), and `no_entity_top1`: of negative spans those that are told to be none."""
    labels, hidden = batch[names.ENTITY_LABELS], batch[names.ENTITY_HIDDEN]
    gold = labels != NO_ENTITY
    sums = {}
    for suffix, kind in (("", gold), (".masked", gold & hidden), (".visible", gold & ~hidden)):
        for limit in (1, 10):
            sums[f"entity_top{limit}{suffix}"] = ((ranks < limit) & kind).sum(), kind.sum()
    sums["no_entity_top1"] = ((ranks < 1) & ~gold).sum(), (~gold).sum()
    return sums


def relation_metrics(scores: Tensor, batch: Batch) -> Sums:
    """`relation_top1`: pairs whose likeliest class is a target; `relation_most_frequent`: of how many class 0 is.
    A class is a target of a pair once, so that pairs are counted and not targets."""
    pairs, labels = batch[names.RELATION_PAIRS], batch[names.RELATION_LABELS]
    total = number_of(batch[names.PAIR_HEADS])
    best = scores.argmax(dim=1)[pairs]
    return {
        "relation_top1": ((best == labels).sum(), total),
        "relation_most_frequent": ((labels == 0).sum(), total),
    }
