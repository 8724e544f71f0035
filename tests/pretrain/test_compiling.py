"""What `training.compile` comes to: by device, by what can be compiled, agreed between ranks."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch._dynamo
from torch._dynamo.exc import BackendCompilerFailed

from wikiprep.errors import UsageError, WikiprepError
from wikiprep.pretrain import compiling as module
from wikiprep.pretrain.compiling import compile_error, compiling, why_not_compilable
from wikiprep.pretrain.config import PretrainConfig, TrainingConfig, apply_tables
from wikiprep.pretrain.ranks import Ranks

CPU, GPU = torch.device("cpu"), torch.device("cuda")


class Alone(Ranks):
    """A rank whose neighbour found `other`."""

    other = ""

    def gather(self, thing: Any) -> list[Any]:
        return [thing, self.other]


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    return lambda why: monkeypatch.setattr(module, "why_not_compilable", lambda device: why)


@pytest.mark.parametrize(
    ("option", "device", "compiled"),
    [("auto", CPU, False), ("auto", GPU, True), (False, GPU, False), (True, CPU, True), (True, GPU, True)],
)
def test_by_device(fails: Callable[[str], None], option: bool | str, device: torch.device, compiled: bool) -> None:
    fails("")
    assert compiling(TrainingConfig(compile=option), Alone(0, 2, device)) is compiled


@pytest.mark.parametrize("here", [True, False])
def test_where_a_rank_cannot_none_does_and_it_is_said(
    fails: Callable[[str], None], here: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fails("no Triton" if here else "")
    monkeypatch.setattr(Alone, "other", "" if here else "no Triton")
    assert not compiling(TrainingConfig(), Alone(0, 2, GPU))
    (line,) = capsys.readouterr().err.splitlines()
    assert line == "wikiprep: layers are not compiled, which is slower: nothing can be compiled here (no Triton)"
    assert not compiling(TrainingConfig(), Alone(1, 2, GPU)) and not capsys.readouterr().err
    with pytest.raises(WikiprepError, match=r"compile = true, but nothing can be compiled here \(no Triton\)"):
        compiling(TrainingConfig(compile=True), Alone(0, 2, GPU))


def test_it_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*inputs: Any) -> None:
        raise RuntimeError("no compiler\nat all")

    compiled = torch.nn.Module.compile
    for backend, found in (("aot_eager", False), (broken, True)):
        monkeypatch.setattr(torch.nn.Module, "compile", lambda *us, b=backend, **how: compiled(*us, **how, backend=b))
        why_not_compilable.cache_clear()
        torch._dynamo.reset()
        assert ("no compiler" in why_not_compilable(CPU)) is bool(why_not_compilable(CPU)) is found
    why_not_compilable.cache_clear()


def test_errors_of_compiling_say_the_way_out() -> None:
    def backend() -> None: ...

    error = BackendCompilerFailed(backend, ValueError("strange"), None)
    told = compile_error(error)
    assert told is not None and "training.compile = false" in (told.hint or "") and "strange" in told.what
    assert compile_error(RuntimeError("else")) is None


def test_options_take_all_three() -> None:
    for value in ("auto", True, False):
        assert apply_tables(PretrainConfig(), {"training": {"compile": value}}, "").training.compile == value
    with pytest.raises(UsageError, match=r"compile = 'yes' is not known\n.*auto or true or false"):
        apply_tables(PretrainConfig(), {"training": {"compile": "yes"}}, "")
