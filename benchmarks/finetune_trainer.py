"""The plain encoder with our head, trained by transformers' own Trainer: the row beside ours in docs/results.md.

    python benchmarks/finetune_trainer.py semeval2010 ENCODER DATA --seed 1 --output results.json --set stages.epochs=2

The same sequences, options and choice of the epoch as `wikiprep finetune … --ablation no-entities` (finetune_sides.py);
after each epoch the development set is scored, and the weights of the best epoch are tested.
"""

import copy
import json
import tempfile
import time
from pathlib import Path

from finetune_sides import arguments, plain_side


def main() -> None:
    """Train, score, and write a JSON object with the scores of both parts."""
    parser = arguments(__doc__ or "")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, required=True)
    options = parser.parse_args()
    side = plain_side(options.task, options.data, options.encoder, options.settings, options.seed)
    task, best = side.prepared.task, {"dev": -1.0}
    start = time.perf_counter()

    def after_epoch() -> None:
        score = task.score(side.predictions("dev"))
        print(f"dev {score.main}: {score.figures[score.main]:.2f}", flush=True)
        if score.figures[score.main] > best["dev"]:
            best.update(dev=score.figures[score.main], state=copy.deepcopy(side.model.state_dict()))

    with tempfile.TemporaryDirectory() as folder:
        side.trainer(Path(folder), options.seed, side.config.stages[-1].steps, after_epoch).train()
    seconds = time.perf_counter() - start
    side.model.load_state_dict(best["state"])
    test = task.score(side.predictions("test"))
    outcome = {"task": options.task, "seed": options.seed, "dev": best["dev"], "test": test.figures[test.main]}
    options.output.write_text(json.dumps(outcome | {"seconds": round(seconds), "figures": dict(test.figures)}) + "\n")
    print(outcome)


if __name__ == "__main__":
    main()
