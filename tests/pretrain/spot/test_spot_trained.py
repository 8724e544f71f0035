"""A trained SPOT that is asked: against its own modules by hand, on any text, without a table of entities."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from wikiprep.cli.main import cli
from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain.spot.config import Objective
from wikiprep.pretrain.spot.trained import TrainedSpot, open_trained
from wikiprep.pretrain.trained import BadText, MarkedText
from wikiprep.records.reader import RecordReader
from wikiprep.records.record import Record
from wikiprep.records.training_corpus import open_corpus

# Nobody whom the sample knows.
TEXT = "Zorvana Quill met the Grand Old Society of Unheard Of Things in Plimbo."
NAMES = ("Zorvana Quill", "Grand Old Society of Unheard Of Things", "Plimbo")
LINKS = [{"start": TEXT.index(name), "end": TEXT.index(name) + len(name)} for name in NAMES]


@pytest.fixture(scope="module")
def records(sample_spot: Path) -> list[Record]:
    reader = RecordReader(open_corpus(str(sample_spot), 0.1, "sentence"))
    return [reader.read(number) for number in range(40)]


def marked(*names: str, text: str = TEXT) -> MarkedText:
    spans = tuple((text.index(name), text.index(name) + len(name)) for name in names)
    return MarkedText(text, spans, (None,) * len(spans))


def by_hand(trained: TrainedSpot, record: Record) -> tuple[torch.Tensor, torch.Tensor]:
    """e [M, D] of a record's mentions, and r [M, M, D], from the states of the sentence alone, in plain loops."""
    model, words = trained.model, trained._words
    ids = torch.tensor([[words.first, *record.word_ids.tolist(), words.last]])
    batch = {"word_ids": ids, "word_positions": torch.arange(ids.shape[1])[None] + words.pad + 1}
    batch["real"] = torch.ones_like(ids, dtype=torch.bool)
    with torch.no_grad():
        states = model.text.run(batch, None)
        starts, ends = (torch.tensor(side + 1, dtype=torch.long) for side in (record.entity_starts, record.entity_ends))
        spans = model.spans(states, torch.zeros_like(starts), starts, ends)
        seen = spans
        for layer in model.pairs.layers:
            heads, size = layer.heads, layer.qkv.out_features // 3
            query, key, value = (part.view(len(spans), heads, -1) for part in layer.qkv(seen).split(size, dim=1))
            weights = torch.einsum("ihd,jhd->hij", query, key) / query.shape[-1] ** 0.5
            mixed = torch.einsum("hij,jhd->ihd", weights.softmax(-1), value).reshape(len(spans), -1)
            seen = layer.norm(seen + layer.out(mixed))
        both = model.pairs.head(seen)[:, None] + model.pairs.tail(seen)[None]
        return spans, model.pairs.norm(torch.nn.functional.gelu(both))


def test_vectors_of_texts_are_those_of_the_modules(trained: TrainedSpot) -> None:
    text, other = marked(*NAMES), marked("Plimbo", text="Far from Plimbo")
    spans, pairs = by_hand(trained, trained._encode(text).record)
    found = trained.span_vectors([text, other, text])
    np.testing.assert_allclose(found[0], spans.numpy(), atol=1e-5)
    assert [rows.shape for rows in found] == [(3, 64), (1, 64), (3, 64)]
    asked = [(2, 0), (0, 2), (1, 2)]
    first, none, last = trained.vectors_of_pairs([text, other, text], [asked, [], asked[:1]])
    np.testing.assert_allclose(first, torch.stack([pairs[i, j] for i, j in asked]).numpy(), atol=1e-5)
    np.testing.assert_allclose(last, first[:1], atol=1e-5)
    assert none.shape == (0, 64) and np.abs(first[0] - first[1]).max() > 1e-2
    np.testing.assert_allclose(trained.pair_vectors([text], [(1, 2)])[0], first[2], atol=1e-5)
    # The pair alone is another sentence to the self-attention than the pair beside a third mention.
    alone = trained.pair_vectors([marked(NAMES[0], NAMES[2])], [(0, 1)])[0]
    assert np.abs(alone - first[1]).max() > 1e-4
    assert trained.cut_spans([text, other]) == 2 and trained.entities == 0


def test_ranks_are_those_of_the_heads(trained: TrainedSpot, records: list[Record]) -> None:
    several = [record for record in records if len(record.relations)]
    found = iter(trained.relation_ranks(several).tolist())
    places = [np.arange(len(record.entity_ids)) for record in several]
    counts = sum(map(len, places))
    some, every = ([np.arange(0, trained.about.config.entity_vocab_size, step)] * counts for step in (2, 1))
    ranks = trained.entity_ranks(several, places, every, words_masked=False)
    entities = iter(ranks.over_all.tolist())
    assert np.abs(ranks.among - ranks.over_all).max() <= 1  # one product a row, or all at once
    labels = np.concatenate([record.entity_ids for record in several])
    among = trained.entity_ranks(several, places, some, words_masked=False).among
    assert ((among == -1) == (labels % 2 == 1)).all() and (among <= ranks.over_all + 1).all()
    classes = trained.about.relations
    for record in several:
        spans, pairs = by_hand(trained, record)
        with torch.no_grad():
            scores, chances = trained.model.relations(pairs), trained.model.entities.log_prob(spans)
        keys = sorted({(int(row["head"]), int(row["tail"])) for row in record.relations})
        for head, tail in keys:
            own = [
                int(
                    scores[head, tail]
                    .argsort(descending=True)
                    .tolist()
                    .index(classes.of(np.array([row["property"]]))[0])
                )
                for row in record.relations
                if (row["head"], row["tail"]) == (head, tail)
            ]
            assert next(found) == min(own)
        for number, entity in enumerate(record.entity_ids.tolist()):
            assert abs(next(entities) - int((chances[number] > chances[number, entity]).sum())) <= 1
    assert next(found, None) is None and next(entities, None) is None


def test_hidden_words_are_not_seen(trained: TrainedSpot) -> None:
    one = marked("Plimbo", text="Far from Plimbo")
    others = [marked(name, text=f"Far from {name}") for name in ("Zlimbo", "Plumbi", "Rimbo", "Tokyo", "Qwer")]
    count = len(trained._encode(one).record.word_ids)
    other = next(text for text in others if len(trained._encode(text).record.word_ids) == count)
    ((hidden,),), ((again,),) = (trained.predict([text], 3, words_masked=True) for text in (one, other))
    assert [guess.title for guess in hidden] == [guess.title for guess in again]
    assert [guess.score for guess in hidden] == pytest.approx([guess.score for guess in again])
    ((seen,),) = trained.predict([one], 3, words_masked=False)
    assert [guess.score for guess in seen] != pytest.approx([guess.score for guess in hidden])
    assert np.array_equal(trained.masked_spans([one])[0], trained.masked_spans([other])[0])
    every = trained.predict([one], 10_000, words_masked=False)[0][0]
    assert sum(guess.score for guess in every) == pytest.approx(1)
    assert not {"[PAD]", "[MASK]"} & {guess.title for guess in every}


def embed(run: Path, *words: object) -> str:
    return CliRunner().invoke(cli, ["embed", str(run), *map(str, words)], catch_exceptions=False).stderr


def test_embed_writes_spans_and_pairs(spot_run: Path, trained: TrainedSpot, tmp_path: Path) -> None:
    backwards = [LINKS[2] | {"target": "Nowhere"}, LINKS[0], LINKS[1]]
    lines = [
        {"text": TEXT, "links": backwards},
        {"text": TEXT, "links": backwards, "pairs": [[0, 1], [2, 0]]},
        {"text": "[Zorvana Quill] hates [Plimbo]"},
    ]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, lines)))
    out = tmp_path / "v.npy"
    said = embed(spot_run, "--of", "pairs", "--input", tmp_path / "t.jsonl", "--output", out)
    assert "10 vectors of 64 numbers" in said and "5 mentions are longer than the model looks" in said
    rows = np.load(out)
    index = [json.loads(line) for line in (tmp_path / "v.index.jsonl").read_text().splitlines()]
    places = {(2, 0): (1, 2), (0, 1): (2, 0), (1, 2): (0, 1)}  # links to mentions in order
    assert [(entry["head"], entry["tail"]) for entry in index[:6]] == list(itertools.permutations(range(3), 2))
    assert [(entry["head"], entry["tail"]) for entry in index[6:]] == [(0, 1), (2, 0), (0, 1), (1, 0)]
    assert index[6] == {
        "line": 2, "head": 0, "tail": 1, "head_start": LINKS[2]["start"], "head_end": LINKS[2]["end"],
        "head_text": "Plimbo", "tail_start": 0, "tail_end": 13, "tail_text": "Zorvana Quill",
    }  # fmt: skip
    (expected,) = trained.vectors_of_pairs([marked(*NAMES)], [list(places.values())])
    at = {(entry["head"], entry["tail"]): row for entry, row in zip(index[:6], rows[:6], strict=True)}
    for pair, vector in zip(places, expected, strict=True):
        np.testing.assert_allclose(at[pair], vector, atol=1e-5)
    np.testing.assert_allclose(rows[6:8], [at[0, 1], at[2, 0]], atol=1e-5)
    embed(spot_run, "--of", "spans", "--input", tmp_path / "t.jsonl", "--output", tmp_path / "s.npy", "--quiet")
    np.testing.assert_allclose(np.load(tmp_path / "s.npy")[:3], trained.span_vectors([marked(*NAMES)])[0], atol=1e-5)
    first = json.loads((tmp_path / "s.index.jsonl").read_text().splitlines()[0])
    assert first == {"line": 1, "start": 0, "end": 13, "text": "Zorvana Quill"}
    for kind, count in (("tokens", 100), ("words", 30)):
        embed(spot_run, "--of", kind, "--input", tmp_path / "t.jsonl", "--output", tmp_path / f"{kind}.npy")
        assert count // 3 < len(np.load(tmp_path / f"{kind}.npy")) < 3 * count


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"text": "[Plimbo]"}, "no pair in it: one mention"),
        ({"text": "Plimbo"}, "no mention in it"),
        ({"text": "[a] [b]", "pairs": "all"}, '"pairs" is not a list'),
        ({"text": "[a] [b]", "pairs": []}, '"pairs" is empty'),
        ({"text": "[a] [b]", "pairs": [[0, 2]]}, r"\[0, 2\]: mentions are 0 to 1"),
        ({"text": "[a] [b]", "pairs": [[0, True]]}, "numbers of two mentions"),
        ({"text": "[a] [b]", "pairs": [[-1, 0]]}, "mentions are 0 to 1"),
        ({"text": "[a] [b]", "pairs": [[1, 1]]}, "no pair with itself"),
        ({"text": "ab", "links": [{"start": 0, "end": 3}]}, r"\[0, 3\) is not a span of a text of 2"),
        ({"text": "a  b", "links": [{"start": 1, "end": 3}, {"start": 3, "end": 4}]}, "mention 1 is empty"),
        ({"text": "[a] [b]" + " word" * 900}, "tokens, the model takes"),
    ],
)
def test_lines_that_have_no_pair_are_told(spot_run: Path, tmp_path: Path, line: dict, said: str) -> None:
    (tmp_path / "t.jsonl").write_text(json.dumps(line))
    with pytest.raises(WikiprepError, match=said):
        embed(spot_run, "--of", "pairs", "--input", tmp_path / "t.jsonl", "--output", tmp_path / "v.npy", "--strict")
    assert not (tmp_path / "v.npy").exists()


def test_what_a_model_does_not_have_is_refused(
    spot_run: Path, tiny_run: Path, sample_spot: Path, tmp_path: Path, trained: TrainedSpot
) -> None:
    (tmp_path / "t.jsonl").write_text(json.dumps({"text": "[a] [b]"}))
    texts = ("--input", tmp_path / "t.jsonl", "--output", tmp_path / "v.npy")
    with pytest.raises(UsageError, match="has no vectors of pairs"):
        embed(tiny_run, "--of", "pairs", *texts)
    with pytest.raises(UsageError, match="no table of entities"):
        embed(spot_run, "--of", "table", "--output", tmp_path / "v.npy")
    with pytest.raises(UsageError, match="no states of entities"):
        embed(spot_run, "--of", "entities", *texts)
    with pytest.raises(BadText, match="tokens, the model takes"):
        trained.check(marked("Plimbo", text="Plimbo" + " word" * 900))
    weights = dict(trained.model.state_dict()) | {"spans.project.weight": torch.zeros(1, 2)}
    with pytest.raises(WikiprepError, match=r"spans\.project\.weight is \(1, 2\)"):
        open_trained(spot_run / "about", weights, torch.device("cpu"))
    with pytest.raises(UsageError, match=r"unknown option 'words' in \[objective\]"):
        trained.family({"objective": {"words": 1}}, sample_spot)


def test_the_family_again_is_that_of_the_run(trained: TrainedSpot, sample_spot: Path, records: list[Record]) -> None:
    family = trained.family({"objective": {"token_share": 0.5}}, sample_spot)
    assert family.objective == Objective(token_share=0.5)
    batch = family.collate(records[:4], [np.random.default_rng(n) for n in range(4)])
    assert set(family.metrics(trained.model, batch)) >= {"relation_top1", "entity_top1"}
