"""Which encoder a tokenizer gets."""

import json

from tokenizers import Tokenizer

from wikiprep.corpus.chunk_encoder import ChunkEncoder
from wikiprep.corpus.encoder import Encoder
from wikiprep.corpus.sentence_encoder import SentenceEncoder

# Options of a BPE by which the tokens of a run are not those of its parts.
_OTHER_WAYS = ("continuing_subword_prefix", "end_of_word_suffix", "ignore_merges", "byte_fallback")


def make_encoder(tokenizer: Tokenizer) -> Encoder:
    """The fastest encoder that gives the tokenizer's own ids.

    Raises UsageError for a tokenizer whose normalizer leaves nothing that could stand before a cut.
    """
    document = json.loads(tokenizer.to_str())
    pre_tokenizer = document["pre_tokenizer"] or {}
    gpt2 = pre_tokenizer.get("type") == "ByteLevel" and pre_tokenizer.get("use_regex", True)
    model = document["model"]
    merges_alone = model["type"] == "BPE" and not any(model.get(name) for name in _OTHER_WAYS)
    if gpt2 and merges_alone and not document["normalizer"]:
        return ChunkEncoder(tokenizer)
    return SentenceEncoder(tokenizer)
