"""Link prediction as papers report it: filtered MRR and hits at 1, 3 and 10, by PyKEEN's evaluator.

Equal scores count as half above, half below (PyKEEN's "realistic" rank), so that constant vectors are not the best.
"""

import logging
from typing import Any

import torch
from pykeen.evaluation import RankBasedEvaluator
from pykeen.models import ERModel

from wikiprep.knowledge.graph import PARTS, TRAIN, Graph

_FIGURES = {"mrr": "inverse_harmonic_mean_rank"} | {f"hits@{k}": f"hits_at_{k}" for k in (1, 3, 10)}
_NUMBERS = 60_000_000  # of float32 that the scores of a batch may make in between: 240 MB


def figures(model: ERModel[Any, Any, Any], graph: Graph) -> dict[str, Any]:
    """Of each part but train: counts, and the figures of both sides together, of heads and of tails.

    `in_train_either_way`: triples whose two entities stand side by side in train too, which makes them easy.
    """
    # That a batch that is too large on the CPU is not made smaller is no news to the user: ours is small.
    logging.getLogger("torch_max_mem").setLevel(logging.ERROR)
    known_triples = [torch.from_numpy(triples.astype("int64")) for triples in graph.parts.values()]
    width = model.entity_representations[0].shape[0]
    batch = max(1, min(256, _NUMBERS // (len(graph.entities) * width)))
    result: dict[str, Any] = {}
    for part in PARTS:
        if part == TRAIN or part not in graph.parts:
            continue
        triples = graph.parts[part]
        counts = {"read": graph.read[part], "dropped": dict(graph.dropped[part]), "triples": len(triples)}
        counts["in_train_either_way"] = graph.leaked(part)
        result[part] = {**counts}
        if len(triples):
            metrics = RankBasedEvaluator(filtered=True, clear_on_finalize=True).evaluate(
                model,
                torch.from_numpy(triples.astype("int64")),
                batch_size=batch,
                additional_filter_triples=known_triples,
                use_tqdm=False,
            )
            for side in ("both", "head", "tail"):
                values = {
                    ours: float(metrics.get_metric(f"{side}.realistic.{name}")) for ours, name in _FIGURES.items()
                }
                result[part] |= values if side == "both" else {side: values}
    return result
