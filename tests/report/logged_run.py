"""A run of pretrain as far as a report reads it: the log, as wikiprep/pretrain/log.py writes it."""

import json
from pathlib import Path


def write_run(folder: Path, steps: int = 400) -> Path:
    """A run that logs each step and evaluates each fiftieth."""
    folder.mkdir(parents=True)
    lines = [{"event": "begun", "step": 0, "world": 1, "position": 0}]
    for step in range(1, steps + 1):
        losses = {"loss": 9 / step + 1, "loss.entity": 5 / step, "loss.mlm": 4 / step + 1}
        lines.append(
            {"event": "train", "step": step, "position": step * 16, **losses, "learning_rate": 1e-3 * (1 - step / 500),
             "gradient_norm": 2.5, "tokens_per_second": 1000.0 + step, "records": 16.0}
        )  # fmt: skip
        if step % 50 == 0:
            share = {"entity_top1": 0.5 + step / 1000, "entity_prior": 0.8, "mlm_top1": 0.3, "no_entity_top1": 0.4}
            lines.append({"event": "evaluate", "step": step, "records": 12, "loss.entity": 2.5, **share})
    (folder / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder
