"""`wikiprep kg-embed`: from triples to a folder of knowledge (`knowledge.folder`), restartable."""

import dataclasses
import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import orjson
import torch
from pykeen.models import ERModel
from pykeen.nn.modules import NormBasedInteraction
from safetensors.numpy import save

from wikiprep.errors import UsageError
from wikiprep.files import Store, sha256_of, whole_file, whole_path
from wikiprep.knowledge.embed.link_prediction import figures
from wikiprep.knowledge.embed.settings import RunSettings, Settings
from wikiprep.knowledge.embed.train import NEGATIVES, NEGATIVES_A_POSITIVE, train, train_factory
from wikiprep.knowledge.folder import (
    ABOUT,
    ENTITIES,
    ENTITY_VECTORS,
    LOSSES,
    METRICS,
    RELATIONS,
    TRIPLES,
    VECTORS,
    write_table,
)
from wikiprep.knowledge.graph import Graph
from wikiprep.knowledge.lexicons import name_kind
from wikiprep.knowledge.phi import VECTOR, Form, form_of
from wikiprep.knowledge.read_graph import read_graph
from wikiprep.progress import NO_PROGRESS, Progress
from wikiprep.runtime.output_folder import output_lock
from wikiprep.version import wikiprep_version

RUN = "run.json"  # written first: what the folder is of
_PACKAGES = ("pykeen", "torch", "numpy", "safetensors")
DEFAULT_RUN = RunSettings()
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class EmbeddedGraph:
    """What was made. `done`: all of it was there already."""

    graph: Graph
    metrics: dict[str, Any]
    losses: list[float]
    done: bool = False


def embed(
    triples: str | Path,
    output: str | Path,
    settings: Settings,
    *,
    columns: str | None = None,
    run: RunSettings = DEFAULT_RUN,
    after: Callable[[int], None] | None = None,
    progress: Progress = NO_PROGRESS,
) -> EmbeddedGraph:
    """Train on `triples` and write the folder `output`; a folder that was begun with the same goes on where it stopped.

    More epochs than a folder has are trained on. Raises UsageError for a folder of something else, and what
    `read_graph` says.
    """
    form = form_of(settings.model)
    graph = read_graph(triples, columns)
    folder = Path(output)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder}: is a file", "--output names a folder")
    folder.mkdir(parents=True, exist_ok=True)
    with output_lock(Store(str(folder))):
        return _embed(graph, form, folder, settings, run=run, after=after, progress=progress)


def _embed(
    graph: Graph,
    form: Form,
    folder: Path,
    settings: Settings,
    *,
    run: RunSettings,
    after: Callable[[int], None] | None,
    progress: Progress,
) -> EmbeddedGraph:
    if _is_complete(folder, _identity(graph, settings), settings.epochs):
        stored_metrics = orjson.loads((folder / METRICS).read_bytes())
        return EmbeddedGraph(graph, stored_metrics, _read_losses(folder), done=True)
    _write_json(folder / RUN, _identity(graph, settings) | {"epochs": settings.epochs})
    factory = train_factory(graph)
    model, loop, losses = train(form, settings, factory, folder, run=run, after=after, progress=progress)
    metrics = figures(model, graph)
    with whole_file(folder / VECTORS) as file:
        file.write(save(vectors_of(model, form)))
    _write_graph(folder, graph)
    _write_losses(folder, losses)
    _write_json(folder / METRICS, metrics)
    _write_json(folder / ABOUT, _describe(folder, graph, form, settings, model, loop))
    return EmbeddedGraph(graph, metrics, losses)


def _identity(graph: Graph, settings: Settings) -> dict[str, Any]:
    """What must be equal for a run to go on. Epochs may grow."""
    options = dataclasses.asdict(settings)
    del options["epochs"]
    versions = {name: metadata.version(name) for name in ("pykeen", "torch")}
    return {"settings": options, "layout": graph.layout, "files": graph.files, "versions": versions}


def _is_complete(folder: Path, identity: dict[str, Any], epochs: int) -> bool:
    """Whether the folder has it all. Raises UsageError where it is of something else."""
    if not {path.name for path in folder.iterdir()} - {"_state"}:  # the lock is there
        return False
    if not (folder / RUN).is_file():
        raise UsageError(f"{folder}: has other things in it", "name a new folder with --output")
    previous = orjson.loads((folder / RUN).read_bytes())
    previous_epochs = previous.pop("epochs")
    for name in identity:
        if previous.get(name) != identity[name]:
            before, now = _first_difference(previous.get(name), identity[name])
            raise UsageError(f"{folder}: was begun with {name} {before}, now {now}", "give a new --output, or the same")
    if previous_epochs > epochs:
        raise UsageError(
            f"{folder}: was begun for {previous_epochs:,} epochs, now {epochs:,}", "name a new folder with --output"
        )
    done = previous_epochs == epochs and (folder / ABOUT).is_file()
    if not done:
        (folder / ABOUT).unlink(missing_ok=True)  # of fewer epochs: not finished any more
    return done


def _first_difference(before: Any, now: Any) -> tuple[Any, Any]:
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted({*before, *now}):
            if before.get(key) != now.get(key):
                return f"{key}={before.get(key)}", f"{key}={now.get(key)}"
    return before, now


def _write_graph(folder: Path, graph: Graph) -> None:
    with whole_file(folder / TRIPLES) as file:
        file.write(save(dict(graph.parts)))
    for name, rows, kind in ((ENTITIES, graph.entities, "entities"), (RELATIONS, graph.relations, "relations")):
        with whole_path(folder / name) as path:
            write_table(path, {"name": rows, **graph.about.get(kind, {})})


def _describe(folder: Path, graph: Graph, form: Form, settings: Settings, model: Any, loop: Any) -> dict[str, Any]:
    """All that a reader of the vectors may want to know; PyKEEN's defaults as this version has them."""
    defaults = {
        name: repr(value.default)
        for name, value in inspect.signature(type(model).__init__).parameters.items()
        if value.default is not inspect.Parameter.empty
    }
    loss = model.loss
    pykeen_details = {
        "loss": type(loss).__name__,
        "loss_kwargs": {key: repr(value) for key, value in (model.loss_default_kwargs or {}).items()},
        "optimizer": type(loop.optimizer).__name__,
        "optimizer_kwargs": {key: repr(value) for key, value in loop.optimizer.defaults.items()},
        "training": type(loop).__name__,
        "negative_sampler": NEGATIVES,
        "negatives_a_positive": NEGATIVES_A_POSITIVE,
        "model_defaults": defaults,
    }
    files = [VECTORS, TRIPLES, ENTITIES, RELATIONS, METRICS, LOSSES]
    return {
        "schema": "knowledge/1",
        "model": form.name,
        **norm_of(model),
        "names": name_kind(graph.entities),
        "entities": len(graph.entities),
        "relations": len(graph.relations),
        "read": graph.read,
        "dropped": {part: dict(counts) for part, counts in graph.dropped.items()},
        "settings": dataclasses.asdict(settings),
        "pykeen": pykeen_details,
        "source": {"layout": graph.layout, "sha256": graph.files},
        "sha256": {name: sha256_of(folder / name) for name in files},
        "versions": {"wikiprep": wikiprep_version(), "python": sys.version.split()[0]}
        | {name: metadata.version(name) for name in _PACKAGES},
        "threads": torch.get_num_threads(),
    }


def _write_losses(folder: Path, losses: list[float]) -> None:
    with whole_file(folder / LOSSES) as file:
        rows = (f"{epoch}\t{loss!r}\n" for epoch, loss in enumerate(losses, 1))
        file.write(("epoch\tloss\n" + "".join(rows)).encode())
    draw_losses(losses, folder / "losses.png")


def _read_losses(folder: Path) -> list[float]:
    return [float(line.split("\t")[1]) for line in (folder / LOSSES).read_text().splitlines()[1:]]


def _write_json(file: Path, data: dict[str, Any]) -> None:
    with whole_file(file) as stream:
        stream.write(orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n")


def draw_losses(losses: Sequence[float], path: Path) -> bool:
    """Write the loss of each epoch as PNG; False, and no file, where matplotlib is missing (`wikiprep[plots]`)."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        return False
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(range(1, len(losses) + 1), losses, marker="." if len(losses) < 30 else None)
    axes.set_xlabel("epoch")
    axes.set_ylabel("mean loss")
    with whole_file(path) as file:
        figure.savefig(file, format="png", dpi=120, metadata={"Software": None})
    return True


def vectors_of(model: ERModel[Any, Any, Any], form: Form) -> dict[str, Floats]:
    """A trained model's vectors, so that `knowledge.phi` needs no PyKEEN.

    They are as its scores use them (normalised where it normalises); complex ones as real parts, imaginary parts.
    """
    names = [VECTOR] + ([form.second] if form.second else [])
    (entities,), relations = model.entity_representations, model.relation_representations
    with torch.no_grad():
        tensors = {ENTITY_VECTORS: entities(indices=None)}
        tensors |= {name: one(indices=None) for name, one in zip(names, relations, strict=True)}
    return {name: _real(tensor.detach().cpu()) for name, tensor in tensors.items()}


def norm_of(model: ERModel[Any, Any, Any]) -> dict[str, int | bool]:
    """What `phi.score` has to know of the interaction: norm and power; of a product they do not matter."""
    interaction = model.interaction
    if isinstance(interaction, NormBasedInteraction):
        return {"norm": int(interaction.p), "power": bool(interaction.power_norm)}
    return {"norm": 2, "power": False}


def _real(tensor: torch.Tensor) -> Floats:
    if tensor.is_complex():
        tensor = torch.cat([tensor.real, tensor.imag], dim=-1)
    return np.ascontiguousarray(tensor.to(torch.float32).numpy())
