"""KG attention against a plain loop over every (word, relation) written from the paper's equations."""

import math
from itertools import product

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from wikiprep.errors import UsageError  # noqa: E402
from wikiprep.pretrain.attention import choose_attention  # noqa: E402
from wikiprep.pretrain.luke.config import LukeConfig  # noqa: E402
from wikiprep.pretrain.luke.token_places import record_order  # noqa: E402
from wikiprep.tasks.finetune.knowledge import pieces  # noqa: E402
from wikiprep.tasks.finetune.knowledge.attention import KgAttention  # noqa: E402
from wikiprep.tasks.finetune.knowledge.layers import KnowledgeLayers, KnowledgeSizes, is_table  # noqa: E402
from wikiprep.tasks.finetune.knowledge.phi import Operators, operators  # noqa: E402
from wikiprep.tasks.finetune.knowledge.show_attention import attention_weights  # noqa: E402
from wikiprep.tasks.options import KnowledgeOptions  # noqa: E402

D, P, R = 6, 10, 5
REAL = [[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]]
FOUND = [[0, 1, 0, 1, 1], [1, 0, 1, 1, 0]]  # one at padding, which must not be asked either


def tables(model: str) -> dict[str, torch.Tensor]:
    made = {"relations": torch.randn(R, D)}
    if model == "pairre":
        made["relations_tail"] = torch.rand(R, D) + 0.5
    if model == "transr":
        made["relations_matrix"] = torch.randn(R, D, D)
    return {name: table.requires_grad_() for name, table in made.items()}


def estimate(model: str, way: str, v: torch.Tensor, of: dict[str, torch.Tensor], j: int) -> torch.Tensor:
    """phi(v, r_j) by its definition, complex numbers as such."""
    r, head = of["relations"][j], way == "head"
    if model == "transe":
        return v + r if head else v - r
    if model in ("rotate", "complex"):
        v, r = torch.complex(*v.chunk(2)), torch.complex(*r.chunk(2))
        turned = v * (r if head else r.conj())
        return torch.cat([turned.real, turned.imag])
    if model == "pairre":
        return v * r / of["relations_tail"][j] if head else v * of["relations_tail"][j] / r
    if model == "distmult":
        return v * r
    at = v @ of["relations_matrix"][j]
    return at / max(1.0, at.norm()) + (r if head else -r)


def plainly(
    layer: KgAttention, ways: list[str], model: str, v: torch.Tensor, p: torch.Tensor, of: dict, keep: bool
) -> torch.Tensor:
    """Every key in a list: [v_i ; p_i] and [phi(v_i, r_j) ; p_i]; softmax over all of them."""
    rows = []
    for b, i in product(*map(range, p.shape[:2])):
        keys = []
        for other in range(p.shape[1]):
            if REAL[b][other]:
                keys.append(torch.cat([v[b, other], p[b, other]]))
                if FOUND[b][other] or keep:
                    for way, j in product(ways, range(R)):
                        keys.append(torch.cat([estimate(model, way, v[b, other], of, j), p[b, other]]))
        key, value = layer.key(torch.stack(keys)), layer.value(torch.stack(keys))
        query = layer.query(torch.cat([v[b, i], p[b, i]]))
        heads = []
        for part in range(layer.heads):
            own = slice(part * layer.size, (part + 1) * layer.size)
            weights = torch.softmax(key[:, own] @ query[own] / math.sqrt(layer.size), dim=0)
            heads.append(weights @ value[:, own])
        rows.append(layer.out(torch.cat(heads)))
    return torch.stack(rows).view(*p.shape[:2], -1)


@pytest.fixture(autouse=True)
def float64():
    torch.set_default_dtype(torch.float64)
    torch.manual_seed(5)
    yield
    torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize("model", ["transe", "rotate", "pairre", "transr", "distmult", "complex"])
@pytest.mark.parametrize("mode", ["none", "head", "tail", "both"])
@pytest.mark.parametrize("heads, keep", [(1, True), (2, False)])
def test_it_is_the_plain_loop_and_so_are_its_gradients(
    model: str, mode: str, heads: int, keep: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "PIECE", 3)
    layer, of = KgAttention(D + P, heads), tables(model)
    real, found = torch.tensor(REAL, dtype=torch.bool), torch.tensor(FOUND, dtype=torch.bool)
    v = (torch.randn(2, 5, D) * found[..., None]).requires_grad_()
    p = torch.randn(2, 5, P, requires_grad=True)
    ways = {"none": [], "both": ["head", "tail"]}.get(mode, [mode])
    leaves = [v, p, *layer.parameters(), *(of.values() if mode != "none" else ())]
    wanted = plainly(layer, ways, model, v, p, of, keep)
    aim = torch.randn_like(wanted) * real[..., None]  # what padding asks is nobody's
    theirs = torch.autograd.grad((wanted * aim).sum(), leaves)
    phi = operators(model, of, mode) if ways else None
    opened = real if keep else found & real
    ours = layer(torch.cat([v, p], dim=-1), v, torch.eye(D + P, D), phi, opened, real)
    assert (ours - wanted)[real].abs().max() < 1e-10
    for one, other in zip(torch.autograd.grad((ours * aim).sum(), leaves), theirs, strict=True):
        assert (one - other).abs().max() < 1e-10


def test_pieces_give_what_the_split_form_gives() -> None:
    """TransE as an affine map, M = 1: the other way to the same numbers."""
    layer, r = KgAttention(D + P, 2), torch.randn(R, D)
    real, found = torch.tensor(REAL, dtype=torch.bool), torch.tensor(FOUND, dtype=torch.bool)
    v, p = torch.randn(2, 5, D) * found[..., None], torch.randn(2, 5, P)
    as_add = operators("transe", {"relations": r}, "head")
    as_affine = Operators("affine", torch.eye(D).expand(R, D, D), r)
    v = 0.3 * v / v.norm(dim=-1, keepdim=True).clamp(min=1)  # shorter than 1: TransR cuts none
    one, two = (
        layer(torch.cat([v, p], -1), v, torch.eye(D + P, D), phi, found & real, real) for phi in (as_add, as_affine)
    )
    assert (one - two).abs().max() < 1e-12


@pytest.mark.parametrize("width", [0, 12])
@pytest.mark.parametrize("mode", ["head", "both", "none"])
@pytest.mark.parametrize("model", ["transe", "rotate", "pairre", "transr"])
def test_weights_to_look_at_are_those_of_the_layer(model: str, mode: str, width: int) -> None:
    shapes = {name: tuple(table.shape) for name, table in tables(model).items()}
    options = KnowledgeOptions(mode=mode, width=width, heads=2, layers=1)
    config = LukeConfig(vocab_size=9, entity_vocab_size=5, hidden_size=P, heads=2, layers=1, intermediate_size=8)
    layers = KnowledgeLayers(KnowledgeSizes(options, model, 7, D, shapes), config).double().eval()
    layers.draw(3, 0.5)
    layers.load(torch.randn(7, D), {name: torch.rand(shape) + 0.1 for name, shape in shapes.items()}, 1)
    rows, real = torch.tensor([[3, -1, 0, 6, 2], [1, 1, -1, 4, 4]]), torch.tensor(REAL, dtype=torch.bool)
    hidden = torch.randn(2, 5, P)
    weights, values = attention_weights(layers, hidden, rows, real)
    assert weights.shape == (2, 2, 5, 5, {"none": 1, "head": R + 1, "both": 2 * R + 1}[mode])
    assert (weights.sum((-1, -2)) - 1).abs().max() < 1e-12
    assert not weights[:, :, :, :, 1:][(rows < 0)[:, None, None, :, None].expand_as(weights[..., 1:])].any()
    asked = layers.first_inputs(hidden, rows, real)
    attention = layers.first.attention
    mixed = torch.einsum("bhlmk,bhmks->bhls", weights, values)
    theirs = attention(asked.joined, asked.vectors, asked.inward, asked.phi, asked.open_relations, real)
    assert (attention.out(mixed.transpose(1, 2).flatten(2)) - theirs)[real].abs().max() < 1e-10


def test_large_scores_do_not_overflow() -> None:
    layer = KgAttention(D + P, 1)
    real = torch.ones(1, 4, dtype=torch.bool)
    v, p = 300 * torch.randn(1, 4, D), torch.randn(1, 4, P)
    for model in ("transe", "pairre"):
        phi = operators(model, {name: table.detach() * 100 for name, table in tables(model).items()}, "both")
        joined = torch.cat([v, p], -1).requires_grad_()
        found = layer(joined, v, torch.eye(D + P, D), phi, real, real)
        assert found.isfinite().all() and torch.autograd.grad(found.sum(), joined)[0].isfinite().all()


@pytest.mark.parametrize("model", ["transe", "transr"])
def test_under_autocast_it_is_the_same_but_for_rounding(model: str) -> None:
    torch.set_default_dtype(torch.float32)
    layer, real = KgAttention(D + P, 2), torch.ones(2, 5, dtype=torch.bool)
    v, p = torch.randn(2, 5, D), torch.randn(2, 5, P)
    of = {name: table.detach() for name, table in tables(model).items()}

    def run() -> tuple[torch.Tensor, torch.Tensor]:
        made = layer(torch.cat([v, p], -1), v, torch.eye(D + P, D), operators(model, of, "head"), real, real)
        return made, torch.autograd.grad(made.float().square().sum(), layer.key.weight)[0]

    whole = run()
    with torch.autocast("cpu", torch.bfloat16):
        rounded = run()
    for one, other in zip(whole, rounded, strict=True):
        assert torch.allclose(one, other.float(), atol=0.1) and one.abs().max() > 0.1


def sizes(model: str = "transe", **options: object) -> KnowledgeSizes:
    shapes = {name: tuple(table.shape) for name, table in tables(model).items()}
    return KnowledgeSizes(KnowledgeOptions(**{"layers": 2, **options}), model, 7, D, shapes)


def layers(kind: KnowledgeSizes, seed: int = 1) -> KnowledgeLayers:
    config = LukeConfig(vocab_size=50, hidden_size=P, heads=2, intermediate_size=20, dropout=0.0, attention_dropout=0.0)
    made = KnowledgeLayers(kind, config)
    made.draw(seed, 0.2)
    torch.manual_seed(3)
    made.load(torch.randn(7, D), {name: table.detach() for name, table in tables(kind.model).items()}, seed)
    return made.eval()


def inputs() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    torch.manual_seed(9)
    return torch.randn(2, 5, P), torch.tensor([[-1, 2, -1, 6, 0], [3, -1, 1, -1, -1]]), torch.tensor(REAL) > 0


@pytest.mark.parametrize("mode", ["head", "tail", "both", "none"])
@pytest.mark.parametrize("width", [0, 12])
@pytest.mark.parametrize("count", [1, 3])
def test_places_of_the_last_layer_are_those_of_all_and_padding_changes_nothing(
    mode: str, width: int, count: int
) -> None:
    made, (hidden, rows, real) = layers(sizes(mode=mode, width=width, layers=count)), inputs()
    every = made(hidden, rows, real)
    assert every.shape == (2, 5, width or D + P)
    places = torch.tensor([0, 7])
    assert torch.allclose(made(hidden, rows, real, places), every.flatten(0, 1)[places], atol=1e-12)
    changed = torch.where(real[..., None], hidden, 99.0)
    assert torch.equal(made(changed, rows, real)[real], every[real])
    assert torch.allclose(made(hidden[1:, :3], rows[1:, :3], real[1:, :3]), every[1:, :3], atol=1e-12)


@pytest.mark.parametrize("count", [1, 3])
def test_layers_without_padding_are_those_with_it(count: int) -> None:
    made, (hidden, rows, real) = layers(sizes(layers=count)), inputs()
    batch = {
        "real": real,
        "word_ids": rows,
        **{n: torch.from_numpy(a) for n, a in record_order(np.array(REAL), 5).items()},
    }
    places, computed = torch.tensor([0, 7]), []
    for layer in made.rest:
        layer.up.register_forward_hook(lambda module, given, states: computed.append(states.shape[:-1]))
    for at in (None, places):
        choose_attention(made, "sdpa")
        padded = made(hidden, rows, real, at, batch)
        choose_attention(made, "auto")
        computed.clear()
        bare = made(hidden, rows, real, at, batch)
        assert torch.allclose((bare - padded)[real] if at is None else bare - padded, torch.zeros(()), atol=1e-12)
        assert computed == [(int(real.sum()),)] * max(0, count - 2) + [(int(real.sum()) if at is None else 2,)] * (
            count > 1
        )


def test_each_relation_summed_alone_is_no_compression_and_fewer_sums_are_fewer_keys() -> None:
    for model in ("transe", "rotate", "pairre", "transr"):
        whole, mixed = layers(sizes(model)), layers(sizes(model, compress=R))
        (hidden, rows, real) = inputs()
        with torch.no_grad():
            mixed.mix.copy_(torch.eye(R) * 1e3)  # softmax: each sum is of one relation
        assert torch.allclose(whole(hidden, rows, real), mixed(hidden, rows, real), atol=1e-12)
        few = layers(sizes(model, compress=2, mode="both"))
        assert len(few.phi()) == 2 and few.mix.shape == (2, 2 * R)
        assert few(hidden, rows, real).isfinite().all()


def test_width_projects_before_the_layer_as_if_keys_were_projected() -> None:
    made, (hidden, rows, real) = layers(sizes(width=12, layers=1)), inputs()
    v = made.entities[rows.clamp(min=0)] * (rows >= 0)[..., None]
    keys = torch.stack([v, *(v + r for r in made.relations["relations"])], dim=2)
    joined = made.inward(torch.cat([keys, hidden[:, :, None].expand(-1, -1, R + 1, -1)], dim=-1))
    shown = real[..., None] & ((rows >= 0)[..., None] | (torch.arange(R + 1) == 0))
    attention = made.first.attention
    q = attention.query(joined[:, :, 0]).view(2, 5, 2, 6)
    k, w = (part(joined).view(2, 5, R + 1, 2, 6) for part in (attention.key, attention.value))
    scores = torch.einsum("bihs,bmjhs->bhimj", q, k) / math.sqrt(6)
    weights = scores.masked_fill(~shown[:, None, None], -torch.inf).flatten(3).softmax(-1).view_as(scores)
    wanted = attention.out(torch.einsum("bhimj,bmjhs->bihs", weights, w).flatten(2))
    found = attention(joined[:, :, 0], v, made.inward.weight[:, :D], made.phi(), (rows >= 0) & real, real)
    assert (found - wanted)[real].abs().max() < 1e-10


def test_controls_have_no_vectors_or_random_ones_and_a_width_that_fits() -> None:
    alone = layers(sizes(vectors="none"))
    assert alone.width == P and not [name for name, _ in alone.named_parameters() if is_table(name)]
    hidden, rows, real = inputs()
    assert torch.equal(alone(hidden, rows, real), alone(hidden, -torch.ones_like(rows), real))
    graph, random = layers(sizes("rotate")), layers(sizes("rotate", vectors="random"))
    assert not torch.allclose(graph.entities, random.entities)
    real_part, imaginary = random.relations["relations"].chunk(2, dim=-1)
    assert torch.allclose(real_part**2 + imaginary**2, torch.ones(R, D // 2))
    with pytest.raises(UsageError, match=r"heads = 3 does not divide the width of the layers, 16\n.*1, 2, 4, 8, 16 do"):
        layers(sizes(heads=3))


def saved_bytes(length: int, relations: int, model: str = "transe") -> int:
    """Bytes of the different tensors that the attention keeps for backward, parameters aside."""
    layer = KgAttention(D + P, 2)
    own = {tensor.data_ptr() for tensor in layer.parameters()}
    kept: dict[tuple, int] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        if tensor.untyped_storage().data_ptr() not in own:
            kept[(tensor.untyped_storage().data_ptr(),)] = tensor.untyped_storage().nbytes()
        return tensor

    of = {"relations": torch.randn(relations, D)}
    if model == "pairre":
        of["relations_tail"] = torch.rand(relations, D) + 0.5
    real = torch.ones(1, length, dtype=torch.bool)
    v, hidden = torch.randn(1, length, D), torch.randn(1, length, D + P)
    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        done = layer(hidden, v, torch.eye(D + P, D), operators(model, of, "head"), real, real)
    assert done.requires_grad
    return sum(kept.values())


def test_what_it_keeps_grows_with_l_times_l_plus_r_and_not_with_l_times_l_times_r() -> None:
    base, more = saved_bytes(16, 40), saved_bytes(16, 400)
    number = 8  # bytes
    assert more - base < 360 * 16 * number * 2 * 4 + 360 * D * number * 8  # a few [H, L, R], and relations' own
    assert more < 16 * 16 * 400 * number  # one head's scores of the plain form, of which it keeps several
    both = saved_bytes(32, 400)
    assert both < 2.5 * more  # twice the words: about twice the numbers, R being far over L
    assert saved_bytes(16, 400, "pairre") - saved_bytes(16, 40, "pairre") < 360 * D * number * 8  # relations' own alone
