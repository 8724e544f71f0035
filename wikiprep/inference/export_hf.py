"""From a run or one of its checkpoints to a folder that Hugging Face's transformers loads.

A text encoder without entities, with its head for masked words, becomes a folder that `RobertaForMaskedLM` loads
(`export_words`): its layers are RoBERTa's, and so is the head; the tokenizer is a plain `PreTrainedTokenizerFast`.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor

from wikiprep.errors import UsageError
from wikiprep.files import apply_umask
from wikiprep.pretrain.checkpoint.load import read_weights
from wikiprep.pretrain.luke.about_folder import read_about
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.entity_rows import with_entities
from wikiprep.pretrain.luke.export import PLAIN_TOKENIZER, WEIGHTS, export, save_plain_tokenizer, whole_folder
from wikiprep.pretrain.luke.hf_config import CONFIG, luke_config_json
from wikiprep.pretrain.luke.parameter_names import tied_copies, to_hugging_face
from wikiprep.pretrain.luke.words import words_of
from wikiprep.pretrain.open_checkpoint import about_of, family_of, find_checkpoint, known_run_config
from wikiprep.pretrain.ranks import join_ranks
from wikiprep.pretrain.run_folder import EXPORTED_CONFIG
from wikiprep.pretrain.spot.about_folder import read_about as read_spot
from wikiprep.progress import NO_PROGRESS, Progress

PARTS = ("reading weights", "writing weights")  # of progress; each is one call of a library
_TEXT = "text."
ROBERTA = "RobertaForMaskedLM"
_NOT_THERE = ("pooler_weight", "pooler_bias")
_OF_LUKE = ("entity_vocab_size", "entity_emb_size", "use_entity_aware_attention")


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


def export_words(
    tensors: Mapping[str, Tensor], config: LukeConfig, tokenizer: Tokenizer, out: Path, run_config: Path | None = None
) -> str:
    """Write the folder. `tensors` is the state of a `Luke` without entities, `run_config` the configuration of its run.

    Returns the name of the class that its tokenizer is of. Raises UsageError where there is something already.
    """
    words = words_of(tokenizer, "the run's tokenizer")
    with whole_folder(out) as folder:
        rows = len(save_plain_tokenizer(tokenizer, words, folder))
        state = {name: tensor for name, tensor in tensors.items() if name not in _NOT_THERE}
        for name in ("words.token.weight", "word_head.bias"):
            state[name] = state[name][:rows]
        hf_state = to_hugging_face(state)
        hf_state |= tied_copies(hf_state)
        float_tensors = {
            name.replace("luke.", "roberta.", 1): tensor.float().clone().contiguous()
            for name, tensor in hf_state.items()
        }
        save_file(float_tensors, folder / WEIGHTS, {"format": "pt"})
        apply_umask(folder / WEIGHTS)
        specials = {"first": words.first, "pad": words.pad, "last": words.last}
        settings: dict[str, Any] = json.loads(luke_config_json(config, rows, 1, specials))
        settings |= {"architectures": [ROBERTA], "model_type": "roberta"}
        for name in _OF_LUKE:
            settings.pop(name, None)
        (folder / CONFIG).write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
        if run_config is not None:
            shutil.copyfile(run_config, folder / EXPORTED_CONFIG)
    return PLAIN_TOKENIZER
