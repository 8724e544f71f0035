"""Tokenizers: loaded from a folder, a file or the hub; trained on text; written with the same bytes every time.

A tokenizer here is a `tokenizers.Tokenizer`. `plain_copy` gives the one that text is encoded with: there every special
token is out of reach, so that an article about HTML that says "<s>" or "<mask>" is text like any other.
"""

import contextlib
import json
import os
import re
import socket
import tempfile
import urllib.parse
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

# Builds use processes; threads inside each would share the same cores, and a fork after their start prints a warning.
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors, trainers

from wikiprep.corpus import wordpiece
from wikiprep.errors import UsageError, WikiprepError

# RoBERTa's special tokens: the first four are ids 0 to 3, <mask> is the last id.
FIRST_SPECIALS = ("<s>", "<pad>", "</s>", "<unk>")
MASK = "<mask>"
_KNOWN_SPECIALS = (*FIRST_SPECIALS, MASK, "<|endoftext|>")

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[\w.-]+)?")
_FORMS = (
    "a folder or file (tokenizer.json, vocab.json with merges.txt beside it, or BERT's vocab.txt), a hub name, or "
    "train:SIZE"
)
_PROBE_SECONDS = 5.0


def load_tokenizer(spec: str | Path) -> Tokenizer:
    """The tokenizer that `spec` names.

    A folder, a tokenizer.json, a vocab.json with merges.txt beside it, a vocab.txt of BERT's, a hub name.

    Raises UsageError where there is no such thing, WikiprepError where a file is damaged or the hub gives nothing.
    """
    text = str(spec)
    if "://" in text:
        return _load_remote(text)
    path = Path(text).expanduser()
    if not text:
        raise UsageError("no tokenizer is given", f"--tokenizer takes {_FORMS}")
    if path.is_dir():
        return _load_folder(path)
    if path.is_file():
        return _load_file(path)
    if isinstance(spec, Path) or not _HUB_NAME.fullmatch(text) or text.endswith((".json", ".txt")):
        raise UsageError(f"{text}: no such tokenizer file or folder", f"--tokenizer takes {_FORMS}")
    return _load_from_hub(text)


def train_tokenizer(texts: Iterable[str], size: int) -> Tokenizer:
    """A byte-level BPE of at most `size` tokens (fewer where the text has no more pairs), with RoBERTa's specials.

    The same texts in the same order give the same tokenizer, whatever the number of threads.
    Raises UsageError for a size that has no room for the 256 bytes and the specials.
    """
    least = 256 + len(FIRST_SPECIALS) + 1
    if size < least:
        raise UsageError(f"a tokenizer of {size} tokens is too small", f"train:SIZE needs at least {least}")
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=size - 1,  # <mask> comes last
        min_frequency=2,
        show_progress=False,
        special_tokens=list(FIRST_SPECIALS),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
    )
    tokenizer.train_from_iterator(texts, trainer)
    model = json.loads(tokenizer.to_str())["model"]
    vocab: dict[str, int] = model["vocab"]
    vocab[MASK] = len(vocab)
    return byte_level_bpe(vocab, [(left, right) for left, right in model["merges"]])


def save_tokenizer(tokenizer: Tokenizer, path: str | Path) -> None:
    """Writes tokenizer.json: keys in the library's order, the vocabulary by id, one form whatever the origin."""
    document = json.loads(tokenizer.to_str())
    Path(path).write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


def save_bpe_files(tokenizer: Tokenizer, folder: str | Path) -> list[str]:
    """Writes vocab.json and merges.txt, which LukeTokenizer reads before transformers 5.

    Returns their names; none for a tokenizer that is no BPE.
    """
    if not isinstance(tokenizer.model, models.BPE):
        return []
    return sorted(Path(path).name for path in tokenizer.model.save(str(folder)))


def byte_level_bpe(vocab: dict[str, int], merges: list[tuple[str, str]]) -> Tokenizer:
    """RoBERTa's tokenizer over `vocab` and `merges`: GPT-2's pre-tokens, no prefix space, `<s> … </s>` around."""
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    # RoBERTa's <mask> takes the space before it (lstrip), so that "a <mask>" has no token for the space.
    specials = [AddedToken(s, normalized=False, special=True, lstrip=s == MASK) for s in _KNOWN_SPECIALS if s in vocab]
    tokenizer.add_special_tokens(specials)
    if "<s>" in vocab and "</s>" in vocab:
        tokenizer.post_processor = processors.RobertaProcessing(
            ("</s>", vocab["</s>"]), ("<s>", vocab["<s>"]), trim_offsets=True, add_prefix_space=False
        )
    return tokenizer


def plain_copy(tokenizer: Tokenizer) -> Tokenizer:
    """A copy that reads special tokens in text as text and adds nothing; ids are the same.

    Special tokens would match inside text; a Unigram model would also find "<s>" among its pieces. So their entries in
    the vocabulary carry a NUL, which no text here holds (`joined_text.py`). Words that were added to the tokenizer and
    are not special stay what they are: one token each, wherever its flags (lstrip, rstrip, single_word, normalized)
    allow. A BPE's dropout is off, since equal text must have equal ids.
    """
    document = json.loads(tokenizer.to_str())
    specials = {token["content"] for token in document["added_tokens"] if token["special"]}
    vocab = document["model"]["vocab"]
    vocab_pieces = {piece for piece, _ in vocab} if isinstance(vocab, list) else set(vocab)
    document["added_tokens"] = [
        token | {"content": "\0" + token["content"]} if token["special"] else token  # it holds the place of its id
        for token in document["added_tokens"]
        if not token["special"] or token["content"] not in vocab_pieces
    ]
    document["post_processor"] = None
    document["truncation"] = None
    document["padding"] = None
    if document["model"].get("dropout"):
        document["model"]["dropout"] = None
    _hide(document["model"], specials)
    pre_tokenizer = document["pre_tokenizer"]
    if pre_tokenizer and pre_tokenizer["type"] == "ByteLevel":
        pre_tokenizer["add_prefix_space"] = False  # the leading space is decided by the text, not by the tokenizer
    return Tokenizer.from_str(json.dumps(document))


def added_words(tokenizer: Tokenizer) -> list[str]:
    """What was added to a tokenizer and is not special: words that are one token each, the longest first."""
    added = tokenizer.get_added_tokens_decoder().values()
    return sorted((token.content for token in added if not token.special), key=lambda word: (-len(word), word))


def _hide(model: dict[str, Any], specials: set[str]) -> None:
    """Renames `specials` in the model's vocabulary, but for those that a merge makes."""
    vocab = model["vocab"]
    if isinstance(vocab, list):
        model["vocab"] = [["\0" + piece if piece in specials else piece, score] for piece, score in vocab]
        return
    merges = model.get("merges", ())
    merged_tokens = {"".join(merge) if isinstance(merge, list) else merge.replace(" ", "", 1) for merge in merges}
    hidden = {s for s in specials if s in vocab and s not in merged_tokens and len(s) > 1}
    model["vocab"] = {"\0" + token if token in hidden else token: number for token, number in vocab.items()}
    if model.get("unk_token") in hidden:
        model["unk_token"] = "\0" + model["unk_token"]


def _load_remote(address: str) -> Tokenizer:
    """Of a folder or a file in a store: its files are few, and are read into a folder that goes again."""
    from wikiprep.files import Store

    folder, _, name = address.rpartition("/") if address.endswith((".json", ".txt")) else (address, "", "")
    with tempfile.TemporaryDirectory() as local:
        for file in ("tokenizer.json", "vocab.json", "merges.txt", wordpiece.VOCABULARY, wordpiece.CONFIG):
            with contextlib.suppress(FileNotFoundError):
                Path(local, file).write_bytes(Store(folder).read(file))
        try:
            return load_tokenizer(Path(local, name))
        except WikiprepError as error:
            raise type(error)(error.what.replace(local, folder.rstrip("/")), error.hint) from None


def _load_folder(folder: Path) -> Tokenizer:
    if (folder / "tokenizer.json").is_file():
        return _load_file(folder / "tokenizer.json")
    if (folder / "vocab.json").is_file() and (folder / "merges.txt").is_file():
        return _load_bpe(folder / "vocab.json", folder / "merges.txt")
    if (folder / wordpiece.VOCABULARY).is_file():
        return wordpiece.load_wordpiece(folder / wordpiece.VOCABULARY)
    raise UsageError(
        f"{folder}: no tokenizer.json in it, nor vocab.json with merges.txt, nor vocab.txt",
        "other forms (sentencepiece) become a tokenizer.json with transformers: "
        "AutoTokenizer.from_pretrained(FOLDER).save_pretrained(NEW)",
    )


def _load_file(path: Path) -> Tokenizer:
    if path.name == wordpiece.VOCABULARY:
        return wordpiece.load_wordpiece(path)
    document = _read_json(path)
    if isinstance(document.get("model"), dict):
        try:
            return Tokenizer.from_str(json.dumps(document))
        except Exception as error:  # the library raises a bare Exception
            raise WikiprepError(
                f"{path}: not a tokenizer ({error})", "was the file written by a newer version?"
            ) from error
    merges = path.with_name("merges.txt")
    if not all(isinstance(number, int) for number in document.values()):
        raise UsageError(f"{path}: not a tokenizer.json or vocab.json", f"--tokenizer takes {_FORMS}")
    if not merges.is_file():
        raise UsageError(f"{path}: no merges.txt beside it", "vocab.json alone is half a tokenizer")
    return _load_bpe(path, merges)


def _load_bpe(vocab_path: Path, merges_path: Path) -> Tokenizer:
    lines = merges_path.read_text(encoding="utf-8").split("\n")
    if lines[0].startswith("#version"):
        del lines[0]
    merges = []
    for number, line in enumerate(lines, 2):
        if line.strip():
            parts = line.rstrip("\r").split(" ")
            if len(parts) != 2:
                raise WikiprepError(f"{merges_path}: line {number} is not a pair of tokens: {line[:50]!r}")
            merges.append((parts[0], parts[1]))
    try:
        return byte_level_bpe(_read_json(vocab_path), merges)
    except Exception as error:
        raise WikiprepError(f"{vocab_path} and {merges_path.name}: not one tokenizer ({error})") from error


def _read_json(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise WikiprepError(f"{path}: not JSON ({error})", "is it whole, and not a Git LFS pointer?") from error
    if not isinstance(document, dict):
        raise UsageError(f"{path}: not a tokenizer", f"--tokenizer takes {_FORMS}")
    return document


def _load_from_hub(name: str) -> Tokenizer:
    """From the hub's cache on this machine, else from the hub."""
    import huggingface_hub  # comes with tokenizers; slow to import, and few builds need it
    from huggingface_hub.errors import HfHubHTTPError

    try:
        return Tokenizer.from_file(huggingface_hub.hf_hub_download(name, "tokenizer.json", local_files_only=True))
    except OSError:
        pass  # not in the cache
    _probe_hub(name)
    try:
        return Tokenizer.from_pretrained(name)
    except HfHubHTTPError as error:
        raise UsageError(
            f"{name}: no such file or folder here, and the hub has no tokenizer.json of that name for you",
            f"--tokenizer takes {_FORMS}",
        ) from error
    except Exception as error:  # the library raises a bare Exception
        raise WikiprepError(f"{name}: the hub gave no tokenizer ({error})", f"--tokenizer takes {_FORMS}") from error


def _probe_hub(name: str) -> None:
    """Raises WikiprepError where the hub cannot be reached: its own client goes on trying for half a minute."""
    if urllib.request.getproxies().get("https"):
        return
    address = urllib.parse.urlsplit(os.environ.get("HF_ENDPOINT") or "https://huggingface.co")
    host, port = address.hostname or "huggingface.co", address.port or (80 if address.scheme == "http" else 443)
    try:
        socket.create_connection((host, port), timeout=_PROBE_SECONDS).close()
    except OSError as error:
        raise WikiprepError(
            f"{name}: no such file or folder here, and the hub ({host}) cannot be reached ({error})",
            "give a folder with tokenizer.json, or vocab.json and merges.txt",
        ) from error
