"""Pieces against what the slow tokenizers of transformers 4 gave: RoBERTa (4.49, ids recorded), and SentencePiece."""

from pathlib import Path

import pytest
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

from wikiprep.corpus.luke2020_pieces import ReferenceEncoder, collapse
from wikiprep.corpus.tokenizers import load_tokenizer, train_tokenizer

# text, ids without and with a leading space
CASES = [
    ("foo", [48359], [48769]),
    (" foo", [48769], [48769]),
    ("a <mask> b", [102, 50264, 741], [10, 50264, 741]),
    ("a<mask><mask> c", [102, 50264, 50264, 740], [10, 50264, 50264, 740]),
    ("  <mask>", [50264], [50264]),
    ("x </s> y", [1178, 1437, 2, 1423], [3023, 1437, 2, 1423]),
    ("<s>a</s> b<unk><pad>", [0, 102, 2, 741, 3, 1], [1437, 0, 102, 2, 741, 3, 1]),
    ("<ma<mask>", [41552, 1916, 50264], [28696, 1916, 50264]),
    ("<|endoftext|>", [41552, 15483, 1397, 1116, 29015, 15483, 15698], [28696, 15483, 1397, 1116, 29015, 15483, 15698]),
    (
        "can't I'LL we'd 'S o'clock",
        [7424, 75, 38, 108, 6006, 52, 1017, 128, 104, 1021, 108, 17036],
        [64, 75, 38, 108, 6006, 52, 1017, 128, 104, 1021, 108, 17036],
    ),
    ("a\xa0b\u3000c", [102, 741, 740], [10, 741, 740]),
    ("tab\tnew\nline  two ", [34108, 92, 516, 80], [12207, 92, 516, 80]),
    ("1,234.5 km\xb2", [134, 6, 28621, 4, 245, 6301, 40632], [112, 6, 28621, 4, 245, 6301, 40632]),
    (
        "na\xefve \xdcn\xefc\xf6d\xe9",
        [2133, 48350, 31153, 282, 29667, 438, 3671, 417, 1140],
        [39300, 31153, 282, 29667, 438, 3671, 417, 1140],
    ),
    (
        "\u6771\u4eac\u306f\u65e5\u672c",
        [48414, 15389, 46499, 11582, 48549, 47954, 8210, 44636, 11582],
        [47416, 46, 15389, 46499, 11582, 48549, 47954, 8210, 44636, 11582],
    ),
    (
        "\u041f\u0440\u0438\u0432\u0435\u0442, \u043c\u0438\u0440!",
        [25417, 4333, 24269, 35328, 42907, 25482, 35555, 6, 18697, 4394, 35328, 24269, 328],
        [18697, 4333, 24269, 35328, 42907, 25482, 35555, 6, 18697, 4394, 35328, 24269, 328],
    ),
    (
        "\U0001f600\U0001f469\u200d\U0001f469\u200d\U0001f467",
        [18636, 7471, 31193, 15375, 17, 8384, 31193, 15375, 17, 8384, 31193, 6248],
        [17841, 7471, 31193, 15375, 17, 8384, 31193, 15375, 17, 8384, 31193, 6248],
    ),
    ("e\u0301\u200b\xad", [242, 44025, 10172, 13635, 5514], [364, 44025, 10172, 13635, 5514]),
    (
        "[MASK] [UNK] @ #",
        [10975, 32804, 530, 742, 646, 4154, 530, 742, 787, 849],
        [646, 32804, 530, 742, 646, 4154, 530, 742, 787, 849],
    ),
    ("\x00\x07\x7f", [50108, 50115, 49802], [1437, 50108, 50115, 49802]),
    (
        "\u01c5\xbd\u2167\u07c0",
        [47040, 5782, 14989, 24987, 5782, 6248, 49860, 7471],
        [1437, 47040, 5782, 14989, 24987, 5782, 6248, 49860, 7471],
    ),
    ("--- ... !?", [24965, 1666, 27785, 116], [21394, 1666, 27785, 116]),
    ("a\x1cb\x85c", [102, 741, 740], [10, 741, 740]),
]


@pytest.fixture(scope="module")
def roberta(shared_data: Path) -> Tokenizer:
    return load_tokenizer(shared_data / "tokenizers" / "roberta-base")


@pytest.mark.parametrize(("text", "plain", "spaced"), CASES, ids=[ascii(case[0]) for case in CASES])
def test_ids_of_the_slow_tokenizer(roberta: Tokenizer, text: str, plain: list[int], spaced: list[int]) -> None:
    encoder = ReferenceEncoder(roberta)
    prepared = [encoder.prepare(text, leading) for leading in (False, True)]
    ids = encoder.encode(prepared)
    assert [ids[p] for p in prepared] == [plain, spaced]


@pytest.mark.parametrize("prefix", [True, False])
def test_the_way_the_file_was_written_does_not_matter(roberta: Tokenizer, prefix: bool) -> None:
    other = Tokenizer(roberta.model)
    other.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=prefix)
    other.enable_truncation(2)
    other.enable_padding(length=64)
    text = "The quick <mask> fox </s>"
    assert ReferenceEncoder(other).encode([text]) == ReferenceEncoder(roberta).encode([text])


def test_a_token_added_to_the_model_is_found_in_text() -> None:
    tokenizer = train_tokenizer(["a b c"] * 2, 300)
    tokenizer.add_tokens([AddedToken("<ent>", lstrip=True, rstrip=True)])
    encoder = ReferenceEncoder(tokenizer)
    assert encoder.encode(["a <ent> b"])["a <ent> b"] == encoder.encode(["a<ent>b"])["a<ent>b"]
    assert tokenizer.token_to_id("<ent>") in encoder.encode(["a<ent>b"])["a<ent>b"]


def test_a_tokenizer_that_is_not_byte_level_knows_no_leading_space() -> None:
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0, "a": 1, "##b": 2}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    encoder = ReferenceEncoder(tokenizer)
    assert encoder.prepare("ab", True) == "ab"
    assert encoder.encode(["ab", ""]) == {"ab": [1, 2], "": []}


def test_white_space_becomes_one_space_and_none_at_the_end() -> None:
    assert collapse("\t a\u00a0\u2029b\x1c \n") == " a b"


def sentencepiece() -> Tokenizer:
    """As XLM-R's tokenizer.json: SentencePiece's pieces, a mark before each text."""
    pieces = ["▁", "▁Tokyo", "To", "ky", "o", "▁私", "は", "寿", "司", "を", "食べた", "。", "▁a", "a", "x"]
    vocab = [(name, 0.0) for name in ("<s>", "<pad>", "</s>", "<unk>")]
    vocab += [(piece, -1.0 - n / 32) for n, piece in enumerate(pieces)] + [("<mask>", 0.0)]
    tokenizer = Tokenizer(models.Unigram(vocab, 3))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>", "<mask>"])
    return tokenizer


# What SentencePiece with the published code's guard gives: text, tokens without and with a space in front.
SENTENCEPIECE = [
    ("Tokyo", ["To", "ky", "o"], ["▁Tokyo"]),
    (" Tokyo", ["▁Tokyo"], ["▁Tokyo"]),
    ("私は", ["は"], ["▁私", "は"]),  # guard and unknown character are one token: the published code loses both
    ("寿司", ["寿", "司"], ["▁", "寿", "司"]),
    ("を食べた。", ["を", "食べた", "。"], ["▁", "を", "食べた", "。"]),
    ("a <mask> a", ["a", "<mask>", "▁a"], ["▁a", "<mask>", "▁a"]),
    ("x</s>a", ["x", "</s>", "▁a"], ["▁", "x", "</s>", "▁a"]),
    ("", [], []),
]


@pytest.mark.parametrize(("text", "glued", "spaced"), SENTENCEPIECE)
def test_sentencepiece_gets_no_mark_where_no_space_is(text: str, glued: list[str], spaced: list[str]) -> None:
    tokenizer = sentencepiece()
    encoder = ReferenceEncoder(tokenizer)
    prepared = [encoder.prepare(text, leading) for leading in (False, True)]
    ids = encoder.encode(prepared)
    assert [[tokenizer.id_to_token(i) for i in ids[p]] for p in prepared] == [glued, spaced]
