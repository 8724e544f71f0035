"""A text encoder without entities, with its head for masked words, as a folder that `RobertaForMaskedLM` loads.

Its layers are RoBERTa's, and so is the head; the tokenizer is a plain `PreTrainedTokenizerFast`.
"""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch import Tensor

from wikiprep.files import apply_umask
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.pretrain.luke.export import PLAIN_TOKENIZER, WEIGHTS, save_plain_tokenizer, whole_folder
from wikiprep.pretrain.luke.hf_config import CONFIG, luke_config_json
from wikiprep.pretrain.luke.parameter_names import tied_copies, to_hugging_face
from wikiprep.pretrain.luke.words import words_of
from wikiprep.pretrain.run_folder import EXPORTED_CONFIG

ROBERTA = "RobertaForMaskedLM"
_NOT_THERE = ("pooler_weight", "pooler_bias")
_OF_LUKE = ("entity_vocab_size", "entity_emb_size", "use_entity_aware_attention")


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
