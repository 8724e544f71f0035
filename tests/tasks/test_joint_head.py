"""The head of joint extraction against plain loops: its losses, what it draws, and its two steps of inference."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch.nn import functional as F  # noqa: E402, N812

from wikiprep.corpus.tokenizers import load_tokenizer  # noqa: E402
from wikiprep.errors import UsageError  # noqa: E402
from wikiprep.pretrain.luke.config import LukeConfig  # noqa: E402
from wikiprep.pretrain.luke.model import LukeEncoder  # noqa: E402
from wikiprep.pretrain.spot.pair_encoder import Layout  # noqa: E402
from wikiprep.tasks.examples import JointExample, Triple  # noqa: E402
from wikiprep.tasks.finetune.collate import inputs  # noqa: E402
from wikiprep.tasks.finetune.encoder import Start  # noqa: E402
from wikiprep.tasks.finetune.joint_head import JointHead, JointModel, make_head  # noqa: E402
from wikiprep.tasks.joint_extraction import ENTITY, IGNORED, MANY, NO_ENTITY, NOT_WORDS, JointFeatures, JointTask  # noqa: E402
from wikiprep.tasks.options import JointOptions  # noqa: E402
from wikiprep.tasks.pieces import Pieces  # noqa: E402
from wikiprep.tasks.task import Inputs  # noqa: E402

TOKENIZER = load_tokenizer(Path(__file__).parents[2] / "wikiprep/sample/tokenizer/tokenizer.json")
LABELS = ("born", "died", "home")
PIECES = Pieces(TOKENIZER, (), "")
GIVEN = Inputs(PIECES, {label: n for n, label in enumerate(LABELS)}, 64, 30, False)
CONFIG = LukeConfig(
    vocab_size=PIECES.words.size,
    entity_vocab_size=1,
    hidden_size=16,
    layers=1,
    heads=2,
    intermediate_size=16,
    max_positions=66,
    entities=False,
    entity_aware_attention=False,
    dropout=0.0,
    attention_dropout=0.0,
)


def example(text: str, *triples: tuple[str, str, str]) -> JointExample:
    def at(name: str) -> tuple[int, int]:
        return text.index(name), text.index(name) + len(name)

    made = tuple(Triple(s, r, o, at(s), at(o)) for s, r, o in triples)
    return JointExample("1", text, tuple(sorted({e for t in made for e in (t.head, t.tail) if e})), made, "full spans")


TWO = example("Rosa Lind , of Rome , died there : Rome .", ("Rosa Lind", "born", "Rome"), ("Rosa Lind", "died", "Rome"))
BACK = example("In Oslo Ivan met Carl .", ("Carl", "home", "Oslo"), ("Oslo", "home", "Ivan"), ("Ivan", "born", "Oslo"))
NONE = example("Nobody came .")


def task(**options: object) -> JointTask:
    return JointTask("webnlg", replace(JointOptions(), task_dropout=0.0, **options))  # type: ignore[arg-type]


def features(one: JointExample, left_out: Counter[str] | None = None, **options: object) -> JointFeatures:
    (made,) = task(**options).features(one, 0, GIVEN, Counter() if left_out is None else left_out)
    assert isinstance(made, JointFeatures)
    return made


def made(*examples: JointExample, rngs: int | None = None, **options: object) -> tuple[JointHead, JointModel, dict]:
    head = make_head(task(**options), LABELS, CONFIG)
    encoder = LukeEncoder(CONFIG)
    torch.manual_seed(3)
    for tensor in encoder.parameters():
        torch.nn.init.normal_(tensor, std=0.3)
    model = head.build(encoder, 5, None).double()
    assert isinstance(model, JointModel)
    items = [features(one, **options) for one in examples]
    generators = [np.random.default_rng(n) for n in range(len(items) if rngs is None else rngs)]
    batch = inputs(items, PIECES.words.pad, CONFIG.first_position, entities=False)
    return head, model, batch | head.decisions(items, generators, batch)


def test_candidates_are_spans_of_words_and_gold_are_the_entities() -> None:
    one = features(TWO, max_span_words=2)
    words = [TWO.text[a:b] for a, b in one.origins.tolist()]
    assert len(words) == 2 * 11 - 1 and words[:3] == ["Rosa", "Rosa Lind", "Lind"]
    by_name: dict[str, list[int]] = {}
    for name, label in zip(words, one.labels.tolist(), strict=True):
        by_name.setdefault(name, []).append(label)
    assert by_name["Rosa Lind"] == [ENTITY] and by_name["Lind"] == [NO_ENTITY]
    assert by_name["Rome"] == [ENTITY, IGNORED]  # the same words elsewhere are neither
    for (a, b), (start, end) in zip(one.origins.tolist(), one.places.tolist(), strict=True):
        said = TOKENIZER.decode(one.word_ids[start:end].tolist()).strip()
        assert said == TWO.text[a:b]
    heads = {(words[h], LABELS[r], words[t]) for h, t, r in one.relations.tolist()}
    assert heads == {("Rosa Lind", "born", "Rome"), ("Rosa Lind", "died", "Rome")}


def test_what_cannot_be_found_is_counted() -> None:
    left_out: Counter[str] = Counter()
    features(TWO, left_out, max_span_words=1)
    assert left_out["entities of more than 1 words: cannot be found"] == 1
    inside = JointExample("1", "Indonesian rain", ((0, 9),), (), "full spans")
    features(inside, left_out)
    features(BACK, left_out, max_spans=2)
    assert left_out[NOT_WORDS] == 1 and left_out[MANY] == 1


@pytest.mark.parametrize("attention", [True, False])
@pytest.mark.parametrize(
    "kinds", ["endpoint", "attention", "max", "endpoint+attention", "endpoint+max", "attention+max"]
)
def test_losses_are_those_of_a_loop_over_spans_and_pairs(kinds: str, attention: bool) -> None:
    examples = (TWO, NONE, BACK)
    head, model, batch = made(*examples, span_kinds=kinds, span_attention=attention)
    found = head.loss_sums(model, batch)
    words, _ = model.encoder.encode(batch)
    entities, relations, spans_seen, pairs_seen = torch.zeros(()), torch.zeros(()), 0, 0
    for row, one in enumerate(features(each, span_kinds=kinds) for each in examples):
        gold = []
        for (start, end), label in zip(one.places.tolist(), one.labels.tolist(), strict=True):
            if label == IGNORED:
                continue
            vector = model.spans(words, *(torch.tensor([n]) for n in (row, start, end)))
            logit = model.entity(vector)[0, 0]
            entities = entities - F.logsigmoid(logit if label == ENTITY else -logit)
            spans_seen += 1
            gold += [(len(gold), vector)] if label == ENTITY else []
        numbers = {int(n): place for place, n in enumerate(np.flatnonzero(one.labels == ENTITY))}
        wanted = {(numbers[h], numbers[t], r) for h, t, r in one.relations.tolist()}
        for i, _ in gold:
            for j, _ in gold:
                if i == j:
                    continue
                together = torch.cat([vector for _, vector in gold])
                pair = model.pairs(together, Layout.of([len(gold)]), torch.tensor([i]), torch.tensor([j]))
                for relation, logit in enumerate(model.relation(pair)[0]):
                    relations = relations - F.logsigmoid(logit if (i, j, relation) in wanted else -logit)
                pairs_seen += 1
    assert head.counts(batch) == {"entities": spans_seen, "relations": pairs_seen} and pairs_seen == 8
    for name, value in (("entities", entities), ("relations", relations)):
        assert found[name][0].item() == pytest.approx(value.item(), abs=1e-9)
    (found["entities"][0] + found["relations"][0]).backward()
    assert all(tensor.grad is not None for tensor in model.parameters())


def test_softmax_takes_one_relation_or_none() -> None:
    head, model, batch = made(TWO, relations="softmax")
    spans = model.spans(model.encoder.encode(batch)[0], batch["span_rows"], batch["span_starts"], batch["span_ends"])
    gold = spans[batch["gold"]]
    pairs = model.pairs(gold, Layout.of([2]), batch["pair_heads"], batch["pair_tails"])
    wanted = F.log_softmax(model.relation(pairs), dim=1)
    assert model.relation.out_features == 4
    assert head.loss_sums(model, batch)["relations"][0].item() == pytest.approx(-(wanted[0, 1] + wanted[1, 0]).item())


def test_a_batch_without_an_entity_reaches_every_parameter_with_a_loss_of_nothing() -> None:
    head, model, batch = made(NONE)
    found = head.loss_sums(model, batch)
    assert found["relations"][0].item() == 0 and head.counts(batch)["relations"] == 0
    (found["entities"][0] + found["relations"][0]).backward()
    assert all(tensor.grad is not None for tensor in model.parameters())


def test_negatives_are_drawn_by_the_texts_own_generator_and_never_gold() -> None:
    head = make_head(task(negatives=4), LABELS, CONFIG)
    items = [features(TWO), features(BACK)]
    batch = inputs(items, PIECES.words.pad, CONFIG.first_position, entities=False)

    def drawn(seeds: list[int], of: list[int]) -> list[list[tuple[int, int, bool]]]:
        chosen = head.decisions([items[n] for n in of], [np.random.default_rng(seed) for seed in seeds], batch)
        columns = [chosen[name].tolist() for name in ("span_rows", "span_starts", "span_ends", "span_labels")]
        return [[(s, e, g) for r, s, e, g in zip(*columns, strict=True) if r == row] for row in range(len(of))]

    both = drawn([1, 2], [0, 1])
    assert both[0] == drawn([1], [0])[0] and both[1] == drawn([2], [1])[0]  # whatever stands beside it
    assert both[0] != drawn([7], [0])[0]
    for item, spans in zip(items, both, strict=True):
        labels = {tuple(place): label for place, label in zip(item.places.tolist(), item.labels.tolist(), strict=True)}
        assert sum(gold for *_, gold in spans) == (item.labels == ENTITY).sum()
        assert len(spans) == (item.labels == ENTITY).sum() + 4
        assert all(labels[start, end] == (ENTITY if gold else NO_ENTITY) for start, end, gold in spans)


@pytest.mark.parametrize("most", [40, 2])
def test_the_two_steps_are_those_of_a_loop(most: int) -> None:
    examples = (BACK, NONE, TWO)
    options = {"max_spans": most, "span_threshold": 0.4, "threshold": 0.45}
    head, model, batch = made(*examples, rngs=0, **options)
    with torch.no_grad():
        model.relation.bias.zero_()
        model.relation.weight.normal_(0, 0.5, generator=torch.Generator().manual_seed(1))
        found = head.scores(model.eval(), batch, [])
        words, _ = model.encoder.encode(batch)
        for row, one in enumerate(features(each, **options) for each in examples):
            rows = torch.full((len(one.places),), row)
            spans = model.spans(words, rows, *torch.from_numpy(one.places).unbind(1))
            logits = model.entity(spans)[:, 0]
            over = [n for n in range(len(spans)) if torch.sigmoid(logits[n]) >= 0.4]
            kept = sorted(sorted(over, key=lambda n: -logits[n].item())[:most])
            assert found[row].spans.tolist() == kept and found[row].left_out == len(over) - len(kept)
            triples = {}
            for i, head_span in enumerate(kept):
                for j, tail_span in enumerate(kept):
                    if i != j:
                        places = torch.tensor([i]), torch.tensor([j])
                        pair = model.pairs(spans[kept], Layout.of([len(kept)]), *places)
                        for label, logit in enumerate(model.relation(pair)[0].tolist()):
                            if 1 / (1 + np.exp(-logit)) >= 0.45:
                                triples[head_span, tail_span, label] = logit
            assert dict(
                zip(map(tuple, found[row].triples.tolist()), found[row].certainty, strict=True)
            ) == pytest.approx(triples, abs=1e-5)
        assert any(len(one.triples) for one in found) and (most == 40 or any(one.left_out for one in found))


def test_nothing_found_is_nothing() -> None:
    _, model, batch = made(TWO, NONE, rngs=0, span_threshold=1.0)
    with torch.no_grad():
        found = model.eval()(batch, "scores")
    assert [(len(one.spans), len(one.triples), one.left_out) for one in found] == [(0, 0, 0)] * 2


def test_modules_of_a_run_can_be_taken_and_others_are_refused() -> None:
    _, model, _ = made(TWO)
    given = {
        f"{name}.{key}": t + 1 for name in ("spans", "pairs") for key, t in getattr(model, name).state_dict().items()
    }
    start = Start("spot-run", CONFIG, given, TOKENIZER, {})
    head = make_head(task(modules="pretrained"), LABELS, CONFIG)
    taken = head.build(LukeEncoder(CONFIG), 5, lambda: start)
    assert taken.get_parameter("spans.project.weight").double().equal(given["spans.project.weight"].float().double())
    with pytest.raises(UsageError, match=r"spot-run: has no spans\.project\.weight"):
        without = {key: t for key, t in given.items() if key != "spans.project.weight"}
        head.build(LukeEncoder(CONFIG), 5, lambda: replace(start, tensors=without))
    with pytest.raises(UsageError, match=r"spans\.width\.weight"):
        other = make_head(task(modules="pretrained", span_tokens=8), LABELS, CONFIG)
        other.build(LukeEncoder(CONFIG), 5, lambda: start)


def test_sizes_and_kinds_that_make_no_module_are_refused() -> None:
    with pytest.raises(UsageError, match="span kinds"):
        make_head(task(span_kinds="endpoint+middle"), LABELS, CONFIG)
    with pytest.raises(UsageError, match="heads"):
        make_head(task(pair_heads=5), LABELS, CONFIG)
