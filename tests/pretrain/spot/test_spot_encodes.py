"""What else takes a run of SPOT: clusters, joint extraction with its modules, transformers with its text encoder."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner
from transformers import RobertaForMaskedLM

from wikiprep.cli.main import cli
from wikiprep.corpus.tokenizers import load_tokenizer
from wikiprep.errors import UsageError
from wikiprep.pretrain.luke.model import LukeEncoder
from wikiprep.pretrain.open_checkpoint import open_model
from wikiprep.pretrain.ranks import join_ranks
from wikiprep.pretrain.spot.trained import TrainedSpot
from wikiprep.pretrain.trained import MarkedText, Trained
from wikiprep.tasks.finetune.encoder import start_of
from wikiprep.tasks.finetune.joint_head import make_head
from wikiprep.tasks.frozen.items import TextItem
from wikiprep.tasks.frozen.trained_vectors import TrainedVectors
from wikiprep.tasks.joint_extraction import JointTask
from wikiprep.tasks.options import JointOptions

TEXT = "Nobody saw Plimbo beside Zorvana Quill."
HEAD, TAIL = (25, 38), (11, 17)  # the head stands behind the tail


def opened(given: Path) -> Trained:
    with join_ranks(timeout_minutes=1) as ranks:
        return open_model(str(given), ranks).trained


@pytest.fixture(scope="module")
def trained(spot_run: Path) -> TrainedSpot:
    found = opened(spot_run)
    assert isinstance(found, TrainedSpot)
    return found


def test_frozen_vectors_have_its_own_spans_and_pairs(trained: TrainedSpot) -> None:
    encoder = TrainedVectors(trained)
    assert encoder.kinds == ("average", "endpoints", "max", "mask", "own")
    found = encoder.vectors(
        [TextItem("1", TEXT, (HEAD, TAIL), "knows"), TextItem("2", TEXT, (TAIL, HEAD), "knows")], ["own"]
    )
    marked = MarkedText(TEXT, (TAIL, HEAD), (None, None))
    (pairs,) = trained.vectors_of_pairs([marked], [[(1, 0), (0, 1)]])
    np.testing.assert_allclose(found.rows["own"], pairs, atol=1e-5)
    one = encoder.vectors([TextItem("1", TEXT, (TAIL,), "place")], encoder.kinds)
    np.testing.assert_allclose(
        one.rows["own"][0], trained.span_vectors([MarkedText(TEXT, (TAIL,), (None,))])[0][0], atol=1e-5
    )


def test_cluster_takes_the_run_beside_the_baselines(spot_run: Path, tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    said = {"P1": "Plimbo likes Zorvana", "P2": "Zorvana left Oslo"}
    made = {
        prop: [
            {
                "tokens": [*text.split(), str(n)],
                "h": [text.split()[0], "Q1", [[0]]],
                "t": [text.split()[2], "Q2", [[2]]],
            }
            for n in range(6)
        ]
        for prop, text in said.items()
    }
    (tmp_path / "val_wiki.json").write_text(json.dumps(made))
    words = [
        "cluster",
        "relations",
        tmp_path,
        "--model",
        spot_run,
        "--output",
        tmp_path / "out",
        "--classes",
        2,
        "--runs",
        1,
    ]
    done = CliRunner().invoke(cli, [str(word) for word in words], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    rows = json.loads((tmp_path / "out/results.json").read_text())["rows"]
    assert [row.get("vectors") for row in rows] == [None, "average", "endpoints", "max", "mask", "own"]
    assert rows[-1]["numbers"] == 64 and rows[-1]["runs"][0]["items"] == 12
    assert rows[-1]["mean"]["acc"] > rows[0]["mean"]["acc"]  # all in one cluster


def test_joint_extraction_takes_its_modules(trained: TrainedSpot) -> None:
    start = start_of(trained, "run")
    config = trained.about.text

    def head(**options: object):
        own = {"modules": "pretrained", "span_tokens": 8, "pair_heads": 4, "span_kinds": "endpoint+attention"}
        return make_head(JointTask("nyt24", JointOptions(**(own | options))), ("born", "died"), config)

    model = head().build(LukeEncoder(config), 5, lambda: start)
    for name, module in (("spans", trained.model.spans), ("pairs", trained.model.pairs)):
        for key, tensor in module.state_dict().items():
            assert torch.equal(model.get_parameter(f"{name}.{key}"), tensor)
    for options, said in (
        ({"pair_heads": 8}, r"was trained with pair_heads = 4, and task\.pair_heads = 8"),
        ({"span_kinds": "attention+endpoint"}, r"was trained with span_kinds = endpoint\+attention"),
        ({"span_attention": False}, r"task\.span_attention=true"),
        ({"span_tokens": 16}, r"spans\.width\.weight"),
    ):
        with pytest.raises(UsageError, match=said):
            head(**options).build(LukeEncoder(config), 5, lambda: start)


def test_its_text_encoder_is_a_roberta_of_transformers(trained: TrainedSpot, spot_run: Path, tmp_path: Path) -> None:
    out = tmp_path / "hf"
    done = CliRunner().invoke(cli, ["export-hf", str(spot_run), str(out)], catch_exceptions=False)
    assert "RobertaForMaskedLM and PreTrainedTokenizerFast of" in done.stderr
    model, found = RobertaForMaskedLM.from_pretrained(out, output_loading_info=True)
    assert not any(found.values())
    ids = trained._encode(MarkedText(TEXT)).record.word_ids.tolist()
    words = trained._words
    with torch.no_grad():
        said = model.eval()(torch.tensor([[words.first, *ids, words.last]]), output_hidden_states=True)
        own = torch.tensor(trained.vectors([MarkedText(TEXT)], "tokens")[0].rows)
        text = trained.model.text
        scores = text.word_head(own) @ text.words.token.weight.T + text.word_head.bias
    torch.testing.assert_close(said.hidden_states[-1][0, 1:-1], own, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(said.logits[0, 1:-1], scores[:, : said.logits.shape[2]], atol=1e-3, rtol=1e-3)
    assert load_tokenizer(out).get_vocab() == trained.about.tokenizer.get_vocab()
    again = opened(out)
    np.testing.assert_allclose(again.vectors([MarkedText(TEXT)], "tokens")[0].rows, own.numpy(), atol=1e-4)
    assert (out / "pretrain.toml").is_file() and again.entities == 0
    with pytest.raises(UsageError, match="--entity: SPOT has no table of entities"):
        CliRunner().invoke(
            cli, ["export-hf", str(spot_run), str(tmp_path / "e"), "--entity", "X"], catch_exceptions=False
        )
