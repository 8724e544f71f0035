"""How many tokens a second does SPOT train at, beside the same encoder's plain step on masked words?

    python benchmarks/spot_step.py                     # small: 4 layers of 256, seconds a step
    python benchmarks/spot_step.py --size luke-base --rounds 3

Both sides take the same sentences, packed alike; the plain side is the family of the configuration `roberta-mlm`: 15 %
of the words, no entities. Steps alternate, since other load on the machine slows both, and CPU time is compared;
tokens are those of the sentences, without padding. A step is forward, backward and AdamW.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch
from spot_batch import batch_of, sentence, sizes, words
from torch import nn

from wikiprep.pretrain.config import OptimizerConfig
from wikiprep.pretrain.family import Batch, ParameterGroup
from wikiprep.pretrain.luke import batch as names
from wikiprep.pretrain.luke.collate import collate
from wikiprep.pretrain.luke.config import Objective
from wikiprep.pretrain.luke.masking import mask
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.parameter_groups import parameter_groups
from wikiprep.pretrain.optimizer import AdamW
from wikiprep.pretrain.spot.model import Spot
from wikiprep.pretrain.spot.parameter_groups import parameter_groups as spot_groups
from wikiprep.pretrain.spot.parameter_groups import parameters_by_module


def main() -> None:
    """Measure, and print a line a side."""
    options = arguments()
    torch.set_num_threads(options.threads)
    text, config = sizes(options.size if options.size != "small" else "luke-base", options.entities, options.relations)
    if options.size == "small":
        text = replace(text, hidden_size=256, layers=4, heads=4, intermediate_size=1024)
    text = replace(text, attention_dropout=0.0)
    record_shape = (options.mentions, options.pairs, options.entities, options.relations)
    records = [sentence(number, options.tokens, *record_shape) for number in range(options.sentences)]
    in_row = max(1, options.pack // (options.tokens + 2))
    rows = [number // in_row for number in range(len(records))]
    batch = batch_of(records, config, rows)
    vocabulary, plain = words(), Objective()
    masked = [mask(r, vocabulary, plain, np.random.default_rng(n), entities=False) for n, r in enumerate(records)]
    plain_batch = collate(records, masked, rows, vocabulary, entities=False)
    spot, luke = Spot(text, config, 0).train(), Luke(text, 0).train()
    sides = {
        "roberta-mlm": step(luke, plain_batch, parameter_groups(luke, 2, True)),
        "spot": step(spot, batch, spot_groups(spot, 2, False)),
    }
    tokens = int(batch[names.REAL].sum())
    print(f"{options.size}: {len(records)} sentences, {tokens:,} tokens in {rows[-1] + 1} sequences; SPOT has "
          f"{', '.join(f'{name} {number:,}' for name, number in parameters_by_module(spot).items())}")  # fmt: skip
    times: dict[str, list[float]] = {name: [] for name in sides}
    for number in range(options.rounds + 1):
        for name, train_step in sides.items():
            start = time.process_time()
            train_step()
            if number:  # the first warms up
                times[name].append(time.process_time() - start)
    speeds = {name: tokens / statistics.median(seconds) for name, seconds in times.items()}
    for name, speed in speeds.items():
        print(f"{name:12} {speed:10,.0f} tokens a second of CPU time, {statistics.median(times[name]):.2f} s a step")
    print(f"spot is at {speeds['spot'] / speeds['roberta-mlm']:.2f} of the plain step")


def step(model: nn.Module, batch: Batch, groups: list[ParameterGroup]) -> Callable[[], None]:
    """A training step of one batch, again and again."""
    optimizer = AdamW(groups, OptimizerConfig())

    def train_step() -> None:
        losses = model(batch)
        torch.stack([loss / count.clamp(min=1) for loss, count in losses.values()]).sum().backward()
        optimizer.step(1e-4)

    return train_step


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="small", help="small, or of the text encoder: luke-base, luke-large")
    parser.add_argument("--entities", type=int, default=100_000)
    parser.add_argument("--relations", type=int, default=1_002)
    parser.add_argument("--sentences", type=int, default=32)
    parser.add_argument("--tokens", type=int, default=40, help="of a sentence")
    parser.add_argument("--mentions", type=int, default=4, help="of a sentence")
    parser.add_argument("--pairs", type=int, default=3, help="of a sentence, with a relation")
    parser.add_argument("--pack", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
