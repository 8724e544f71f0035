"""From a run or one of its checkpoints to a folder that Hugging Face's transformers loads."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from wikiprep.errors import UsageError
from wikiprep.pretrain.checkpoint.load import read_weights
from wikiprep.pretrain.luke.about import read_about
from wikiprep.pretrain.luke.added_entities import with_entities
from wikiprep.pretrain.luke.export import export
from wikiprep.pretrain.luke.export_words import ROBERTA, export_words
from wikiprep.pretrain.open_checkpoint import about_of, family_of, find_checkpoint, known_run_config
from wikiprep.pretrain.ranks import join_ranks
from wikiprep.pretrain.spot.about import read_about as read_spot
from wikiprep.progress import NO_PROGRESS, Progress

PARTS = ("reading weights", "writing weights")  # of progress; each is one call of a library
_TEXT = "text."


@dataclass(frozen=True)
class ExportedModel:
    """The checkpoint that was taken, and the classes of model and tokenizer there."""

    checkpoint: Path
    model: str
    tokenizer: str


def export_hf(location: str, out: str, entities: Sequence[str] = (), progress: Progress = NO_PROGRESS) -> ExportedModel:
    """Write `out`. The checkpoint is `location` itself, or the newest of the run `location`.

    Of SPOT it is the text encoder, a RoBERTa: span and pair encoder have no class there. `entities`: names of entities
    to be added, as copies of `[MASK]`. Raises UsageError for entities of a model that has none.
    A damaged checkpoint is an error and not passed over: whoever exports wants to know which one it is.
    """
    with join_ranks(timeout_minutes=1) as ranks:
        checkpoint, _ = find_checkpoint(location, ranks, pass_over_damaged=False)
        about = about_of(checkpoint)
        size = sum(path.stat().st_size for path in checkpoint.iterdir() if path.is_file())
        with progress.part(PARTS[0], size):
            tensors, config = read_weights(checkpoint), known_run_config(checkpoint)
        size = sum(tensor.nbytes for tensor in tensors.values())
        if family_of(about) == "spot":
            if entities:
                raise UsageError("--entity: SPOT has no table of entities", "leave the option out")
            spot = read_spot(about)
            text = {name.removeprefix(_TEXT): tensor for name, tensor in tensors.items() if name.startswith(_TEXT)}
            with progress.part(PARTS[1], size):
                tokenizer = export_words(text, spot.text, spot.tokenizer, Path(out), config)
            return ExportedModel(checkpoint, ROBERTA, tokenizer)
        luke = read_about(about)
        if entities:
            tensors, luke = with_entities(tensors, luke, entities)
        with progress.part(PARTS[1], size):
            return ExportedModel(checkpoint, "LukeForMaskedLM", export(tensors, luke, Path(out), config))
