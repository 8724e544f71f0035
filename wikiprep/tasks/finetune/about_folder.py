"""A fine-tuning run's `about` folder: what makes its weights usable without the data set and the encoder it began with.

task.json  tokenizer.json  entities.json (where the encoder has a table)
entity_qids.json  entity_redirects.parquet (of a task that looks entities up, as far as the encoder knows them)
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from wikiprep.corpus.tokenizers import load_tokenizer, save_tokenizer
from wikiprep.errors import WikiprepError
from wikiprep.pretrain.luke.config import LukeConfig
from wikiprep.tables.vocabulary_entities import ENTITY_QIDS, ENTITY_REDIRECTS, read_redirects
from wikiprep.tasks.finetune.encoder import Start
from wikiprep.tasks.finetune.knowledge.layers import KnowledgeSizes
from wikiprep.tasks.options import KnowledgeOptions, TaskOptions
from wikiprep.tasks.registry import options_of

ABOUT_TASK, ENTITIES = "task.json", "entities.json"
SCHEMA = "task/1"


@dataclass(frozen=True)
class About:
    """What the folder says.

    `task` by its name (or file), its options and labels, the sizes of the task's encoder, and of the layers of a
    knowledge graph where it has them.
    """

    task: str
    options: TaskOptions
    labels: Sequence[str]
    encoder: LukeConfig
    knowledge: KnowledgeSizes | None = None


def write_about(folder: Path, about: About, start: Start, *, looks_up: bool = False) -> None:
    """Fill the folder. `looks_up`: the task looks entities up, and will again where the run goes on."""
    save_tokenizer(start.tokenizer, folder / "tokenizer.json")
    if start.entities:
        (folder / ENTITIES).write_text(json.dumps(start.entities, ensure_ascii=False) + "\n", encoding="utf-8")
    if looks_up and start.qids:
        (folder / ENTITY_QIDS).write_text(json.dumps(dict(start.qids), ensure_ascii=False) + "\n", encoding="utf-8")
    if looks_up and (redirects := start.redirects()):
        titles = sorted(redirects)
        table = pa.table({"title": titles, "final": [redirects[title] for title in titles]})
        pq.write_table(table, folder / ENTITY_REDIRECTS)
    data = {
        "schema": SCHEMA,
        "task": about.task,
        "options": asdict(about.options),
        "labels": list(about.labels),
        "encoder": asdict(about.encoder),
        **({"knowledge": asdict(about.knowledge)} if about.knowledge else {}),
        "start": {"name": start.what, "encoder": asdict(start.config)},
    }
    (folder / ABOUT_TASK).write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def read_about(folder: Path) -> tuple[About, Start]:
    """What was written; the start without its tensors. Raises WikiprepError for a damaged folder."""
    path = folder / ABOUT_TASK
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["schema"] != SCHEMA:
            raise WikiprepError(f"{path}: holds {data['schema']}, not {SCHEMA}", "use the wikiprep that wrote it")
        entities: Mapping[str, int] = {}
        if (folder / ENTITIES).is_file():
            entities = json.loads((folder / ENTITIES).read_text(encoding="utf-8"))
        qids: Mapping[str, str] = {}
        if (folder / ENTITY_QIDS).is_file():
            qids = json.loads((folder / ENTITY_QIDS).read_text(encoding="utf-8"))
        redirects = partial(read_redirects, folder / ENTITY_REDIRECTS)
        start = data["start"]
        about = About(
            data["task"],
            replace(options_of(data["task"]), **data["options"]),
            tuple(data["labels"]),
            LukeConfig(**data["encoder"]),
            _sizes(data.get("knowledge")),
        )
        tokenizer = load_tokenizer(folder / "tokenizer.json")
        return about, Start(start["name"], LukeConfig(**start["encoder"]), {}, tokenizer, entities, qids, redirects)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise WikiprepError(f"{path}: cannot be read ({error})", "take it from another copy of the run") from error


def _sizes(data: dict[str, Any] | None) -> KnowledgeSizes | None:
    if data is None:
        return None
    shapes = {name: tuple(shape) for name, shape in data["relations"].items()}
    options = KnowledgeOptions(**data["options"])
    return KnowledgeSizes(options, data["model"], data["entities"], data["size"], shapes)
