"""The options of a fine-tuning run beside those of `pretrain`, and its configuration: shipped, or a user's own.

A task's configuration is one of `pretrain` with the tables `[task]` (how inputs are made), `[model]` (attention,
dropout), `[knowledge]` (the layers of --knowledge) and `[grid]` (what --grid tries).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wikiprep.errors import UsageError
from wikiprep.options.option_fields import option
from wikiprep.options.toml import read_setting, read_toml
from wikiprep.pretrain.config import PretrainConfig, TrainingConfig, apply_tables
from wikiprep.suggestions import names_hint

SHIPPED = Path(__file__).parent / "configs"
DEFAULT = "any"


@dataclass(frozen=True, kw_only=True)
class TaskOptions:
    """How a task's inputs are made, and which weights are kept."""

    max_words: int = option(512, "Words (subwords) of a sequence at most, special tokens included.", minimum=16)
    max_mention: int = option(30, "Words of a mention at most; further ones lose their position.", minimum=1)
    entities: str = option(
        "auto",
        "auto: entities are inputs where the encoder has them. yes: always, refused without. no: words alone, with "
        "the same head on words.",
        choices=("auto", "yes", "no"),
    )
    markers: bool = option(True, "Mentions are marked by word tokens of the task's own, as in the published code.")
    keep: str = option(
        "best",
        "best: the weights of the epoch with the best development score. last: of the last.",
        choices=("best", "last"),
    )
    order: str = option(
        "premise-first",
        "Of copa: the premise first, or what comes first in time (of a cause the alternative).",
        choices=("premise-first", "cause-first"),
    )
    patience: int = option(0, "Epochs without a better score after which the run ends; 0: never.", minimum=0)
    titles_from: str = option(
        "", "Of a task that looks entities up: whose titles they have, as --titles-from names it.", path=True
    )


@dataclass(frozen=True, kw_only=True)
class EncoderOptions:
    """Table `[model]` of a fine-tuning run."""

    entity_aware_attention: bool = option(True, "Four query matrices by the kinds of the two tokens.")
    dropout: float = option(0.1, "In the encoder and before the classifier.", minimum=0, maximum=0.9)
    head_dropout: float = option(-1.0, "Before the classifier; -1: as `dropout`.", minimum=-1, maximum=0.9)


@dataclass(frozen=True, kw_only=True)
class NerOptions(TaskOptions):
    """Table `[task]` of conll2003 and wnut17: those of all tasks, and this one."""

    max_span_subwords: int = option(
        16,
        "Subwords of a candidate at most, 16 in the paper; longer names cannot be found. Fewer candidates are faster.",
        minimum=1,
        maximum=512,
    )


@dataclass(frozen=True, kw_only=True)
class JointOptions(TaskOptions):
    """Table `[task]` of webnlg and nyt24: those of all tasks, and these."""

    entities: str = option("no", "Words alone: a span is read off the states of its words.", choices=("no",))
    form: str = option(
        "auto",
        "Of JSON files. full: whole names. starred: one word of each. auto: starred where no name has two words.",
        choices=("auto", "full", "starred"),
    )
    triples: str | int = option("all", "Texts with so many triples alone: 1,2 or 1-3; all.")
    max_span_words: int = option(5, "Words of an entity at most; longer ones cannot be found.", minimum=1, maximum=64)
    span_tokens: int = option(
        16, "Tokens of a span that count, the first ones; of SPOT's pretrained modules it is 8.", minimum=1, maximum=512
    )
    span_kinds: str = option("endpoint+attention", "Parts of a span's vector: endpoint, attention, max, joined by +.")
    span_attention: bool = option(True, "Self-attention among a sentence's spans, in the pair encoder.")
    size: int = option(0, "Of a span's and a pair's vector; 0: the encoder's.", minimum=0, maximum=65_536)
    pair_layers: int = option(2, "Layers of that self-attention.", minimum=1, maximum=64)
    pair_heads: int = option(8, "Heads of each.", minimum=1, maximum=1024)
    negatives: int = option(
        0, "Spans that are no entity, drawn of each text anew each epoch; 0: all there are.", minimum=0
    )
    relations: str = option(
        "sigmoid",
        "sigmoid: each relation for itself, so that a pair can have several. softmax: one, or none.",
        choices=("sigmoid", "softmax"),
    )
    threshold: float = option(0.5, "Probability from which a relation holds (sigmoid).", minimum=0, maximum=1)
    span_threshold: float = option(0.5, "Probability from which a span is an entity.", minimum=0, maximum=1)
    max_spans: int = option(
        40,
        "Entities of a text whose pairs are looked at, the likeliest; others are counted.",
        minimum=2,
        maximum=10_000,
    )
    task_dropout: float = option(
        0.3, "Behind the span encoder, in and behind the pair encoder.", minimum=0, maximum=0.9
    )
    modules: str = option(
        "new",
        "new: span and pair encoder are drawn, as in the paper. pretrained: those of the SPOT run that --model is.",
        choices=("new", "pretrained"),
    )


@dataclass(frozen=True, kw_only=True)
class KnowledgeOptions:
    """Table `[knowledge]`: the layers that `--knowledge` puts between encoder and head (docs/ilka-model.md)."""

    mode: str = option(
        "head",
        "What is asked beside each word: what it is the head of, the tail of, both, or none.",
        choices=("head", "tail", "both", "none"),
    )
    layers: int = option(6, "Layers in all: one of KG attention, the others of self-attention.", minimum=1)
    heads: int = option(2, "Attention heads of each layer; they must divide its width.", minimum=1)
    width: int = option(0, "Width that vectors of graph and encoder are projected to; 0: both side by side.", minimum=0)
    keep_empty: bool = option(False, "Words without an entity have keys of relations too, of the zero vector.")
    tagger: str = option("", "spaCy pipeline that says parts of speech, a name or a folder; without: the first sense.")
    phrases: int = option(1, "Runs of up to so many words are looked up too, the longest first.", minimum=1)
    wordnet: str = option("", "Folder of WordNet's files, for graphs of synsets; without: where it is installed.")
    corpus: str = option("", "A build with mention statistics, whose names are looked up too in graphs of titles.")
    train_vectors: bool = option(False, "Vectors of entities and relations are trained too.")
    compress: int = option(0, "Learned weighted sums of relations in place of all relations; 0: all.", minimum=0)
    vectors: str = option(
        "graph",
        "Controls: random vectors in place of the graph's, or none: the same layers on the encoder alone.",
        choices=("graph", "random", "none"),
    )


GRID = "grid"
_GRID_NAMES = {
    "learning_rate": "stages.learning_rate",
    "batch": "data.global_batch",
    "epochs": "stages.epochs",
    "warmup_steps": "stages.warmup_steps",
    "weight_decay": "optimizer.weight_decay",
}


def grid_settings(grid: Mapping[str, Any], where: str) -> list[tuple[str, ...]]:
    """Each point of `[grid]` (a list each of learning_rate, batch, epochs, …) as settings of `--set`.

    Raises UsageError for another name, or no list.
    """
    points: list[tuple[str, ...]] = [()]
    for name, values in grid.items():
        if name not in _GRID_NAMES or not isinstance(values, list) or not values:
            raise UsageError(f"{where}: grid.{name} is not known, or no list", f"lists of {', '.join(_GRID_NAMES)}")
        points = [(*point, f"{_GRID_NAMES[name]}={value}") for point in points for value in values]
    return points


def shipped_names() -> list[str]:
    """The names that --config takes beside paths."""
    return sorted(path.relative_to(SHIPPED).with_suffix("").as_posix() for path in SHIPPED.rglob("*.toml"))


def load_task_config(name: str, task: str, settings: tuple[str, ...]) -> tuple[PretrainConfig, list[tuple[str, ...]]]:
    """The configuration `name` (a shipped one, or a `.toml` file; "": the task's own), and the points of its grid."""
    path = Path(name)
    if not name:
        path = SHIPPED / f"{task}.toml"
        path = path if path.is_file() else SHIPPED / f"{DEFAULT}.toml"
    elif not name.endswith(".toml"):
        path = SHIPPED / f"{name}.toml"
        if not path.is_file():
            raise UsageError(
                f"no configuration {name!r}", names_hint("configurations", name, shipped_names()) + ", or a .toml file"
            )
    tables = read_toml(path)
    grid: Any = tables.pop(GRID, {})
    config = apply_tables(PretrainConfig(family="task", training=TrainingConfig(compile=False)), tables, str(path))
    for setting in settings:
        config = apply_tables(config, read_setting(setting), f"--set {setting}")
    return config, grid_settings(grid, str(path)) if grid else []
