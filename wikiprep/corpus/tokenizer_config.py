"""tokenizer_config.json: which tokens pad, mask, begin and end, for transformers' AutoTokenizer.

tokenizer.json says which tokens are special, not what each is for; with BERT's and RoBERTa's names that is known.
"""

import json
from pathlib import Path

from tokenizers import Tokenizer

FILE = "tokenizer_config.json"
# transformers' name of a role -> the names that a token of that role has (BERT's, RoBERTa's and XLM-R's).
ROLES = {
    "bos_token": ("<s>",),
    "eos_token": ("</s>",),
    "cls_token": ("[CLS]", "<s>"),
    "sep_token": ("[SEP]", "</s>"),
    "pad_token": ("[PAD]", "<pad>"),
    "mask_token": ("[MASK]", "<mask>"),
    "unk_token": ("[UNK]", "<unk>"),
}


def tokenizer_config(tokenizer: Tokenizer) -> dict[str, str | bool]:
    """What the file holds; a role that no token of the tokenizer has is left out."""
    config: dict[str, str | bool] = {
        "tokenizer_class": "PreTrainedTokenizerFast",  # takes tokenizer.json as it is
        "clean_up_tokenization_spaces": False,  # decoded text stays what it is
    }
    for role, names in ROLES.items():
        token = next((name for name in names if tokenizer.token_to_id(name) is not None), None)
        if token is not None:
            config[role] = token
    return config


def save_tokenizer_config(tokenizer: Tokenizer, folder: Path) -> str:
    """Write the file into `folder`; gives its name."""
    text = json.dumps(tokenizer_config(tokenizer), indent=2) + "\n"
    (folder / FILE).write_text(text, encoding="utf-8", newline="\n")
    return FILE
