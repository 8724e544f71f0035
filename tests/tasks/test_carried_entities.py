"""Entities of SQuAD in the encoder's vocabulary: by item, title and redirect, of whatever dump their titles are."""

import json
from collections import Counter
from pathlib import Path

import pytest
from building import TOKENIZER

from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.tables.title_source import open_title_source
from wikiprep.tables.titles_to_vocabulary import Carrier, ways_in_words
from wikiprep.tasks.examples import Answer, EntitySpan, QuestionExample
from wikiprep.tasks.options import TaskOptions
from wikiprep.tasks.pieces import Pieces
from wikiprep.tasks.registry import task_named
from wikiprep.tasks.task import Inputs

ROWS = {"Mars": 3, "Sun": 4}
TEXT = "Mars and Sol and Red planet and Nowhere."
TITLES = ("Mars", "Sol", "Red planet", "Nowhere")


def asked(items: tuple[str | None, ...], carrier: Carrier) -> tuple[list[int], Counter[str], Counter[str]]:
    """Rows of the entities of a passage, the ways, and what was left out."""
    spans = [EntitySpan(TEXT.index(name), TEXT.index(name) + len(name), name, item)
             for name, item in zip(TITLES, items, strict=True)]  # fmt: skip
    example = QuestionExample("q", "t", "Where?", TEXT, (Answer("Mars", 0),), (), tuple(spans))
    inputs = Inputs(Pieces(load_tokenizer(TOKENIZER), (), ""), {}, 128, 30, True, ROWS, carrier)
    left_out: Counter[str] = Counter()
    (one,) = task_named("squad", TaskOptions()).features(example, 0, inputs, left_out)
    return one.entity_ids.tolist(), inputs.carried, left_out


def test_each_link_has_its_way_and_what_is_lost_is_counted() -> None:
    carrier = Carrier(ROWS, {"Mars": "Q111"}, lambda: {"Sol": "Sun"})
    rows, ways, left_out = asked((None, None, "Q111", None), carrier)
    assert rows == [3, 4, 3]
    assert ways == {"title": 1, "redirect": 1, "qid": 1, "lost": 1}
    assert ways_in_words(ways) == "4 links to entities (1 by qid, 1 by title, 1 by redirect, 1 lost)"
    assert left_out["entities that the encoder's vocabulary lacks"] == 1


def test_items_of_the_titles_dump_are_taken_where_links_have_none(tmp_path: Path) -> None:
    (tmp_path / "qids.json").write_text(json.dumps({"Red planet": "Q111", "Mars": "Q5"}))
    source = open_title_source(str(tmp_path / "qids.json"))
    rows, ways, _ = asked((None,) * 4, Carrier(ROWS, {"Mars": "Q111"}, dict, source))
    assert rows == [3]  # Mars is another item's title there
    assert ways == {"qid": 1, "lost": 3}


def test_a_run_that_goes_on_knows_items_and_redirects_without_its_encoder(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install '.[train]'")
    from wikiprep.pretrain.luke.config import LukeConfig
    from wikiprep.tasks.finetune.about_folder import About, read_about, write_about
    from wikiprep.tasks.finetune.encoder import Start

    config = LukeConfig(vocab_size=300, entity_vocab_size=5)
    start = Start("x", config, {}, load_tokenizer(TOKENIZER), ROWS, {"Mars": "Q111"}, lambda: {"Sol": "Sun"})
    write_about(tmp_path, About("squad", TaskOptions(), ("first", "last"), config), start, looks_up=True)
    _, again = read_about(tmp_path)
    assert (again.entities, again.qids, again.redirects()) == (ROWS, {"Mars": "Q111"}, {"Sol": "Sun"})
