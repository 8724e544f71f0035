"""A trained LUKE as a folder that Hugging Face's `LukeForMaskedLM` and a tokenizer there load.

With a byte-level BPE that is `LukeTokenizer`, with SentencePiece's Unigram as XLM-RoBERTa has it `MLukeTokenizer`: both
make entity inputs of spans. They know no other kind; with another (WordPiece of a BERT) the tokenizer is a plain
`PreTrainedTokenizerFast`, and whoever uses the folder makes `entity_ids` and `entity_position_ids` himself. The model
computes the same: the layers of `LukeModel` are BERT's too, and its positions begin behind the padding id, where our
table has them (`hugging_face.sizes_of`).

What that library (5.24) needs beyond our tensors: the word decoder and both biases in full, since it does not tie the
first; the three queries of entity-aware attention, copies of `query` where they were not trained; a row for each word
token that its tokenizer adds (`<ent>`, `<ent2>`, and the entity tokens as words); `max_entity_length` for records of
more than 32 entities. An added row's bias is so low that the softmax over words stays what it was in training.
"""

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

import torch
from safetensors.torch import save_file
from tokenizers import AddedToken, Tokenizer, models
from torch import Tensor

from wikiprep.corpus.tokenizers import save_bpe_files, save_tokenizer
from wikiprep.disk_errors import FREE_SPACE, failed_path, is_full
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.files import apply_umask
from wikiprep.pretrain.luke.about_folder import About
from wikiprep.pretrain.luke.corpus_entities import Entities
from wikiprep.pretrain.luke.entity_rows import write_as_trained
from wikiprep.pretrain.luke.hf_config import CONFIG, luke_config_json
from wikiprep.pretrain.luke.parameter_names import QUERIES, tied_copies, to_hugging_face
from wikiprep.pretrain.luke.words import Words, words_of
from wikiprep.pretrain.run_folder import EXPORTED_CONFIG
from wikiprep.tables.vocabulary_entities import ENTITY_QIDS, ENTITY_REDIRECTS

LUKE_TOKENIZER, MLUKE_TOKENIZER, PLAIN_TOKENIZER = "LukeTokenizer", "MLukeTokenizer", "PreTrainedTokenizerFast"
WEIGHTS = "model.safetensors"
MAX_ENTITY_LENGTH = 128
MAX_MENTION_LENGTH = 30
_MASK2, _MASK = "[MASK2]", "[MASK]"
_NO_WORD = -10_000.0  # bias of added rows; within float16
# Words that LukeTokenizer adds, in its order, and whose rows they take: the first two as published, the rest by sense.
_ADDED = {
    "<ent>": "@",
    "<ent2>": "#",
    "[UNK]": "<unk>",
    "[PAD]": "<pad>",
    "[MASK]": "<mask>",
    "[MASK2]": "<mask>",
}
_MARK = "▁"  # before <ent> and <ent2> in MLukeTokenizer (transformers 5)
_ROBERTA_IDS = {"<s>": 0, "<pad>": 1, "</s>": 2, "<unk>": 3}


def export(tensors: dict[str, Tensor], about: About, out: Path, run_config: Path | None = None) -> str:
    """Write the folder. `tensors` is the state of a `Luke`, `run_config` the configuration of its run, for `evaluate`.

    Returns the name of the class that its tokenizer is of. Raises UsageError for what has no form there.
    """
    _check_exportable(about)
    with whole_folder(out) as folder:
        return _export(tensors, about, folder, run_config)


@contextmanager
def whole_folder(out: Path) -> Iterator[Path]:
    """A folder to fill, which becomes `out` at the end; where that fails nothing of it stays.

    Raises UsageError where there is something already, WikiprepError where the disk is full.
    """
    if out.exists() and any(out.iterdir() if out.is_dir() else [out]):
        raise UsageError(f"{out}: there is something already", "give a new folder")
    out = out.absolute()
    if out == Path.cwd():
        raise UsageError("the current folder cannot be replaced by another", "give a new folder")
    partial_folder = out.with_name(out.name + ".part")
    shutil.rmtree(partial_folder, ignore_errors=True)
    try:
        partial_folder.mkdir(parents=True)
        yield partial_folder
        if out.is_dir():
            out.rmdir()
        partial_folder.replace(out)
    except BaseException as error:
        shutil.rmtree(partial_folder, ignore_errors=True)
        if is_full(error):
            raise WikiprepError(f"{failed_path(error) or out}: the disk is full", FREE_SPACE) from error
        raise


def _export(tensors: dict[str, Tensor], about: About, folder: Path, run_config: Path | None) -> str:
    words = words_of(about.tokenizer, "the run's tokenizer")
    entities = _ids_with_mask2(about.entities, len(tensors["entities.entity.weight"]))
    (folder / "entity_vocab.json").write_text(
        json.dumps(entities, ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
    )
    kind = kind_of(about.tokenizer)
    if kind != PLAIN_TOKENIZER:
        word_rows = save_luke_tokenizer(about.tokenizer, words, folder)
    else:
        word_rows = save_plain_tokenizer(about.tokenizer, words, folder)
    write_as_trained(folder, tensors, entities[_MASK2])
    state = with_queries(_add_rows(tensors, word_rows, entities, words.size))
    hf_state = to_hugging_face(state)
    hf_state |= tied_copies(hf_state)
    float_tensors = {name: tensor.float().clone().contiguous() for name, tensor in hf_state.items()}
    save_file(float_tensors, folder / WEIGHTS, {"format": "pt"})
    apply_umask(folder / WEIGHTS)
    if run_config is not None:
        shutil.copyfile(run_config, folder / EXPORTED_CONFIG)
    if (about.folder / ENTITY_REDIRECTS).is_file():
        shutil.copyfile(about.folder / ENTITY_REDIRECTS, folder / ENTITY_REDIRECTS)
    if about.entities.qids:
        (folder / ENTITY_QIDS).write_text(
            json.dumps(about.entities.qids, ensure_ascii=False, indent=0) + "\n", encoding="utf-8"
        )
    specials = {"first": words.first, "pad": words.pad, "last": words.last}
    rows = len(state["entities.entity.weight"])
    (folder / CONFIG).write_text(luke_config_json(about.config, len(word_rows), rows, specials), encoding="utf-8")
    return kind


def _check_exportable(about: About) -> None:
    config = about.config
    if not config.entities:
        raise UsageError("the run has no entity inputs: it is no LUKE", "its weights are RoBERTa's: nothing to export")
    if config.entity_head != "released":
        raise UsageError(
            f"entity_head = {config.entity_head}: transformers has no such head", 'train with entity_head = "released"'
        )


def kind_of(tokenizer: Tokenizer) -> str:
    """The class that makes entity inputs with this tokenizer's ids, or PLAIN_TOKENIZER for none."""
    if is_byte_level(tokenizer):
        return LUKE_TOKENIZER
    ids = {name: tokenizer.token_to_id(name) for name in _ROBERTA_IDS}
    return MLUKE_TOKENIZER if isinstance(tokenizer.model, models.Unigram) and ids == _ROBERTA_IDS else PLAIN_TOKENIZER


def is_byte_level(tokenizer: Tokenizer) -> bool:
    if not isinstance(tokenizer.model, models.BPE) or tokenizer.model.byte_fallback:
        return False
    document = json.loads(tokenizer.to_str())
    return not document["normalizer"] and "ByteLevel" in json.dumps(document["pre_tokenizer"])


def _ids_with_mask2(entities: Entities, rows: int) -> dict[str, int]:
    """Ids by title; `[MASK2]` becomes the last id where there is none.

    It stands behind all `rows` of the table, which may have some that this corpus has no title for
    (`model.entity_vocab_size` of a run on several corpora).
    """
    return entities.ids if _MASK2 in entities.ids else entities.ids | {_MASK2: max(rows, entities.size)}


def save_plain_tokenizer(tokenizer: Tokenizer, words: Words, out: Path) -> list[int]:
    """Write the tokenizer's files as it is; all rows are ours."""
    save_tokenizer(tokenizer, out / "tokenizer.json")
    names = {"cls_token": words.first, "sep_token": words.last, "pad_token": words.pad, "mask_token": words.mask}
    unknown = next((name for name in ("[UNK]", "<unk>") if tokenizer.token_to_id(name) is not None), None)
    settings = {"tokenizer_class": PLAIN_TOKENIZER, "model_max_length": 512}
    settings |= {name: tokenizer.id_to_token(number) for name, number in names.items()}
    settings |= {"unk_token": unknown} if unknown else {}
    (out / "tokenizer_config.json").write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
    return list(range(words.size))


def save_luke_tokenizer(
    tokenizer: Tokenizer,
    words: Words,
    out: Path,
    own: Mapping[str, int] = MappingProxyType({}),
    task: str | None = None,
) -> list[int]:
    """Write the tokenizer's files, and return for each word id there which of our rows it takes (added ones behind).

    `own`: rows of added words that were trained; `task`: what the tokenizer is to make inputs for.
    """
    extended_tokenizer, kind = Tokenizer.from_str(tokenizer.to_str()), kind_of(tokenizer)
    mark = _MARK if kind == MLUKE_TOKENIZER else ""
    added_words = {f"{mark if name.startswith('<') else ''}{name}": source_word for name, source_word in _ADDED.items()}
    extended_tokenizer.add_special_tokens([AddedToken(name, normalized=False, special=True) for name in added_words])
    save_tokenizer(extended_tokenizer, out / "tokenizer.json")
    save_bpe_files(extended_tokenizer, out)
    settings = {
        "tokenizer_class": kind,
        "model_max_length": 512,
        "max_entity_length": MAX_ENTITY_LENGTH,
        "max_mention_length": MAX_MENTION_LENGTH,
        "task": task,
        "add_prefix_space": False,
    }
    (out / "tokenizer_config.json").write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
    rows = list(range(words.size))
    for name, source_word in added_words.items():
        number, source = extended_tokenizer.get_vocab()[name], tokenizer.token_to_id(source_word)
        if number < words.size and name not in own:
            continue  # the corpus's tokenizer had it, so that its row was trained
        rows += [words.pad] * (number + 1 - len(rows))
        rows[number] = own.get(name, words.pad if source is None else source)
    return rows


def _add_rows(
    tensors: dict[str, Tensor], word_rows: list[int], entities: dict[str, int], words: int
) -> dict[str, Tensor]:
    """The word table with the added rows, and the entity table with `[MASK2]`, which is `[MASK]` once more."""
    state = dict(tensors)
    rows = torch.tensor(word_rows)
    state["words.token.weight"] = tensors["words.token.weight"][rows]
    state["word_head.bias"] = torch.where(torch.arange(len(rows)) < words, tensors["word_head.bias"][rows], _NO_WORD)
    mask, mask2 = entities[_MASK], entities[_MASK2]
    for name in ("entities.entity.weight", "entity_head.bias"):
        table = tensors[name]
        extended_table = torch.cat([table, table[:1].expand(max(0, mask2 + 1 - len(table)), *table.shape[1:])])
        extended_table[mask2] = table[mask]
        state[name] = extended_table
    return state


def with_queries(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Each of the three queries that is not there as a copy of `query`: the same attention."""
    state = dict(tensors)
    for name, tensor in tensors.items():
        if ".qkv." in name:
            layer, _, kind = name.partition("qkv.")
            for query in QUERIES:
                state.setdefault(f"{layer}{query}.{kind}", tensor.chunk(3)[0])
    return state
