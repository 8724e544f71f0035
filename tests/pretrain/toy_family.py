"""A model family that is small enough to follow: masked words and entities are guessed from the mean of the rest.

Old parameters (words) and new ones (entities), dropout, two losses, layers: all that the trainer has to do with. What
it is asked to break, it breaks: `[model] fail = "nan:PAGE"` (the loss of a record of that page is not a number),
"weights:N" (the N-th forward pass of training makes a parameter no number), or "memory", "killed" (for a worker
alone). `seen = "FILE"`: a line "PAGE ORDINAL" for each record that a loss is of.
"""

import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from wikiprep.errors import UsageError
from wikiprep.pretrain.family import Batch, ParameterGroup, Sums
from wikiprep.records.record import Record
from wikiprep.tables.entity_vocab import EntityVocab

WORDS = 4200
MASK = 2


class Toy(nn.Module):
    """Bags of words through `layers`, with a word head and an entity head tied to the tables."""

    def __init__(self, entities: int, size: int, dropout: float) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, size)
        self.entities = nn.Embedding(entities, size)
        self.layers = nn.ModuleList(
            nn.Sequential(nn.Linear(size, size), nn.GELU(), nn.LayerNorm(size)) for _ in range(2)
        )
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("scale", torch.ones(1))
        self.passes = 0

    def forward(self, batch: Batch, fail: str) -> dict[str, tuple[Tensor, Tensor]]:
        if fail == "memory" and torch.is_grad_enabled():
            torch.empty(1 << 60)
        self.passes += torch.is_grad_enabled()
        if fail == f"weights:{self.passes}":
            self.words.weight.data[0, 0] = torch.nan
        real = batch["real"][..., None].float()
        hidden = (self.words(batch["word_ids"]) * real).sum(1) / real.sum(1)
        hidden = hidden + self.entities(batch["entity_ids"]).mean(1)
        for layer in self.layers:
            hidden = hidden + self.dropout(layer(hidden))
        if fail.startswith("nan:"):
            hidden = hidden + torch.where(batch["page_id"] == int(fail[4:]), torch.nan, 0.0)[:, None]
        made = {}
        for name, table in (("word", self.words), ("entity", self.entities)):
            rows, labels = batch[f"{name}_rows"], batch[f"{name}_labels"]
            with torch.autocast(hidden.device.type, enabled=False):
                logits = hidden[rows].float() @ table.weight.T
                made[name] = logits, nn.functional.cross_entropy(logits, labels, reduction="sum")
        return made


@dataclass(frozen=True)
class ToyFamily:
    """See the module."""

    entities: int
    size_: int
    dropout: float
    fail: str
    seen: str = ""
    name: str = "toy"
    attention_dropout: float = 0.0
    attention_head_size: int = 0

    def build_model(self, seed: int, *, empty: bool = False) -> nn.Module:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            return Toy(self.entities, self.size_, self.dropout)

    def identity(self) -> dict[str, str]:
        return {}

    def about(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "toy.txt").write_text(f"{self.entities}\n")

    def notes(self, model: nn.Module) -> dict[str, object]:
        return {"parameters": sum(tensor.numel() for tensor in model.parameters())}

    def sizes(self, record: Record) -> tuple[int, ...]:
        return (self._size(record),)

    def _size(self, record: Record) -> int:
        return len(record.word_ids) + len(record.entity_ids)

    def collate(
        self, records: Sequence[Record], rngs: Sequence[np.random.Generator], rows: Sequence[int] | None = None
    ) -> Batch:
        if self.fail == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        rows = list(range(len(records))) if rows is None else list(rows)
        count = max(rows) + 1
        width = max(
            sum(self._size(r) for r, at in zip(records, rows, strict=True) if at == row) for row in range(count)
        )
        made: dict[str, Any] = {
            "word_ids": np.zeros((count, width), np.int64),
            "real": np.zeros((count, width), bool),
            "entity_ids": np.zeros((count, 4), np.int64),
            "page_id": np.zeros(count, np.int64),
            "ordinal": np.zeros(count, np.int64),
        }
        picked: dict[str, list[int]] = {"word_rows": [], "word_labels": [], "entity_rows": [], "entity_labels": []}
        filled = [0] * count
        for record, rng, row in zip(records, rngs, rows, strict=True):
            masked = rng.random(len(record.word_ids)) < 0.15
            entity = int(rng.integers(len(record.entity_ids))) if len(record.entity_ids) else None
            start = filled[row]
            filled[row] += self._size(record)
            made["word_ids"][row, start : start + len(masked)] = np.where(masked, MASK, record.word_ids)
            made["real"][row, start : start + self._size(record)] = True
            made["page_id"][row], made["ordinal"][row] = record.page_id, record.ordinal
            picked["word_rows"] += [row] * int(masked.sum())
            picked["word_labels"] += record.word_ids[masked].tolist()
            if entity is not None:
                picked["entity_rows"].append(row)
                picked["entity_labels"].append(int(record.entity_ids[entity]))
                others = np.delete(record.entity_ids, entity)[:4]
                made["entity_ids"][row, : len(others)] = others
        made |= {name: np.array(values, np.int64) for name, values in picked.items()}
        return {name: torch.from_numpy(array) for name, array in made.items()}

    def masked_entities(self, record: Record, rng: np.random.Generator) -> npt.NDArray[np.int64]:
        rng.random(len(record.word_ids))
        return rng.integers(len(record.entity_ids), size=min(1, len(record.entity_ids)))

    def counts(self, batch: Batch) -> dict[str, int]:
        return {name: len(batch[f"{name}_labels"]) for name in ("word", "entity")}

    def loss_sums(self, model: nn.Module, batch: Batch) -> Sums:
        if self.seen:
            lines = [f"{page} {number}\n" for page, number in zip(batch["page_id"], batch["ordinal"], strict=True)]
            with Path(self.seen).open("a") as file:
                file.write("".join(lines))
        found = model(batch, self.fail)
        return {name: (loss, torch.tensor(len(batch[f"{name}_labels"]))) for name, (_, loss) in found.items()}

    def metrics(self, model: nn.Module, batch: Batch) -> Sums:
        made = {}
        for name, (logits, _) in model(batch, self.fail).items():
            labels = batch[f"{name}_labels"]
            made[f"{name}_top1"] = ((logits.argmax(1) == labels).sum(), torch.tensor(len(labels)))
        return made

    def parameter_groups(self, model: nn.Module, stage: int) -> list[ParameterGroup]:
        named = dict(model.named_parameters())
        trained = {name: p for name, p in named.items() if stage > 1 or name.startswith("entities.")}
        decay = [p for name, p in trained.items() if not name.endswith("bias")]
        plain = [p for name, p in trained.items() if name.endswith("bias")]
        return [ParameterGroup(decay, True)] + ([ParameterGroup(plain, False)] if plain else [])

    def blocks(self, model: nn.Module) -> Sequence[nn.Module]:
        assert isinstance(model, Toy)
        return list(model.layers)

    def tokens(self, batch: Batch) -> tuple[int, int]:
        return int(batch["real"].sum()), batch["real"].numel()

    def flops(self, batch: Batch, stage: int) -> float:
        return 6.0 * float(batch["real"].sum())


def make(options: Mapping[str, Mapping[str, Any]], corpus: Path, about: Path | None = None) -> ToyFamily:
    """Options: size, dropout, fail, seen, and how many `entities` there are rows for."""
    model = {"size": 16, "dropout": 0.0, "fail": "", "seen": "", "entities": 0} | dict(options.get("model", {}))
    there = len(EntityVocab.open(corpus / "tables"))
    if model["entities"] and model["entities"] < there:
        raise UsageError(f"model.entities = {model['entities']}, but the corpus has {there}", "leave it out")
    return ToyFamily(model["entities"] or there, model["size"], model["dropout"], model["fail"], model["seen"])
