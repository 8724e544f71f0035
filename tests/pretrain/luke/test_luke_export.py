"""What is exported, transformers loads: the same scores for real text, and nothing missing or out of range."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from corpus_records import records_of
from torch import Tensor
from transformers import LukeForMaskedLM, LukeTokenizer

from wikiprep.corpus.tokenizers import plain_copy
from wikiprep.errors import UsageError
from wikiprep.pretrain.luke.about_folder import About, read_about
from wikiprep.pretrain.luke.batch import at_places
from wikiprep.pretrain.luke.export import export
from wikiprep.pretrain.luke.make_family import make
from wikiprep.pretrain.luke.model import Luke
from wikiprep.pretrain.luke.open_folder import open_folder


@pytest.fixture(scope="module")
def run(sample_corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run's folder, with what it knows of the corpus."""
    folder = tmp_path_factory.mktemp("run")
    make({"model": {"size": "tiny"}}, sample_corpus).about(folder / "about")
    return folder


def trained(about: About, seed: int = 0, **changed: object) -> Luke:
    """A model in which no parameter is 0 or 1, as after training."""
    model = Luke(replace(about.config, **changed), seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for tensor in [*model.parameters(), *model.buffers()]:
            tensor.add_(0.1 * torch.randn(tensor.shape, generator=generator))
    return model.eval()


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "entity-aware"])
def exported(request: pytest.FixtureRequest, run: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Luke, Path]:
    about = read_about(run / "about")
    model = trained(about, entity_aware_attention=request.param)
    folder = tmp_path_factory.mktemp("exported") / "hf"
    export(model.state_dict(), about, folder)
    return model, folder


def load(folder: Path) -> tuple[LukeForMaskedLM, LukeTokenizer]:
    model, found = LukeForMaskedLM.from_pretrained(folder, output_loading_info=True)
    assert not any(found.values()), found  # nothing missing, unexpected, or of another shape
    return model.eval(), LukeTokenizer.from_pretrained(folder)


def test_scores_of_records_are_ours(exported: tuple[Luke, Path], sample_corpus: Path) -> None:
    model, folder = exported
    other, _ = load(folder)
    family = make({"model": {"size": "tiny"}}, sample_corpus)
    records = [record for record in records_of(sample_corpus) if len(record.entity_ids) > 2][:6]
    batch = family.collate(records, [np.random.default_rng(number) for number in range(len(records))])
    words, entities = word_and_entity_scores(model, batch)
    width = batch["word_ids"].shape[1]
    places = batch["entity_starts"][..., None] + torch.arange(30)
    with torch.no_grad():
        found = other(
            input_ids=batch["word_ids"],
            attention_mask=batch["real"][:, :width].long(),
            entity_ids=batch["entity_ids"],
            entity_attention_mask=batch["real"][:, width:].long(),
            entity_position_ids=torch.where(places < batch["entity_ends"][..., None], places, -1),
        )
    theirs = at_places(found.logits, batch["word_targets"])
    torch.testing.assert_close(theirs[:, : words.shape[1]], words, rtol=1e-4, atol=1e-4)
    # The words that the tokenizer adds take nothing from the softmax.
    assert float(torch.softmax(theirs, dim=1)[:, words.shape[1] :].max()) == 0.0
    theirs = at_places(found.entity_logits, batch["entity_targets"])
    mask2 = int(json.loads((folder / "entity_vocab.json").read_text(encoding="utf-8"))["[MASK2]"])
    assert torch.equal(theirs[:, mask2], theirs[:, 2])  # a copy of [MASK]
    torch.testing.assert_close(theirs[:, :mask2], entities[:, :mask2], rtol=1e-4, atol=1e-4)


def word_and_entity_scores(model: Luke, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    assert model.entities is not None and model.entity_head is not None
    with torch.no_grad():
        words, entities = model.encode(batch)
        word = model.word_head(at_places(words, batch["word_targets"])) @ model.words.token.weight.T
        entity = model.entity_head(at_places(entities, batch["entity_targets"])) @ model.entities.entity.weight.T
        return word + model.word_head.bias, entity + model.entity_head.bias


TEXTS = [  # each with the span of a mention: a whole word, as LukeTokenizer cuts the text there
    ("The Moon is a body.", (0, 3)),
    ("A text that says [MASK] and [MASK2], [UNK] [PAD] and <ent> and <ent2> in so many words.", (2, 6)),
    (" leading space, “quotes”, naïve 漢字 🙂", (0, 8)),
]


def test_texts_through_tokenizer_and_model(exported: tuple[Luke, Path], run: Path) -> None:
    model, tokenizer = load(exported[1])
    ours = plain_copy(read_about(run / "about").tokenizer)
    assert model.config.vocab_size >= len(tokenizer)
    for text, span in TEXTS:
        encoded = tokenizer(text, entity_spans=[span], return_tensors="pt")
        with torch.no_grad():
            found = model(**encoded)
        assert torch.isfinite(found.logits).all() and torch.isfinite(found.entity_logits).all()
        if "[MASK]" not in text:
            assert encoded["input_ids"][0, 1:-1].tolist() == ours.encode(text).ids
    said = tokenizer("[MASK]")["input_ids"]
    assert max(said) < model.config.vocab_size and len(said) == 3


def test_forty_entities_are_kept(exported: tuple[Luke, Path]) -> None:
    model, tokenizer = load(exported[1])
    title = next(title for title in tokenizer.entity_vocab if title[0] != "[")
    text = " ".join(f"name{number}" for number in range(40))
    spans, at = [], 0
    for name in text.split():
        spans.append((at, at + len(name)))
        at += len(name) + 1
    encoded = tokenizer(
        text, entity_spans=spans, entities=[title] * 40, truncation=True, max_length=512, return_tensors="pt"
    )
    assert encoded["entity_ids"].tolist() == [[tokenizer.entity_vocab[title]] * 40]
    with torch.no_grad():
        assert model(**encoded).entity_logits.shape[1] == 40


def test_added_rows(exported: tuple[Luke, Path]) -> None:
    ours, folder = exported
    model, tokenizer = load(folder)
    table = model.luke.embeddings.word_embeddings.weight
    for added, like in (("<ent>", "@"), ("<ent2>", "#"), ("[MASK]", "<mask>")):
        one, other = tokenizer.convert_tokens_to_ids([added, like])
        assert torch.equal(table[one], table[other])
    layer = model.luke.encoder.layer[0].attention.self
    for theirs, mine in (("w2e_query", "word_to_entity"), ("e2e_query", "entity_to_entity")):
        own = getattr(ours.layers[0].attention, mine, None)
        expected = layer.query.weight if own is None else own.weight
        assert torch.equal(getattr(layer, theirs).weight, expected)


def test_a_vocabulary_without_mask2_gets_it_as_the_last_id(run: Path, tmp_path: Path) -> None:
    about = read_about(run / "about")
    ids = {title: number for title, number in about.entities.ids.items() if title != "[MASK2]"}
    size = max(ids.values()) + 1
    about = replace(about, entities=replace(about.entities, ids=ids, size=size))
    model = trained(about, entity_vocab_size=size)
    export(model.state_dict(), about, tmp_path / "hf")
    other, tokenizer = load(tmp_path / "hf")
    assert tokenizer.entity_mask2_token_id == size and other.config.entity_vocab_size == size + 1
    # wikiprep itself has the model as it was, without the row.
    again = open_folder(tmp_path / "hf", torch.device("cpu")).model.state_dict()
    assert torch.equal(again["entities.entity.weight"], model.state_dict()["entities.entity.weight"])
    assert torch.equal(again["entity_head.bias"], model.state_dict()["entity_head.bias"])


def test_qids_stand_beside_it(run: Path, tmp_path: Path) -> None:
    about = read_about(run / "about")
    about = replace(about, entities=replace(about.entities, qids={"Moon": "Q405"}))
    export(trained(about).state_dict(), about, tmp_path / "hf")
    assert json.loads((tmp_path / "hf" / "entity_qids.json").read_text()) == {"Moon": "Q405"}


def test_what_has_no_form_there(run: Path, tmp_path: Path) -> None:
    about = read_about(run / "about")
    for changed, said in (({"entity_head": "paper"}, "no such head"), ({"entities": False}, "no LUKE")):
        other = replace(about, config=replace(about.config, **changed))
        with pytest.raises(UsageError, match=said):
            export({}, other, tmp_path / "hf")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("")
    with pytest.raises(UsageError, match="something already"):
        export(trained(about).state_dict(), about, tmp_path / "full")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full"]


def test_about_is_checked(run: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(run, copy)
    text = (copy / "about" / "luke.json").read_text()
    for damaged, said in ((text[:20], "cannot be read"), (text.replace("luke/1", "luke/9"), "holds luke/9")):
        (copy / "about" / "luke.json").write_text(damaged)
        with pytest.raises(UsageError.__bases__[0], match=said):
            read_about(copy / "about")


def test_entities_are_read_with_their_qids(tmp_path: Path) -> None:
    from wikiprep.pretrain.luke.corpus_entities import read_entities

    path = tmp_path / "entity_vocab.parquet"
    pq.write_table(pa.table({"id": [0, 5], "title": ["[PAD]", "Moon"], "qid": [None, "Q405"]}), path)
    entities = read_entities(path)
    assert (entities.ids, entities.qids, entities.size) == ({"[PAD]": 0, "Moon": 5}, {"Moon": "Q405"}, 6)


def test_rows_without_a_title_here_stay_as_they_were_trained(run: Path, tmp_path: Path) -> None:
    """Of a run on several corpora with one --entity-vocab, of which the first may lack the last ids."""
    about = read_about(run / "about")
    ids = {title: number for title, number in about.entities.ids.items() if title != "[MASK2]"}
    entities = replace(about.entities, ids=ids, size=max(ids.values()) + 1)
    rows = entities.size + 5
    about = replace(about, entities=entities, config=replace(about.config, entity_vocab_size=rows))
    model = trained(about)
    export(model.state_dict(), about, tmp_path / "hf")
    other, tokenizer = load(tmp_path / "hf")
    assert tokenizer.entity_vocab["[MASK2]"] == rows == other.config.entity_vocab_size - 1
    table = other.luke.entity_embeddings.entity_embeddings.weight
    assert torch.equal(table[:rows], model.entities.entity.weight)
    assert torch.equal(table[rows], table[ids["[MASK]"]])
