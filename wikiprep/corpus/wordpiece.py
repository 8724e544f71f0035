"""BERT's tokenizer from a folder that has `vocab.txt` and no tokenizer.json, as its first releases had.

A line is a token, its number from 0 the id. How text is made ready stands in `tokenizer_config.json`, where there is
one (`do_lower_case` and so on, under the names of transformers' BertTokenizer); what it leaves out is BERT's default.
"""

import json
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from wikiprep.errors import UsageError, WikiprepError

VOCABULARY, CONFIG = "vocab.txt", "tokenizer_config.json"
PREFIX = "##"
_SPECIALS = {
    "unk_token": "[UNK]",
    "cls_token": "[CLS]",
    "sep_token": "[SEP]",
    "pad_token": "[PAD]",
    "mask_token": "[MASK]",
}
_DEFAULTS: dict[str, Any] = {"do_lower_case": True, "strip_accents": None, "tokenize_chinese_chars": True}


def load_wordpiece(vocabulary: Path) -> Tokenizer:
    """The tokenizer of a `vocab.txt`, with the settings beside it. Raises WikiprepError where they are no such files.

    The same ids as transformers' BertTokenizer.
    """
    settings, specials = _settings(vocabulary)
    ids = _read_ids(vocabulary, specials)
    lower, strip, chinese = (settings[name] for name in _DEFAULTS)
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token=specials["unk_token"], continuing_subword_prefix=PREFIX))
    tokenizer.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=chinese, strip_accents=strip, lowercase=lower
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(prefix=PREFIX)
    tokenizer.add_special_tokens([AddedToken(name, normalized=False, special=True) for name in specials.values()])
    last, first = specials["sep_token"], specials["cls_token"]
    tokenizer.post_processor = processors.BertProcessing((last, ids[last]), (first, ids[first]))
    return tokenizer


def describe_wordpiece(spec: str) -> str | None:
    """What was taken of a local folder or file that `load_wordpiece` reads, for people; None for another tokenizer."""
    path = Path(spec).expanduser()
    if path.is_dir():
        path = path / VOCABULARY
        if any((path.parent / name).is_file() for name in ("tokenizer.json", "merges.txt")):
            return None
    if path.name != VOCABULARY or not path.is_file():
        return None
    settings, specials = _settings(path)
    config = path.with_name(CONFIG)
    config_values = _read_config(config) if config.is_file() else {}
    case = "text in lower case" if settings["do_lower_case"] else "case kept"
    strip = settings["do_lower_case"] if settings["strip_accents"] is None else settings["strip_accents"]
    accents = "accents taken off" if strip else "accents kept"
    source = (
        f"as {CONFIG} says"
        if "do_lower_case" in config_values
        else f"BERT's default, since no {CONFIG} says do_lower_case"
    )
    size = len(_read_ids(path, specials))
    return f"{VOCABULARY}: WordPiece of {size:,} tokens, words go on with {PREFIX}; {case}, {accents} ({source})"


def _settings(vocabulary: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Settings, and special tokens by role."""
    path = vocabulary.with_name(CONFIG)
    config = _read_config(path) if path.is_file() else {}
    if config.get("do_basic_tokenize", True) is not True:
        raise UsageError(f"{path}: do_basic_tokenize = false", "text that is cut already has no tokenizer here")
    settings = {name: config.get(name, default) for name, default in _DEFAULTS.items()}
    for name, value in settings.items():
        if not isinstance(value, bool) and not (name == "strip_accents" and value is None):
            raise WikiprepError(f"{path}: {name} = {value!r}", "it takes true or false")
    specials = {}
    for role, default in _SPECIALS.items():
        token = config.get(role, default)
        specials[role] = token.get("content", default) if isinstance(token, dict) else token or default
    return settings, specials


def _read_config(path: Path) -> dict[str, Any]:
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise WikiprepError(f"{path}: not JSON ({error})", "is it whole, and not a Git LFS pointer?") from error
    if not isinstance(config, dict):
        raise WikiprepError(f"{path}: not an object", "is it the tokenizer_config.json of a BERT?")
    return config


def _read_ids(path: Path, specials: dict[str, str]) -> dict[str, int]:
    """Ids by token."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise WikiprepError(f"{path}: not UTF-8 ({error.reason})", "is it BERT's vocab.txt?") from error
    if lines and not lines[-1]:
        del lines[-1]
    ids: dict[str, int] = {}
    for number, line in enumerate(lines):
        token = line.rstrip("\r")
        if token in ids:
            raise WikiprepError(
                f"{path}:{number + 1}: {token!r} stands on line {ids[token] + 1} too", "a token has one line, its id"
            )
        ids[token] = number
    missing = [token for token in specials.values() if token not in ids]
    if missing:
        raise WikiprepError(
            f"{path}: has no {', '.join(missing)}", f"a line is a token, as BERT's has them; {CONFIG} may name others"
        )
    return ids
