"""From a run or one of its checkpoints to a folder that Hugging Face's transformers loads."""

from collections.abc import Sequence
from pathlib import Path

from wikiprep.pretrain.checkpoint.load import read_weights
from wikiprep.pretrain.luke.about import read_about
from wikiprep.pretrain.luke.added_entities import with_entities
from wikiprep.pretrain.luke.export import export
from wikiprep.pretrain.open_checkpoint import about_of, find_checkpoint, known_run_config
from wikiprep.pretrain.ranks import joined


def export_hf(given: str, out: str, entities: Sequence[str] = ()) -> tuple[Path, str]:
    """Write `out`. Returns the checkpoint that was taken, and the class of the tokenizer.

    The checkpoint is `given` itself, or the newest of the run `given`. `entities`: names of entities to be added, as
    copies of `[MASK]`.
    A damaged checkpoint is an error and not passed over: whoever exports wants to know which one it is.
    """
    with joined(timeout_minutes=1) as ranks:
        checkpoint, _ = find_checkpoint(given, ranks, pass_over_damaged=False)
        tensors, about = read_weights(checkpoint), read_about(about_of(checkpoint))
        if entities:
            tensors, about = with_entities(tensors, about, entities)
        tokenizer = export(tensors, about, Path(out), known_run_config(checkpoint))
    return checkpoint, tokenizer
